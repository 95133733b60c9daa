"""A statement reads on its own once it is composed."""

import pytest

from git_intent.scan.compose import clean, compose
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
