"""Plain text to blocks: paragraphs, lists by their bullets, headings by their looks.

Nothing is promised by plain text, so only clear shapes count. A heading is a line that
is underlined, or a short line in capitals that stands alone. An indented paragraph is
prose if it reads like prose, else it is taken for code and left out.
"""

import re
from collections.abc import Iterator

from git_intent.scan.block import BULLET, Block, BlockKind

_UNDERLINE = re.compile(r"([=\-~^*#+\"'`])\1{2,}\s*$")
_CODE_INDENT = 4


def blocks(text: str) -> list[Block]:
    return list(_walk(text.split("\n")))


def _walk(lines: list[str]) -> Iterator[Block]:
    at = 0
    margins: list[int] = []  # the indents of the list items that are open
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
            continue
        underlined = at + 1 < len(lines) and _is_underline(line, lines[at + 1])
        if underlined or _is_shouted(lines, at):
            level = 1 if underlined and lines[at + 1].startswith("=") else 2
            yield Block(BlockKind.HEADING, line.strip(), at + 1, level)
            margins = []
            at += 2 if underlined else 1
            continue
        if _UNDERLINE.match(line.strip()):
            yield Block(BlockKind.BREAK)
            at += 1
            continue
        end = paragraph_end(lines, at)
        yield _paragraph(lines, at, end, margins)
        at = end


def paragraph_end(lines: list[str], at: int) -> int:
    """The line after the paragraph or list item that begins at line `at`."""
    end = at + 1
    while end < len(lines):
        stripped = lines[end].strip()
        if not stripped or BULLET.match(stripped) or _UNDERLINE.match(stripped):
            break
        end += 1
    return end


def nest(margins: list[int], indent: int, *, opens: bool) -> int:
    """Close the list items that `indent` is outside of; the depth that is left."""
    while margins and (indent < margins[-1] or (opens and indent == margins[-1])):
        margins.pop()
    if margins and not opens and indent <= margins[-1]:
        margins.pop()
    if opens:
        margins.append(indent)
    return len(margins)


def _paragraph(lines: list[str], at: int, end: int, margins: list[int]) -> Block:
    indent = len(lines[at]) - len(lines[at].lstrip())
    text = "\n".join(line.strip() for line in lines[at:end])
    bullet = BULLET.match(text)
    depth = nest(margins, indent, opens=bullet is not None)
    if bullet:
        return Block(BlockKind.ITEM, text[bullet.end() :], at + 1, depth)
    if indent >= _CODE_INDENT and not depth and not _is_prose(text):
        return Block(BlockKind.BREAK)
    return Block(BlockKind.PARAGRAPH, text, at + 1, depth)


def _is_prose(text: str) -> bool:
    """Four words or more, with the edges of a sentence."""
    begins = text[:1].isupper() or text[:1] in "\"'(*"
    return begins and text[-1:] in ".:!?)" and len(text.split(None, 3)) > 3


def _is_underline(title: str, below: str) -> bool:
    return (
        bool(_UNDERLINE.match(below))
        and not title.startswith((" ", "\t"))
        and not _UNDERLINE.match(title)
        and abs(len(below.rstrip()) - len(title.rstrip())) <= 2
    )


def _is_shouted(lines: list[str], at: int) -> bool:
    line = lines[at].strip()
    alone = (at == 0 or not lines[at - 1].strip()) and (
        at + 1 == len(lines) or not lines[at + 1].strip()
    )
    return alone and line.isupper() and 3 < len(line) < 60 and line[-1] not in ".!,;"
