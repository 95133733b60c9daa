"""Classes of English words that tell a rule from a description.

Mood travels between projects where vocabulary does not: "must", "never" and "prefer"
mean the same everywhere. A word may belong to several classes.
"""

_CLASSES = {
    "must": "must shall required require requires mandatory obliged need needs has"
    " have",
    "not": "not no never don't dont doesn't cannot can't won't mustn't shouldn't nor"
    " none nothing without neither isn't aren't",
    "never": "never forbidden prohibited disallow disallowed disallows banned ban"
    " refuse refused reject rejected unacceptable",
    "always": "always every all each any everything everyone anything strictly",
    "should": "should shouldn't ought",
    "prefer": "prefer prefers preferred favor favour instead rather recommended"
    " recommend discouraged encouraged preferably ideally",
    "avoid": "avoid avoids minimize minimise limit refrain stop",
    "only": "only unless except exclusively solely",
    "may": "may might can could would optional optionally possibly",
    "past": "was were been had did added fixed removed released changed updated"
    " improved introduced decided created implemented used made moved renamed",
    "i": "i my i'm me i've",
    "we": "we our us we're we've we'll ours",
    "you": "you your you're yours yourself",
    "when": "when before after if whenever while until once",
    "because": "because since so otherwise therefore thus hence due",
    "code": "",
    "url": "",
    "path": "",
    "number": "",
    "shouted": "",
    "s-form": "",
    "ed-form": "",
    "ing-form": "",
    "capital": "",
    "thanks": "thank thanks welcome please help feel free happy appreciate glad",
    "example": "e g example examples instance i.e e.g",
    "will": "will won't going",
    "people": "contributor contributors maintainer maintainers reviewer reviewers"
    " author authors committer committers developer developers agent agents team",
    "work": "pull request requests pr prs commit commits issue issues patch patches"
    " test tests change changes branch branches release releases review reviews"
    " changelog documentation docs code style",
    "runtime": "user users server client returns return method value option default"
    " runtime process thread cluster called calls object instance memory data",
    "imperative": "use avoid prefer keep run write add make ensure always never follow"
    " put place name include test check update create set document import return"
    " remove wrap format limit leave call define declare mark pass start end treat"
    " handle commit open submit ask read do don't dont be have give take get let try"
    " implement validate verify consider respect preserve maintain separate split"
    " store build bump cover delete describe design discuss explain explore extend"
    " extract favor favour fix focus group ignore inline inspect install interpolate"
    " introduce isolate link list load log look match merge mention minimize mock move"
    " note order organize omit prefix propose provide push raise rebase reduce refactor"
    " refer reference release rely remember rename replace report require rerun"
    " resolve reuse review revert save send show sign sort specify squash state stay"
    " stick stop structure support tag think throw trust turn understand wait work"
    " apply assume attach assign break bring choose claim clean close combine comment"
    " compare configure confirm copy mirror mimic enable disable enforce expose export"
    " emit exclude hardcode reserve restrict skip align annotate append cache",
    "sure": "sure ensure make keep follow stick adhere comply conform consistent",
    "pointer": "see read visit install clone open check refer click go download",
    "this": "this these it there that those following here below above its they",
    "is": "is are has does provides returns contains lives runs uses supports allows"
    " creates makes means takes works gets handles describes shows defines includes",
    "the": "the a an",
    "policy": "policy policies rule rules guideline guidelines convention conventions"
    " standard standards requirement requirements principle principles practice"
    " practices style must do don't naming format testing review security quality",
    "tour": "installation usage setup started overview introduction examples license"
    " contents quickstart build layout structure architecture features background"
    " motivation alternatives about history status links references context faq"
    " acknowledgements credits roadmap todo summary prerequisites commands",
}

CLASSES = tuple(_CLASSES)


def _words() -> dict[str, int]:
    found: dict[str, int] = {}
    for bit, words in enumerate(_CLASSES.values()):
        for word in words.split():
            found[word] = found.get(word, 0) | 1 << bit
    return found


WORDS = _words()  # word -> one bit for each of its classes
