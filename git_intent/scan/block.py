"""A block: what every markup's parser hands to `scan.document`.

Markdown, reStructuredText, AsciiDoc and plain text each have a parser that answers
`blocks(text) -> list[Block]`; only `scan.document` turns blocks into statements.
Blocks stand in document order. What can never hold a rule (code, comments, metadata)
is left out; a `BREAK` marks where it stood, so that no list is led in by a paragraph
from beyond it.
"""

import re
from enum import StrEnum
from typing import NamedTuple

BULLET = re.compile(r"[-*+•‣◦–]\s+|\(?(?:\d{1,3}|[A-Za-z]|#)[.)]\s+")


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"  # the first paragraph of a list item
    HEADER = "header"  # the header row of a table
    ROW = "row"
    BREAK = "break"  # code, a rule, a comment: something that ends a lead-in


class Block(NamedTuple):
    """A tuple for the same reason as a statement is one.

    `text` keeps its line breaks; its n-th line stands on line `line` + n.

    `level` is the level of a heading, or how many lists a paragraph or item lies in.
    """

    kind: BlockKind
    text: str = ""
    line: int = 0
    level: int = 0
    quoted: bool = False
