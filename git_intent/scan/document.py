"""A document, a commit message or a prompt to statements, each in its place.

`statements` picks the parser of the markup by the file's name, cuts the blocks into
sentences and gives each one its headings, its lead-in and its neighbours. Work and
memory grow with the length of the text, whatever it holds.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from git_intent.scan import asciidoc, markdown, plain, restructured, sentences
from git_intent.scan.block import Block, BlockKind
from git_intent.scan.message import commits, turns
from git_intent.scan.statement import Segment, Statement

Mode = Literal["doc", "commit", "prompt"]

LONG_ITEM = 380  # characters: a longer list item is cut into its sentences
LEAD_IN = 240  # characters of a lead-in that are kept, its end

_PARSERS: dict[str, Callable[[str], list[Block]]] = {
    ".rst": restructured.blocks,
    ".rest": restructured.blocks,
    ".adoc": asciidoc.blocks,
    ".asciidoc": asciidoc.blocks,
    ".asc": asciidoc.blocks,
    ".txt": plain.blocks,
    ".text": plain.blocks,
}
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|```|\|.*\|$)|\[[^\]\n]{1,200}\]\(", re.MULTILINE)
_PREFIX = re.compile(
    r"\A(?:<a\s[^<>]*>\s*</a>|<a\s[^<>]*/>|\[[ xX]\](?=\s)|\[!\w+\](?=\s)|<br\s*/?>"
    r"|\[\d{1,3}(?:\.\d{1,3}){0,5}\]\(#[^()\s]{0,200}\)(?=\s))\s*"
)
_BADGES = re.compile(
    r"\A(?:\[?!\[[^\]]{0,400}\]\([^()\s]{0,2000}\)(?:\]\([^()\s]{0,2000}\))?\s*){1,40}"
)
_HARD_BREAK = re.compile(r"(?:(?<! ) {2,}+|\\)\n|<br\s?/?>\n?")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_IMAGE = re.compile(
    r"!\[[^\]]{0,400}\](?:\([^)]{0,2000}\)|\[[^\]]{0,400}\])?|<img\b[^<>]*>"
)
_EMPTY_LINK = re.compile(r"\[\s{0,9}\](?:\([^)]{0,2000}\)|\[[^\]]{0,400}\])")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def statements(text: str, path: str, mode: Mode = "doc") -> list[Statement]:
    """All statements of `text`; `path` names it, `mode` says what it is."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if mode == "commit":
        return [s for message in commits(text) for s in _assemble(message)]
    if mode == "prompt":
        return [s for turn in turns(text) for s in _assemble(turn)]
    return _assemble(_parser(path, text)(text))


def _parser(path: str, text: str) -> Callable[[str], list[Block]]:
    """The parser for a file of this name; a bare name is Markdown if it looks so."""
    name = PurePosixPath(path)
    suffix = name.suffix.lower()
    if suffix in _PARSERS:
        return _PARSERS[suffix]
    bare = not suffix and not name.name.startswith(".")
    return plain.blocks if bare and not _MARKDOWN.search(text) else markdown.blocks


class _Draft(NamedTuple):
    """A statement without its neighbours; `section` tells who they can be."""

    section: int
    text: str
    line: int
    end_line: int
    segment: Segment
    headings: tuple[str, ...]
    lead_in: str
    depth: int
    quoted: bool


def _assemble(blocks: Iterable[Block]) -> list[Statement]:
    drafts = list(_Writer().write(blocks))
    found = []
    for i, d in enumerate(drafts):
        before = drafts[i - 1] if i else None
        after = drafts[i + 1] if i + 1 < len(drafts) else None
        found.append(
            Statement(
                d.text,
                d.line,
                d.end_line,
                d.segment,
                d.headings,
                d.lead_in,
                before.text if before and before.section == d.section else "",
                after.text if after and after.section == d.section else "",
                d.depth,
                d.quoted,
            )
        )
    return found


