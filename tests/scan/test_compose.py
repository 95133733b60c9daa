"""A statement reads on its own once it is composed."""

import pytest

from git_intent.scan.compose import Composed, clean, compose
from git_intent.scan.statement import Segment, Statement


def bullet(text: str, lead_in: str = "", **more) -> Statement:
    return Statement(text, 1, 1, Segment.BULLET, lead_in=lead_in, **more)


@pytest.mark.parametrize(
    ("lead_in", "text", "statement"),
    [
        ("Do not:", "Push to main", "Do not push to main."),
        ("Never:", "`git push --force`", "Never: `git push --force`."),
        ("Contributors must:", "Sign their commits.", "Contributors must sign"),
        ("Please follow these guidelines:", "Keep lines short", "Keep lines short."),
        ("", "Use tabs", "Use tabs."),
        ("You should:", "Always ask", "Always ask."),
    ],
)
def test_lead_in_completes_only_what_needs_it(lead_in, text, statement):
    assert compose(bullet(text, lead_in), False).statement.startswith(statement)


def test_fragment_without_lead_in_takes_its_heading():
    done = compose(bullet("two spaces", headings=("Style", "Indentation")), False)
    assert done.statement == "Indentation: two spaces."


@pytest.mark.parametrize(
    ("text", "heading", "statement"),
    [
        ("Should assume no knowledge.", "Guides", "Guides should assume no knowledge."),
        ("No shell arrays.", "Shell", "No shell arrays."),
        ("Quoting: always quote paths.", "Style", "Quoting: always quote paths."),
        ("Prefix internal functions with `x_`.", "Style", "Prefix internal functions"),
        ("**Touch only what you must.", "Edits", "Touch only what you must."),
        ("Clean up your own mess.**", "Edits", "Clean up your own mess."),
    ],
)
def test_heading_joins_only_what_lacks_a_subject_or_verb(text, heading, statement):
    done = compose(bullet(text, headings=(heading,)), False)
    assert done.statement.startswith(statement)


def test_whole_sentence_is_left_alone():
    text = "Every public function has a docstring."
    assert compose(Statement(text, 3, 3), False).statement == text


def test_table_row_is_read_with_its_header():
    row = Statement(
        "| DEBUG | wrapper details |", 4, 4, Segment.TABLE, lead_in="| Level | Use |"
    )
    assert compose(row, False).statement == "Level: DEBUG; Use: wrapper details."


def test_ragged_row_is_read_without_header():
    row = Statement("| a | b | c |", 4, 4, Segment.TABLE, lead_in="| x | y |")
    assert compose(row, False).statement == "A — b — c."


def test_because_clause_becomes_the_reason():
    done = compose(
        bullet("Never squash commits because the history must stay useful."), False
    )
    assert done.statement == "Never squash commits."
    assert done.rationale == "The history must stay useful."


def test_next_sentence_that_explains_becomes_the_reason():
    s = Statement(
        "Pin every action to a commit.",
        1,
        1,
        following="This keeps a moved tag from changing what runs.",
    )
    done = compose(s, False)
    assert done.rationale == "This keeps a moved tag from changing what runs."
    assert done.used_following


@pytest.mark.parametrize(
    ("following", "is_rule"),
    [
        ("This must never be skipped by anybody.", False),
        ("This keeps a moved tag from changing what runs.", True),
        ("Read the guide for the rest of the story.", False),
    ],
)
def test_next_sentence_that_rules_is_no_reason(following, is_rule):
    s = Statement("Pin every action to a commit.", 1, 1, following=following)
    assert compose(s, is_rule).rationale == ""


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("**Always** test [the docs](x.md#y)", "Always test the docs"),
        ("[ ] Update the changelog", "Update the changelog"),
        ('<a name="rule-1"></a>Keep it small', "Keep it small"),
        ("![badge](b.svg) Use `a * b * c`", "Use `a * b * c`"),
        ("snake_case and __init__ stay", "snake_case and __init__ stay"),
        ("2. Ask first", "Ask first"),
        (
            "Follow the [AI policy][llm] and `a[0][1]`",
            "Follow the AI policy and `a[0][1]`",
        ),
        ("Set :setting:`X_Y` to ``True``.", "Set `X_Y` to `True`."),
        ("Call {func}`~a.b <x>` and `the guide <http://x.y>`__.", "Call `a.b` and the"),
        ("Read `the guide`_ first", "Read the guide first"),
        ("Files in src/**/*.py are typed", "Files in src/**/*.py are typed"),
    ],
)
def test_clean_strips_markup_and_keeps_words(raw, shown):
    assert clean(raw).startswith(shown)


