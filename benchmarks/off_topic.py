"""Tasks that no software project has a rule for, one a line."""

TASKS = """\
Book a table for six at an Italian restaurant on Friday evening.
Write a short poem about the first snow of the year.
What is the capital of Peru, and how many people live there?
Plan a three-day hiking trip in the Alps for two beginners.
Suggest a birthday present for my grandmother, who likes gardening.
How long do I have to boil eggs until the yolk is firm?
Summarise the plot of Hamlet in five sentences.
Which houseplants survive in a dark bathroom?
Convert 180 degrees Celsius to Fahrenheit for this cake.
Draft a toast for my brother's wedding.
Explain why the sky is blue to a six-year-old.
Find a cheap flight from Oslo to Lisbon in May.
Make a training plan for a half marathon in twelve weeks.
Compare the rules of chess and checkers.
Translate this restaurant menu from Portuguese into English.
What should I pack for a week at the sea with a baby?
Recommend three jazz records from the fifties.
Write a letter to my landlord about the broken heating.
How do I get a red wine stain out of a white shirt?
Tell me the history of the Suez Canal.
Work out how much paint I need for a room of twenty square metres.
Give me ten names for a black cat.
What is a good stretch for lower back pain?
Help me understand the difference between a loan and a mortgage.
Which countries won the football world cup more than twice?
Write a bedtime story about a dragon that is afraid of fire.
My tomato plants have yellow leaves; what do they lack?
Prepare questions for an interview with a retired sailor.
How does a sourdough starter work?
Plan the seating for a dinner with two families that do not get along.
Describe the painting style of the late Rembrandt.
Calculate the monthly rate for a car of twenty thousand euros.
Which vaccinations do I need before I travel to Kenya?
Write a limerick about a lazy postman.
Teach me ten phrases in Japanese for a visit to a temple.
How do bees find their way back to the hive?
Choose a colour for the curtains in a room with a green sofa.
Explain the offside rule in football.
Give me a recipe for lentil soup without onions.
When is the best time to prune an apple tree?
Order new coffee beans for the office kitchen.
Put together a quiz about European rivers for a pub night.
My bicycle's front brake squeals in the rain; what can I do?
Compose a condolence note for a colleague.
How many calories are in a bowl of ramen?
Which telescope is good for a child of ten?
Rewrite this fairy tale so that the wolf is kind.
Name the moons of Jupiter in order of size.
Choreograph a simple dance for a school play.
What does my dream about falling mean?
Set up a weekly cleaning rota for a shared flat.
Explain how a sailboat can go against the wind.
Find out when the museum in Basel is open on Sunday.
Write a job advertisement for a pastry chef.
How do I teach my dog to stay?
Estimate how much wood a fence of thirty metres takes.
Who painted the ceiling of the Sistine Chapel?
Plan meals for a week for a vegetarian family of four.
Tell a joke about a penguin in a bar.
Describe the symptoms of the common cold.
""".splitlines()