@dataclass(slots=True)
class _Writer:
    """Where we are in the document while its blocks become drafts."""

    section: int = 0
    levels: list[int] = field(default_factory=list)
    headings: tuple[str, ...] = ()
    announced: str = ""  # the last sentence of the paragraph just passed
    lead_in: str = ""  # over the list or table that we are in
    items: list[str] = field(default_factory=list)  # the open items, outermost first
    in_list: bool = False

    def write(self, blocks: Iterable[Block]) -> Iterator[_Draft]:
        for block in blocks:
            if block.kind is BlockKind.BREAK:
                self.announced = ""
            elif block.kind is BlockKind.HEADING:
                self._heading(block)
            elif block.kind is BlockKind.HEADER:
                self.lead_in, self.in_list = block.text, False
                self.items = []
            elif block.kind is BlockKind.ROW:
                yield from self._row(block)
            elif block.kind is BlockKind.ITEM:
                yield from self._item(block)
            else:
                yield from self._paragraph(block)

    def _heading(self, block: Block) -> None:
        while self.levels and self.levels[-1] >= block.level:
            self.levels.pop()
        title = _squeezed(block.text)
        self.headings = (*self.headings[: len(self.levels)], title)
        self.levels.append(block.level)
        self.section += 1
        self.announced = self.lead_in = ""
        self.items, self.in_list = [], False

    def _row(self, block: Block) -> Iterator[_Draft]:
        row = block.text
        yield from self._cut(block, row, [(0, len(row))], Segment.TABLE, self.lead_in)

    def _item(self, block: Block) -> Iterator[_Draft]:
        if not self.in_list:
            self.lead_in, self.in_list = self.announced, True
        del self.items[max(block.level - 1, 0) :]
        lead_in = self.items[-1] if self.items else self.lead_in
        text = _readable(block.text)
        self.items.append(_squeezed(text)[-LEAD_IN:])
        if len(text) <= LONG_ITEM:
            yield from self._cut(block, text, [(0, len(text))], Segment.BULLET, lead_in)
        else:
            spans = sentences.split(text.replace("\n", " "))
            yield from self._cut(block, text, spans, Segment.BULLET_SENTENCE, lead_in)

    def _paragraph(self, block: Block) -> Iterator[_Draft]:
        if block.level == 0:
            self.items, self.in_list, self.lead_in = [], False, ""
        lead_in = self.items[-1] if block.level and self.items else ""
        text = _readable(block.text)
        self.announced = ""
        spans = _sentences(text)
        for draft in self._cut(block, text, spans, Segment.SENTENCE, lead_in):
            self.announced = draft.text[-LEAD_IN:]
            yield draft

    def _cut(
        self,
        block: Block,
        text: str,
        spans: Iterable[tuple[int, int]],
        segment: Segment,
        lead_in: str,
    ) -> Iterator[_Draft]:
        """A draft for each of the spans of `text` that says something."""
        line = block.line
        counted = 0  # the line breaks before this are in `line`
        for start, end in spans:
            line += text.count("\n", counted, start)
            counted = start
            part = _squeezed(text[start:end])
            if part[:1] in ("<", "["):
                part = _PREFIX.sub("", part, count=1)
            if part.startswith(("![", "[![")):
                part = _BADGES.sub("", part, count=1)
            if not _says_something(part):
                continue
            yield _Draft(
                self.section,
                part,
                line,
                line + text.count("\n", start, end),
                segment,
                self.headings,
                lead_in,
                block.level,
                block.quoted,
            )


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the sentences; a hard line break ends one, too."""
    start = 0
    flat = text.replace("\n", " ")
    for found in _HARD_BREAK.finditer(text):
        for a, b in sentences.split(flat[start : found.start()]):
            yield start + a, start + b
        start = found.end()
    for a, b in sentences.split(flat[start:]):
        yield start + a, start + b


def _readable(text: str) -> str:
    """`text` without HTML comments, with as many lines as before."""
    if "<!--" not in text:
        return text
    return _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _says_something(text: str) -> bool:
    """Whether words are left when anchors, badges and pictures are taken away."""
    if text[:1] == "<" or "![" in text or "<img" in text:
        text = _TAG.sub("", _EMPTY_LINK.sub("", _IMAGE.sub("", text)))
    return _LETTERS.search(text) is not None
