"""AsciiDoc to blocks."""

from git_intent.scan.asciidoc import blocks
from git_intent.scan.block import BlockKind


def shape(text):
    return [
        (b.kind.value, b.text, b.line, b.level)
        for b in blocks(text)
        if b.kind is not BlockKind.BREAK
    ]


def test_headings_attributes_and_comments():
    text = "= Title\n:toc:\n// Always use tabs.\n\n== Rules\n\nUse tabs.\n"
    assert shape(text) == [
        ("heading", "Title", 1, 1),
        ("heading", "Rules", 5, 2),
        ("paragraph", "Use tabs.", 7, 0),
    ]


def test_lists_nest_by_their_marker_and_continue_with_a_plus():
    text = "* one\nmore\n** two\n* three\n+\nstill three\n\nAfter.\n"
    assert shape(text) == [
        ("item", "one\nmore", 1, 1),
        ("item", "two", 3, 2),
        ("item", "three", 4, 1),
        ("paragraph", "still three", 6, 1),
        ("paragraph", "After.", 8, 0),
    ]


def test_listings_are_left_out_and_containers_are_not():
    text = "[source,java]\n----\nalways();\n----\n\n====\nNever push.\n====\n"
    assert shape(text) == [("paragraph", "Never push.", 7, 0)]


def test_table_rows_have_the_first_row_as_header():
    text = "|===\n|Change |Needed\n\n|Option |A test\n|===\n"
    assert shape(text) == [
        ("header", "|Change |Needed", 2, 0),
        ("row", "|Option |A test", 4, 0),
    ]
