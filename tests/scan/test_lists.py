"""A list whose items say nothing alone is one rule."""

import pytest

from git_intent.scan.compose import compose
from git_intent.scan.document import statements
from git_intent.scan.lists import one_rules


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
