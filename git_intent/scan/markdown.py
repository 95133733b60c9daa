"""Markdown to blocks, through markdown-it's block parser and its line maps.

Only the block phase runs: inline markup stays in the text as it was written, which is
what a requirement quotes, and parsing is more than twice as fast. Front matter, HTML
comments, fences and indented code yield no text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from git_intent.scan.block import Block, BlockKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\n(?:.*\n)*?\1[ \t]*(?:\n|\Z)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_UNREADABLE = re.compile(r"<(?:pre|script|style|svg|code)\b", re.IGNORECASE)

#: Tokens that change nothing; what a row holds is read off its line.
_UNREAD = frozenset(
    "paragraph_close heading_close list_item_close tr_close thead_close tbody_close"
    " th_open th_close td_open td_close table_open table_close".split()
)


def blocks(text: str) -> list[Block]:
    text = _without_front_matter(text)
    return list(_Walker(text.split("\n")).walk(_parser().parse(text)))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    from git_intent.scan.markdown_rules import by_first_sign

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.before("table", "by_first_sign", by_first_sign)
    return parser


def _without_front_matter(text: str) -> str:
    found = _FRONT_MATTER.match(text)
    if found is None:
        return text
    return "\n" * found.group().count("\n") + text[found.end() :]


@dataclass(slots=True)
class _Walker:
    """Where we are among the parser's tokens."""

    lines: list[str]
    lists: int = 0
    quotes: int = 0
    alert: bool = False  # in a quote that is a call-out of the author's
    opener: str = ""  # the token that the next inline token belongs to
    level: int = 0  # of the heading that is open
    fresh: bool = False  # whether the next paragraph is the first of its list item
    header: bool = False  # whether the next row of a table is its header

    def walk(self, tokens: "list[Token]") -> Iterator[Block]:
        for token in tokens:
            kind = token.type
            if kind in _UNREAD:
                continue
            if kind == "paragraph":
                yield self._said(token)
            elif kind == "inline":
                yield from self._text(token)
            elif kind == "tr_open":
                yield from self._row(token)
            elif kind == "html_block":
                yield from _html(token.content, _line(token), self.lists)
            elif kind in ("fence", "code_block", "hr"):
                yield Block(BlockKind.BREAK)
            else:
                self._move(token)

    def _text(self, token: "Token") -> Iterator[Block]:
        if self.opener == "heading_open" and not self.lists and not self.quotes:
            yield Block(BlockKind.HEADING, token.content, _line(token), self.level)
        elif self.opener in ("heading_open", "paragraph_open"):
            yield self._said(token)

    def _said(self, token: "Token") -> Block:
        self.alert |= self.quotes > 0 and token.content.startswith("[!")
        item = self.fresh and self.lists > 0
        self.fresh = False
        kind = BlockKind.ITEM if item else BlockKind.PARAGRAPH
        return self._block(kind, token.content, token)

    def _row(self, token: "Token") -> Iterator[Block]:
        self.opener = token.type
        row = self.lines[_line(token) - 1].strip().lstrip("> ")
        yield self._block(
            BlockKind.HEADER if self.header else BlockKind.ROW, row, token
        )

    def _block(self, kind: BlockKind, text: str, token: "Token") -> Block:
        quoted = self.quotes > 0 and not self.alert
        return Block(kind, text, _line(token), self.lists, quoted)

    def _move(self, token: "Token") -> None:
        kind = token.type
        if kind in ("paragraph_open", "heading_open"):
            self.opener = kind
            self.level = int(token.tag[1:]) if kind == "heading_open" else 0
        elif kind == "list_item_open":
            self.fresh = True
        elif kind.endswith(("_list_open", "_list_close")):
            self.lists += token.nesting
        elif kind in ("blockquote_open", "blockquote_close"):
            self.quotes += token.nesting
            self.alert &= self.quotes > 0
        elif kind in ("thead_open", "tbody_open"):
            self.header = kind == "thead_open"


def _line(token: "Token") -> int:
    """The number of the first line of a token, from 1."""
    return token.map[0] + 1 if token.map else 1


def _html(content: str, line: int, depth: int) -> Iterator[Block]:
    """The readable text of an HTML block, a line a paragraph."""
    if _UNREADABLE.search(content):
        yield Block(BlockKind.BREAK)
        return
    content = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), content)
    for offset, raw in enumerate(content.split("\n")):
        text = _TAG.sub(" ", raw).strip()
        if text:
            yield Block(BlockKind.PARAGRAPH, text, line + offset, depth)
