"""AsciiDoc to blocks, by lines.

Headings are `=` (or `#`) runs, lists nest by the length of their marker, `|===` is a
table. Listing, literal, passthrough and comment blocks are left out; the delimiters of
containers (examples, sidebars, quotes, open blocks) are passed over.
"""

import re
from collections.abc import Iterator

from git_intent.scan.block import Block, BlockKind

_HEADING = re.compile(r"(={1,6}|#{1,6})\s+(\S.*)$")
_ITEM = re.compile(r"(\*{1,5}|\.{1,5}|-|\d+\.)\s+(?=\S)")
_TERM = re.compile(r"\S.*?(?:::|;;)(?:\s+|$)")
_OPAQUE = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|```\w*)\s*$")
_CONTAINER = re.compile(r"(={4,}|\*{4,}|_{4,}|--|!?===)\s*$")
_TABLE = re.compile(r"[|,:!]={3,}\s*$")
_SKIPPED = re.compile(
    r"//|:!?[\w-]+!?:(?:\s|$)|\[[^\]]*\]$|\.[^\s.].*$"
    r"|(?:include|image|ifdef|ifndef|ifeval|endif|toc|video|audio)::"
    r"|'{3,}\s*$|<{3,}\s*$"
)


def blocks(text: str) -> list[Block]:
    return list(_Reader(text.split("\n")).walk())


class _Reader:
    """Walks the lines once; `at` is the index of the line to look at next."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.markers: list[str] = []  # of the list items that are open
        self.attached = False  # by a list continuation, to the item before

    def walk(self) -> Iterator[Block]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            stripped = line.strip()
            if not stripped:
                self.attached = False
                self.at += 1
            elif stripped == "+":
                self.attached = True
                self.at += 1
            elif _OPAQUE.match(stripped):
                self._skip_to(stripped)
                yield Block(BlockKind.BREAK)
            elif _TABLE.match(stripped):
                yield from self._table(stripped)
            elif _CONTAINER.match(stripped):
                self.at += 1
            elif heading := _HEADING.match(line):
                self.markers = []
                self.at += 1
                text, level = heading[2].strip(), len(heading[1])
                yield Block(BlockKind.HEADING, text, self.at, level)
            elif _SKIPPED.match(line):
                self.at += 1
            else:
                yield self._paragraph()

    def _paragraph(self) -> Block:
        start = self.at
        first = self.lines[start]
        self.at += 1
        while self.at < len(self.lines) and self._continues(self.lines[self.at]):
            self.at += 1
        lines = [line.strip() for line in self.lines[start : self.at]]
        text = "\n".join(lines)
        if item := _ITEM.match(text):
            depth = self._nest(item[1] if not item[1][0].isdigit() else "1.")
            return Block(BlockKind.ITEM, text[item.end() :], start + 1, depth)
        if not self.attached:
            self.markers = []
            if first[:1].isspace():
                return Block(BlockKind.BREAK)  # a literal paragraph
        term = _TERM.match(lines[0])
        if term and not text[term.end() :].strip():
            return Block(BlockKind.BREAK)
        return Block(BlockKind.PARAGRAPH, text, start + 1, len(self.markers))

    def _continues(self, line: str) -> bool:
        stripped = line.strip()
        return bool(stripped) and not (
            stripped == "+"
            or _ITEM.match(stripped)
            or _HEADING.match(line)
            or _OPAQUE.match(stripped)
            or _CONTAINER.match(stripped)
            or _TABLE.match(stripped)
            or stripped.startswith("//")
        )

    def _nest(self, marker: str) -> int:
        if marker in self.markers:
            del self.markers[self.markers.index(marker) + 1 :]
        else:
            self.markers.append(marker)
        return len(self.markers)

    def _table(self, fence: str) -> Iterator[Block]:
        """Each line of cells is a row; the first is the header if a blank follows."""
        self.at += 1
        first = True
        while self.at < len(self.lines) and self.lines[self.at].strip() != fence:
            row = self.lines[self.at].strip()
            self.at += 1
            if not row:
                continue
            blank = self.at < len(self.lines) and not self.lines[self.at].strip()
            kind = BlockKind.HEADER if first and blank else BlockKind.ROW
            yield Block(kind, row, self.at)
            first = False
        self.at += 1

    def _skip_to(self, fence: str) -> None:
        closing = "```" if fence.startswith("```") else fence
        self.at += 1
        while self.at < len(self.lines) and self.lines[self.at].strip() != closing:
            self.at += 1
        self.at += 1
