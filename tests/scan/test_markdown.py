"""Markdown to blocks: kinds, levels, exact lines; what is not text is left out."""

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
