"""Commit messages and recorded prompts to blocks.

A commit message is a subject, a body in the manner of Markdown, and trailers, which
are dropped. In a prompt a line ends a sentence, and lower case begins one. Several of
either may stand in one text under `## commit <hash>` or `## user turn <n>`; each part
is a document of its own, so no statement gets a neighbour from another.
"""

import re
from collections.abc import Iterator

from git_intent.scan import markdown, sentences
from git_intent.scan.block import BULLET, Block, BlockKind

_COMMIT = re.compile(r"^## commit [0-9a-f]{4,64}[ \t]*$", re.MULTILINE)
_TURN = re.compile(r"^## user turn \d+[ \t]*$", re.MULTILINE)
_TRAILER = re.compile(
    r"[A-Z][\w-]*-(?:by|to|id|url|run|of)\s*:\s|"
    r"(?:cc|fixes|closes|ref|refs|bug|see|issue|change-id|git-svn-id|link|pr)\s*:\s|"
    r"\(cherry picked from commit |(?:fix(?:es)?|closes?|resolves?)\s+\S*#?\d+\W*$",
    re.IGNORECASE,
)
_KEYED = re.compile(r"[A-Za-z][\w-]*: \S|\s+\S")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LONG = 300  # characters: a longer line is no trailer
_QUOTE = re.compile(r"\s*>+\s?")


def commits(text: str) -> Iterator[list[Block]]:
    """The blocks of each commit message in `text`."""
    for line, part in _parts(text, _COMMIT):
        yield _message(part, line)


def turns(text: str) -> Iterator[list[Block]]:
    """The blocks of each prompt in `text`."""
    for line, part in _parts(text, _TURN):
        yield list(_prompt(part.split("\n"), line))


def _parts(text: str, title: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Each part with its first line's number; the whole text if it has no titles."""
    found = list(title.finditer(text))
    if not found:
        yield 1, text
        return
    ends = [one.start() for one in found[1:]] + [len(text)]
    line, seen = 1, 0
    for one, end in zip(found, ends, strict=True):
        line += text.count("\n", seen, one.end())
        seen = one.end()
        yield line, text[seen:end]


def _message(text: str, first: int) -> list[Block]:
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if line.strip()), None)
    if start is None:
        return []
    subject = lines[start].strip()
    body = _without_trailers(lines[start + 1 :])
    offset = first + start
    return [
        Block(BlockKind.PARAGRAPH, subject, offset),
        Block(BlockKind.HEADING, subject, offset, 1),
        *(
            b._replace(line=b.line + offset, level=b.level + (b.kind == "heading"))
            for b in markdown.blocks("\n".join(body))
        ),
    ]


def _without_trailers(lines: list[str]) -> list[str]:
    """`lines` with each trailer blanked, and the last paragraph if it holds no more."""
    kept = ["" if _is_trailer(line) else line for line in lines]
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    start = end
    while start and lines[start - 1].strip():
        start -= 1
    last = lines[start:end]
    if any(map(_is_trailer, last)) and all(map(_KEYED.match, last)):
        kept[start:end] = [""] * len(last)
    return kept


def _is_trailer(line: str) -> bool:
    return len(line) < _LONG and _TRAILER.match(line) is not None


def _prompt(lines: list[str], first: int) -> Iterator[Block]:
    fenced = False
    for number, line in enumerate(lines, first):
        if _FENCE.match(line):
            fenced = not fenced
            yield Block(BlockKind.BREAK)
            continue
        if fenced or not line.strip():
            continue
        quote = _QUOTE.match(line)
        text = line[quote.end() :].strip() if quote else line.strip()
        bullet = BULLET.match(text)
        kind = BlockKind.ITEM if bullet else BlockKind.PARAGRAPH
        text = text[bullet.end() :] if bullet else text
        depth = 1 if bullet else 0
        for start, end in sentences.split(text, casual=True):
            yield Block(kind, text[start:end], number, depth, quote is not None)
