"""A list whose items say nothing alone is one rule."""

from datetime import UTC, datetime

import pytest

from git_intent.scan.artifacts import Source
from git_intent.scan.builtin import Extractor
from git_intent.scan.classify import Classifier
from git_intent.scan.compose import compose
from git_intent.scan.document import statements
from git_intent.scan.job import Tools
from git_intent.scan.lists import one_rules
from git_intent.scan.succession import spoken
from git_intent.store.requirement import Kind
from git_intent.store.requirement_file import normalise

EXTRACTOR = Extractor(Classifier.load(), (), datetime(2025, 1, 1, tzinfo=UTC))
LONG_ITEM = "- `Title`: what it is all about\n"
RULES = """\
# Commits

Write commit messages in the imperative mood.

Only use these commit types:

- `feat`
- `fix`
- `docs`

Never squash commits of other people.
"""


def whole(text):
    return [
        compose(one.statement, False).statement
        for one in one_rules(statements(text, "a.md"))
    ]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "# Style\n\nAllowed commit types:\n\n- `feat`\n- `fix`\n- `docs`\n",
            "Allowed commit types: `feat`, `fix`, `docs`.",
        ),
        (
            "# Servers\n\n- Regions:\n  - north\n  - south, but not east\n",
            "Servers: Regions: north; south, but not east.",
        ),
        ("# Supported versions\n\n* 3.1\n* 3.2 LTS\n", None),
        (
            "# Supported releases\n\n* spring\n* summer LTS\n",
            "Supported releases: spring, summer LTS.",
        ),
        (
            "Use one of these prefixes:\n\n- `new/`: features\n- `cure/` - bugs\n",
            "Use one of these prefixes: `new/` (features), `cure/` (bugs).",
        ),
        (
            "Must be one of:\n\n- **new**: what users see\n- **docs** - texts (only)\n",
            "Must be one of: new (what users see), docs: texts (only).",
        ),
        (
            "Include the following:\n\n- **Name** (required): a, b\n- **Fix:** if so\n",
            "Include the following: Name (required): a, b; Fix (if so).",
        ),
        (
            f"Include the following:\n\n{LONG_ITEM * 20}",
            f"Include the following: {', '.join(['`Title`'] * 20)}.",
        ),
        (
            "Never commit:\n\n- key files\n- local settings\n",
            "Never commit: key files, local settings.",
        ),
    ],
)
def test_bare_items_and_their_lead_in_are_one_statement(text, rule):
    assert whole(text) == ([rule] if rule else [])


@pytest.mark.parametrize(
    "text",
    [
        "Please:\n\n- Add a test\n- Keep it small\n",
        "We expect:\n\n- A pull request is small\n- Reviews are kind\n",
        "Avoid:\n\n- globals\n- magic numbers\n",
        "Allowed types:\n\n- `feat`\n",
        "Do the following:\n\n- **Docs**: keep them true\n- **Tests**: add one\n",
        "It must be one of:\n\n- **new**: something new\n- Ask us before you begin\n",
        "Allowed types:\n\n- `feat`\n- Never use another one, whatever anybody says\n",
        "Parts:\n\n- core\n- web\n  - Keep the web part small\n",
        "Some words first.\n\n- core\n- web\n",
        "## Parts\n\nSome words first.\n\n```\ncode\n```\n\n- core\n- web\n",
    ],
)
def test_items_that_say_something_stay_apart(text):
    assert whole(text) == []


def test_the_statement_covers_the_lines_of_the_whole_list():
    place = statements(
        "# A\n\nAllowed types:\n\n- `feat`\n- `fix`\n\nThe end.\n", "a.md"
    )
    (one,) = one_rules(place)
    assert (one.statement.line, one.statement.end_line) == (3, 6)
    assert [place[n].text for n in one.parts] == ["Allowed types:", "`feat`", "`fix`"]


def test_a_scan_knows_the_former_wording_of_a_list_again():
    cut = Tools(lambda *_: None, None).cut
    forms = [spoken(s) for s in cut("Allowed types:\n\n- `feat`\n- `fix`\n", "a.md")]
    assert any(normalise("Allowed types: `feat`, `fix`.") in form for form in forms)


def test_an_extractor_offers_the_list_and_none_of_its_items():
    source = Source(Kind.DOC, "AGENTS.md", RULES, "AGENTS.md")
    found = EXTRACTOR.read(source).candidates
    (one,) = [c for c in found if "feat" in c.statement]
    assert one.statement == "Only use these commit types: `feat`, `fix`, `docs`."
    assert (one.line, one.end_line) == (5, 9)
