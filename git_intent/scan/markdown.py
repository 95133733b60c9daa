"""Markdown to blocks, through markdown-it's block parser and its line maps.

Only the block phase runs: inline markup stays in the text as it was written, which is
what a requirement quotes, and parsing is more than twice as fast. Front matter, HTML
comments, fences and indented code yield no text.
"""

import re
from collections.abc import Iterator
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


def blocks(text: str) -> list[Block]:
    text = _without_front_matter(text)
    return list(_walk(_parser().parse(text), text.split("\n")))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _without_front_matter(text: str) -> str:
    found = _FRONT_MATTER.match(text)
    if found is None:
        return text
    return "\n" * found.group().count("\n") + text[found.end() :]


def _walk(tokens: "list[Token]", lines: list[str]) -> Iterator[Block]:
    lists = quotes = 0
    opener = ""  # the token that the next inline token belongs to
    fresh = False  # whether the next paragraph is the first of its list item
    level = 0  # of the heading that is open
    header = False  # whether the next row is one
    for token in tokens:
        kind = token.type
        if kind == "inline":
            at = token.map[0] + 1 if token.map else 0
            if opener == "heading_open" and not lists and not quotes:
                yield Block(BlockKind.HEADING, token.content, at, level)
            elif opener in ("heading_open", "paragraph_open"):
                form = BlockKind.ITEM if fresh and lists else BlockKind.PARAGRAPH
                yield Block(form, token.content, at, lists, quotes > 0)
                fresh = False
        elif kind == "paragraph_open":
            opener = kind
        elif kind == "heading_open":
            opener, level = kind, int(token.tag[1:])
        elif kind == "list_item_open":
            fresh = True
        elif kind in ("bullet_list_open", "ordered_list_open"):
            lists += 1
        elif kind in ("bullet_list_close", "ordered_list_close"):
            lists -= 1
        elif kind == "blockquote_open":
            quotes += 1
        elif kind == "blockquote_close":
            quotes -= 1
        elif kind == "thead_open":
            opener, header = kind, True
        elif kind == "tbody_open":
            header = False
        elif kind == "tr_open" and token.map:
            opener = kind
            row = lines[token.map[0]].strip().lstrip("> ")
            form = BlockKind.HEADER if header else BlockKind.ROW
            yield Block(form, row, token.map[0] + 1, lists, quotes > 0)
        elif kind == "html_block" and token.map:
            yield from _html(token.content, token.map[0] + 1, lists)
        elif kind in ("fence", "code_block", "hr"):
            yield Block(BlockKind.BREAK)


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
