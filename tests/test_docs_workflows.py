"""The examples of docs/workflows.md are read by the reader of the program."""

import re
from pathlib import Path

import pytest

from git_intent.workflow import keys, parser
from git_intent.workflow.soundness import examine
from tests.support.markdown import Page

PAGE = Page(Path(__file__).resolve().parents[1] / "docs" / "workflows.md")
EXAMPLES = [block for block in PAGE.blocks if block.language == "cloche"]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: f"line {block.line}")
def test_every_example_can_be_run(block):
    assert parser.parse(block.text.encode(), "x").workflows
    assert examine({"x": block.text.encode()}, lambda path: True) == []


def described(heading: str) -> set[str]:
    """The keys in the first column of the table below a heading."""
    part = PAGE.text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", part, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([\w-]+)`", cell)}


def test_every_key_is_described():
    assert described("Keys of a workflow") == keys.WORKFLOW_KEYS
    assert described("Keys of a step") == keys.STEP_KEYS


def test_the_grammar_has_the_rules_of_the_parser():
    (page,) = PAGE.under("The grammar", "text")
    renamed = {"sfield": "key", "gwire": "global"}
    rules = re.findall(r"^    (\w+) +:=", parser.__doc__, re.MULTILINE)
    assert len(rules) > 12
    assert [renamed.get(rule, rule) for rule in rules] == re.findall(
        r"^(\w+) +:=", page.text, re.MULTILINE
    )
