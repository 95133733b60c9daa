"""reStructuredText to blocks, by lines and indents; docutils is not needed for prose.

Sections are titles with an underline (and perhaps an overline); their level is the
order in which the adornments first appear. The bodies of admonitions are prose, those
of other directives, comments and literal blocks are left out.
"""

import re
from collections.abc import Iterator

from git_intent.scan.block import BULLET, Block, BlockKind
from git_intent.scan.plain import nest

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+\s*$")
_DIRECTIVE = re.compile(r"\.\.(?:\s+(?P<name>[\w:+.-]+?)::(?:\s+(?P<rest>.*))?|\s|$)")
_PROSE_DIRECTIVES = frozenset(
    "note warning important tip caution attention danger hint error admonition seealso"
    " versionadded versionchanged deprecated topic sidebar container rubric".split()
)
_SIMPLE_TABLE = re.compile(r"=+(?:\s+=+)+\s*$")
_GRID = re.compile(r"\+[-=+]+\+\s*$")
_FIELD = re.compile(r":[\w\s-]+:(?:\s|$)")


def blocks(text: str) -> list[Block]:
    return list(_Reader(text.split("\n")).walk())


class _Reader:
    """Walks the lines once; `at` is the index of the line to look at next."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.adornments: list[str] = []
        self.margins: list[int] = []

    def walk(self) -> Iterator[Block]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            stripped = line.strip()
            if not stripped:
                self.at += 1
            elif (heading := self._heading()) is not None:
                yield heading
            elif _DIRECTIVE.match(stripped):
                yield from self._directive(stripped)
            elif _SIMPLE_TABLE.match(stripped):
                self._skip_simple_table()
                yield Block(BlockKind.BREAK)
            elif stripped[0] == "|" and stripped[-1] == "|" and len(stripped) > 1:
                yield Block(BlockKind.ROW, stripped, self.at + 1)
                self.at += 1
            elif self._is_noise(stripped):
                yield Block(BlockKind.BREAK)
                self.at += 1
            else:
                yield from self._paragraph()

    def _is_noise(self, stripped: str) -> bool:
        return bool(
            _GRID.match(stripped)
            or _FIELD.match(stripped)
            or stripped.startswith(">>>")
            or (len(stripped) > 3 and _ADORNMENT.match(stripped))
        )

    def _heading(self) -> Block | None:
        lines, at = self.lines, self.at
        over = _ADORNMENT.match(lines[at])
        title = at + 1 if over else at
        if title + 1 >= len(lines):
            return None
        text, below = lines[title].strip(), lines[title + 1].rstrip()
        under = _ADORNMENT.match(below)
        if not under or not text or _ADORNMENT.match(text):
            return None
        if over and lines[at].rstrip() != below:
            return None
        if not over and (lines[title][:1].isspace() or len(below) < len(text) * 0.8):
            return None
        style = under.group(1) * (2 if over else 1)
        if style not in self.adornments:
            self.adornments.append(style)
        self.at = title + 2
        self.margins = []
        level = self.adornments.index(style) + 1
        return Block(BlockKind.HEADING, text, title + 1, level)

    def _directive(self, stripped: str) -> Iterator[Block]:
        found = _DIRECTIVE.match(stripped)
        indent = self._indent(self.at)
        name = (found and found["name"]) or ""
        if name not in _PROSE_DIRECTIVES:
            self.at += 1
            self._skip_deeper(indent)
            yield Block(BlockKind.BREAK)
            return
        rest = ((found and found["rest"]) or "").strip()
        if rest and not name.startswith(("version", "deprecated")):
            yield Block(BlockKind.PARAGRAPH, rest, self.at + 1, len(self.margins))
        self.at += 1

    def _paragraph(self) -> Iterator[Block]:
        start, indent = self.at, self._indent(self.at)
        end = start + 1
        while end < len(self.lines) and self._continues(end):
            end += 1
        self.at = end
        text = "\n".join(line.strip() for line in self.lines[start:end])
        bullet = BULLET.match(text)
        depth = nest(self.margins, indent, opens=bullet is not None)
        literal = text.endswith("::")
        if literal:
            text = text[:-1].rstrip(":") + ":"
        if bullet:
            yield Block(BlockKind.ITEM, text[bullet.end() :], start + 1, depth)
        elif text != ":":
            yield Block(BlockKind.PARAGRAPH, text, start + 1, depth)
        if literal:
            self._skip_deeper(indent)
            yield Block(BlockKind.BREAK)

    def _continues(self, at: int) -> bool:
        stripped = self.lines[at].strip()
        return bool(stripped) and not (
            BULLET.match(stripped)
            or _DIRECTIVE.match(stripped)
            or (len(stripped) > 3 and _ADORNMENT.match(stripped))
        )

    def _skip_simple_table(self) -> None:
        """To the last border: a blank line follows it and none of the others."""
        self.at += 1
        while self.at < len(self.lines):
            last = self.at + 1 >= len(self.lines) or not self.lines[self.at + 1].strip()
            closes = _SIMPLE_TABLE.match(self.lines[self.at].strip())
            self.at += 1
            if closes and last:
                return

    def _skip_deeper(self, indent: int) -> None:
        """Past all lines that are blank or indented more than `indent`."""
        while self.at < len(self.lines):
            if self.lines[self.at].strip() and self._indent(self.at) <= indent:
                return
            self.at += 1

    def _indent(self, at: int) -> int:
        line = self.lines[at]
        return len(line) - len(line.lstrip())
