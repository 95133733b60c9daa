"""Plain text to blocks."""

from git_intent.scan.block import BlockKind
from git_intent.scan.plain import blocks


def shape(text):
    return [(b.kind.value, b.text, b.line, b.level) for b in blocks(text)]


def test_underlined_and_shouted_lines_are_headings():
    text = "Rules\n=====\n\nUse tabs.\n\nCODING STYLE\n\nNaming\n------\n"
    assert shape(text) == [
        ("heading", "Rules", 1, 1),
        ("paragraph", "Use tabs.", 4, 0),
        ("heading", "CODING STYLE", 6, 2),
        ("heading", "Naming", 8, 2),
    ]


def test_lists_nest_by_their_indent():
    text = "You must:\n\n * sign\n   off\n     - always\n * test\n\nDone.\n"
    assert shape(text) == [
        ("paragraph", "You must:", 1, 0),
        ("item", "sign\noff", 3, 1),
        ("item", "always", 5, 2),
        ("item", "test", 6, 1),
        ("paragraph", "Done.", 8, 0),
    ]


def test_an_indented_block_is_prose_only_if_it_reads_like_it():
    text = "Run:\n\n    make all install\n\n    Never run this command as root.\n"
    kinds = [b.kind for b in blocks(text)]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.BREAK, BlockKind.PARAGRAPH]


def test_a_line_of_dashes_alone_is_a_break():
    assert [b.kind for b in blocks("a\n\n----\n\nb\n")][1] is BlockKind.BREAK
