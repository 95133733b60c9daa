"""reStructuredText to blocks."""

from git_intent.scan.block import BlockKind
from git_intent.scan.restructured import blocks


def shape(text):
    return [
        (b.kind.value, b.text, b.line, b.level)
        for b in blocks(text)
        if b.kind is not BlockKind.BREAK
    ]


def test_levels_are_the_order_of_the_adornments():
    text = "=====\nTitle\n=====\n\nOne\n---\n\nTwo\n~~~\n\nThree\n-----\n"
    assert shape(text) == [
        ("heading", "Title", 2, 1),
        ("heading", "One", 5, 2),
        ("heading", "Two", 8, 3),
        ("heading", "Three", 11, 2),
    ]


def test_admonitions_are_prose_and_other_directives_are_not():
    text = (
        ".. note:: Use tabs.\n\n"
        ".. warning::\n\n   Never push.\n\n"
        ".. code-block:: python\n\n   always_use(tabs)\n\n"
        ".. _target:\n"
        ".. Always use spaces.\n   In vain.\n\n"
        "After.\n"
    )
    assert [entry[:3] for entry in shape(text)] == [
        ("paragraph", "Use tabs.", 1),
        ("paragraph", "Never push.", 5),
        ("paragraph", "After.", 15),
    ]


def test_literal_blocks_are_left_out_and_their_lead_in_stays():
    text = "Run this::\n\n    always use tabs\n\nDone.\n"
    assert [b.text for b in blocks(text)] == ["Run this:", "", "Done."]


def test_lists_nest_and_enumerations_count():
    text = "* one\n\n  - two\n    more\n\n* three\n\n#. four\n(a) five\n"
    assert shape(text) == [
        ("item", "one", 1, 1),
        ("item", "two\nmore", 3, 2),
        ("item", "three", 6, 1),
        ("item", "four", 8, 1),
        ("item", "five", 9, 1),
    ]


def test_simple_tables_field_lists_and_doctests_are_left_out():
    text = "=== ===\nA   B\n=== ===\na   b\n=== ===\n\n:author: me\n\n>>> 1\n\nEnd.\n"
    assert shape(text) == [("paragraph", "End.", 11, 0)]
