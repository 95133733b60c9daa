"""Read a Markdown file that starts with one block of YAML between `---` lines.

A fence is a line of three hyphens, which blanks may follow; the closing one may be the
last line without a newline. A byte order mark and CRLF are read; the file must begin
with the fence. A second block is refused: of two headers only one could be meant.
python-frontmatter drives the reading, the strictness is ours (`store.strict_handler`).
"""

import re
from dataclasses import dataclass
from typing import Any

from git_intent.store.fences import split
from git_intent.store.malformed import Code
from git_intent.store.malformed import MalformedFile as MalformedFile
from git_intent.store.strict_yaml import (
    Pointer,
    StrictDocument,
    decode,
    lines,
    place,
    refuse_conflict,
)

_CODE_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_KNOWN_KEY = re.compile(
    r"(id|status|superseded_by|scope|hints|confidence|user_edited|provenance"
    r"|created|updated)[ \t]*:([ \t]|$)"
)


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """What a file says, and where.

    `body` is trimmed and has `\\n` newlines; its first line is line `body_line`.
    """

    document: StrictDocument
    body: str
    body_line: int

    @property
    def value(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document.value
        return found

    def position(self, pointer: Pointer) -> tuple[int, int]:
        """Line and column of a value, or of the nearest value that holds it."""
        return self.document.position(pointer)


def parse(data: bytes, path: str) -> Frontmatter:
    """Read `data`; raise MalformedFile at the first thing that is wrong with it."""
    import frontmatter

    from git_intent.store.strict_handler import StrictHandler

    text = decode(data, path)
    refuse_conflict(text, path)
    start = split(text, path).body_start
    _refuse_second_block(text, start, path)
    handler = StrictHandler(path)
    _, body = frontmatter.parse(text, handler=handler)
    first = len(text) - len(text[start:].lstrip())
    return Frontmatter(handler.document, body, place(text, first)[0])


def _refuse_second_block(text: str, start: int, path: str) -> None:
    """A fence at the head of the body, or one with a known key in the next line."""
    body = text[start:]
    if "---" not in body:
        return
    found = _second_fence(body)
    if found is not None:
        raise MalformedFile(
            path,
            *place(text, start + found),
            Code.SECOND_FRONTMATTER,
            "a second block of frontmatter",
            "a file holds one requirement; move the second into a file of its own",
        )


def _second_fence(body: str) -> int | None:
    """The index of a line that opens a second block; code fences do not count."""
    code = ""
    fence: int | None = None
    seen = False
    for index, line in lines(body):
        bare = line.strip()
        if fence is not None and _KNOWN_KEY.match(line):
            return fence
        mark = _CODE_FENCE.match(line)
        if mark and (not code or bare.startswith(code)):
            code = "" if code else mark[1]
        if not code and line.rstrip(" \t") == "---":
            if not seen:
                return index
            fence = index
        elif bare:
            fence = None
        seen = seen or bool(bare)
    return None