@pytest.mark.parametrize(
    ("lead_in", "text", "statement"),
    [
        ("When you add a table:", "Write a migration", "When you add a table, write"),
        ("Each reply has parts:", "Head with a date", "Each reply has parts: Head"),
        ("You may merge if:", "The build is green", "You may merge if: The build"),
        ("Please check that:", "Your branch is fresh", "Please check that your branch"),
        ("We do not take:", "Patches by fax", "We do not take: Patches by fax"),
        ("Never send the following:", "A zip file", "Never send the following: A zip"),
        ("Follow these rules if unsure:", "Ask a maintainer", "Ask a maintainer"),
        ("Follow our wiki:", "Naming: lower case", "Follow our wiki: Naming: lower"),
        ("You don't need to install it, just keep some rules:", "Use tabs", "Use tabs"),
        ("You do not need to:", "Sign off", "You do not need to: Sign off"),
    ],
)
def test_lead_in_says_when_the_bullet_holds(lead_in, text, statement):
    assert compose(bullet(text, lead_in), False).statement.startswith(statement)


@pytest.mark.parametrize(
    ("heading", "text", "statement"),
    [
        ("Don'ts", "Use inline styles", "Don'ts: Use inline styles."),
        ("What not to test", "Getters", "What not to test: Getters."),
        ("Never", "Push to main", "Never push to main."),
        ("Don'ts", "Never use inline styles", "Never use inline styles."),
        ("Gates", "All must pass.", "Gates: All must pass."),
        ("Messages", "Wrap at 70 columns.", "Messages: Wrap at 70 columns."),
        ("Commits", "Body: say why.", "Commits: Body: say why."),
        ("Branches", "Cure: `fix/short-name`", "Branches: Cure: `fix/short-name`."),
        ("Rules", "Two spaces", "Two spaces."),
        ("3.2 Indents", "two spaces", "Indents: two spaces."),
    ],
)
def test_heading_completes_what_cannot_be_read_without_it(heading, text, statement):
    assert compose(bullet(text, headings=(heading,)), False).statement == statement


def test_untelling_heading_gives_way_to_the_one_above():
    done = compose(bullet("two spaces", headings=("Shell", "General")), False)
    assert done.statement == "Shell: two spaces."


def test_row_gets_the_heading_that_tells_what_it_is_a_row_of():
    row = Statement(
        "| north | 80 |", 4, 4, Segment.TABLE, ("Coverage",), "| Part | Least |"
    )
    assert compose(row, False).statement == "Coverage: Part: north; Least: 80."


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Name files after their class. Example:", "Name files after their class."),
        ("Name files after their class, e.g.:", "Name files after their class."),
        ("Never shorten the examples:", "Never shorten the examples."),
        ("Name branches `x/y` Examples:", "Name branches `x/y`."),
        ("Run the formatter before you push:", "Run the formatter before you push."),
        ("Keep it short (see below).", "Keep it short."),
        ("Keep it short (see the part on style below).", "Keep it short."),
        ("Every reply must:", ""),
        ("Use one of the following labels:", ""),
        ("Special care:", ""),
        ("To send a fix, follow the following guidelines.", ""),
        ("Sign your work. Please follow the steps below.", "Sign your work."),
        ("Heed the following rules for names. It is easy.",) * 2,
        ("Write docs. Follow the following rules when naming files.", "Write docs."),
        ("Follow the guidelines below freezing point.",) * 2,
        ("Never edit the following files by hand.",) * 2,
    ],
)
def test_announcement_of_what_is_not_there_goes(text, statement):
    assert compose(Statement(text, 1, 1), False).statement == statement


def test_last_word_of_a_whole_sentence_is_no_announcement():
    text = "Keep test data small; use made-up examples."
    assert compose(Statement(text, 1, 1), False).statement == text


def test_unrelated_next_sentence_is_no_reason():
    s = Statement(
        "Prefer short names, maybe.", 1, 1, following="It would be nice to have docs."
    )
    assert compose(s, False) == Composed("Prefer short names, maybe.")


def test_next_item_is_a_reason_only_if_it_says_so():
    item = bullet("Keep functions short", following="It keeps the cache warm today.")
    assert compose(item, False).rationale == ""
    item = bullet("Keep functions short", following="Why: long ones hide mistakes.")
    assert compose(item, False).rationale == "Long ones hide mistakes."


def test_exception_is_part_of_the_rule_above_it():
    item = Statement(
        "Except for `x` and `y`.",
        2,
        2,
        Segment.BULLET,
        lead_in="Never use short names.",
    )
    assert compose(item, False).statement == (
        "Never use short names, except for `x` and `y`."
    )


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Must be one word.", "Commit type must be one word."),
        ("Should you find a bug, report it.",) * 2,
        ("May I skip the tests?",) * 2,
        ("don't end it with a dot", "Don't end it with a dot."),
    ],
)
def test_sentence_without_a_subject_takes_its_heading(text, statement):
    place = Statement(text, 2, 2, headings=("Commit type",))
    assert compose(place, False).statement == statement
