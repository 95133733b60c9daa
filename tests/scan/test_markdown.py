"""Markdown to blocks: kinds, levels, exact lines; what is not text is left out."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from git_intent.scan.block import BlockKind
from git_intent.scan.markdown import blocks


def shape(text):
    """Kind, text, line and level of each block that has text."""
    return [
        (b.kind.value, b.text, b.line, b.level)
        for b in blocks(text)
        if b.kind is not BlockKind.BREAK
    ]


def test_headings_in_both_styles_have_levels_and_lines():
    assert shape("# One\n\nTwo\n---\n\nThree\n=====\n") == [
        ("heading", "One", 1, 1),
        ("heading", "Two", 3, 2),
        ("heading", "Three", 6, 1),
    ]


def test_items_know_how_deep_they_lie():
    text = "Intro:\n\n- a\n  more\n  1. b\n\n     part\n- c\n"
    assert shape(text) == [
        ("paragraph", "Intro:", 1, 0),
        ("item", "a\nmore", 3, 1),
        ("item", "b", 5, 2),
        ("paragraph", "part", 7, 2),
        ("item", "c", 8, 1),
    ]


def test_table_rows_stand_as_they_are_and_the_header_is_marked():
    text = "| A | B |\n|---|:-:|\n| `x` | **y** |\n"
    assert shape(text) == [
        ("header", "| A | B |", 1, 0),
        ("row", "| `x` | **y** |", 3, 0),
    ]


def test_code_comments_and_front_matter_hold_no_text():
    text = (
        "---\nrule: Always use tabs.\n---\n"
        "```\nAlways use tabs.\n```\n\n"
        "    Always use tabs.\n\n"
        "<!-- Always\nuse tabs. -->\n\n"
        "<pre>\nAlways use tabs.\n</pre>\n\n"
        "~~~py\nAlways use tabs.\n"
    )
    assert shape(text) == []


def test_line_numbers_count_the_front_matter():
    assert shape("+++\na = 1\n+++\nUse tabs.\n") == [("paragraph", "Use tabs.", 4, 0)]


def test_a_rule_at_the_top_is_no_front_matter():
    assert shape("---\n\nUse tabs.\n") == [("paragraph", "Use tabs.", 3, 0)]


def test_quotes_are_marked_but_the_authors_call_outs_are_not():
    found = blocks("> Use tabs.\n\n> [!NOTE]\n> Use spaces.\n\n> Old.\n")
    assert [b.quoted for b in found] == [True, False, True]


def test_html_blocks_give_their_readable_text():
    text = '<p align="center">\n  <b>Use tabs.</b>\n</p>\n'
    assert shape(text) == [("paragraph", "Use tabs.", 2, 0)]


def test_carriage_returns_and_nul_do_not_stop_it():
    assert shape("Use tabs.\x00\n\x0b\n- x\n")[-1] == ("item", "x", 3, 1)


def unaided(text):
    """The blocks as the parser's own rules alone find them."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    with patch("git_intent.scan.markdown._parser", lambda: parser):
        return blocks(text)


PIECES = st.text(" \t\n", max_size=4) | st.sampled_from(
    "a@b c@- @* @1. @2) x@> @# @```@~~~@---@- -@***@===@--@-@=@<div>@<!--@-->@[ref]: /x"
    "@[a@    code@\tx@- [ ] x@_@**b**@`a`@é@\u00a0@\x0b@10@|--|--|@@--|--@:--@| a | b |"
    "@a | b@- a | b@\n@\n\n@\n  ".split("@")
)


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(st.lists(PIECES | st.just("\n"), max_size=30).map("".join))
def test_going_by_the_first_sign_finds_what_all_rules_together_find(text):
    assert blocks(text) == unaided(text)


@pytest.mark.parametrize(
    "text",
    [
        "a\n- b\n  - c\n-\nd\n",
        "- a | b\n|---|---|\n| c | d |\n",
        "# a | b\n|---|---|\n| c | d |\n",
        "a\nb\n- | -\n--- | ---\n",
        "- a\nlazy\n  2. b\n     3) c\n",
        "> a\nlazy\n- b\n> c\n===\n",
        "a\n    - b\n* * *\n- - -\n+ + a\n",
        "a\n---\nb\n- -\nc\n-\td\n",
        "> | a |\n> |---|\n> | c |\nd\n",
        "- a | b\n  --- | ---\n  c\n\td\n- | -\n",
        "| a |\n|---|\n| b |\n- c\n\n| a |\n|---|\n\x0c\n| d |\n",
        "|a" * 300 + "|\n" + "|-" * 300 + "|\n" + "| b |\n" * 400,
    ],
)
def test_lines_that_could_be_several_things_are_left_to_all_rules(text):
    assert blocks(text) == unaided(text)
