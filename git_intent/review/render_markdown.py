"""A review as one comment on a pull request.

What stands in the store is text that anybody may have written: it is shown and does
nothing. No mark-up, HTML, mention (`@team`), reference (`#12`, `!12`, `GH-12`), link or
emoji comes of it. The comment never exceeds LIMIT bytes of UTF-8, which GitHub's limit
of 65,536 characters holds in any script; what does not fit is counted. The first line
is a fixed comment by which a later run finds its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_intent.review import phrases
from git_intent.review.changes import Change, Changes
from git_intent.review.hands import Hand
from git_intent.review.words import Op, Segment

MARK = "<!-- git-intent diff -->"
LIMIT = 65_536
_CLOSING = 1000  # bytes kept free for the last line
_COMMAND = 200  # characters of a command line
_LONGEST = 4000  # characters of one detail

_BREAK = "&#8203;"  # a zero-width space: what stands around it is no word any more
_SIGNS = re.compile(
    r"(?P<html>[&<>])"
    r"|(?P<url>:(?=//)|\bwww\.|\bGH-(?=\d)|:(?=[\w+-]+:))"
    r"|(?P<at>@|[#!%~$^](?=[\w\"]))"
    r"|(?P<mark>[\\`*_{}\[\]()|~$^#!])",
    re.IGNORECASE,
)
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ENTITY = re.compile(r"&amp;(?=\w)")
_START = re.compile(r"(?m)^(\s*)([-+=]|\d+(?=[.)]))")
_OPS = {Op.SAME: ("", ""), Op.DELETED: ("<del>", "</del>")}


def render(
    changes: Changes,
    made: Mapping[str, Sequence[Hand]],
    command: str = "git intent diff",
) -> str:
    """The comment; `command` prints what had to be left out."""
    lines = [MARK, f"### Project intent: {escape(phrases.total(changes))}", ""]
    room = LIMIT - _CLOSING - _size(lines)
    blocks = list(_blocks(changes, made))
    for number, block in enumerate(blocks):
        room -= _size(block)
        if room < 0:
            left = len(blocks) - number
            more = f"{left} more change{'s' if left > 1 else ''} not shown"
            lines += ["", f"… {more}: `{_code(command)}` prints all of them."]
            break
        lines += block
    return "\n".join(lines)


def escape(text: str) -> str:
    """`text` as Markdown that shows it and does nothing else."""
    escaped = _SIGNS.sub(_escaped, text)
    return _START.sub(_started, _ENTITY.sub(f"&amp;{_BREAK}", escaped))


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    if found["html"]:
        return _HTML[sign]
    if found["url"]:
        return f"{sign}{_BREAK}"
    if found["at"]:
        return f"@{_BREAK}" if sign == "@" else f"\\{sign}{_BREAK}"
    return f"\\{sign}"


def _started(found: re.Match[str]) -> str:
    """Nothing at the start of a line makes a list, a rule or a heading."""
    sign = found[2]
    return f"{found[1]}{sign}{_BREAK}" if sign.isdigit() else f"{found[1]}\\{sign}"


def _blocks(
    changes: Changes, made: Mapping[str, Sequence[Hand]]
) -> Iterator[list[str]]:
    for change in changes.requirements:
        yield _requirement(change, made.get(change.path, ()))
    for line in (
        *map(phrases.domain, changes.domains),
        *map(phrases.cursor, changes.cursors),
        *(f"{path}: no change in meaning" for path in changes.formatting),
    ):
        yield [f"- {_line(line)}"]
    for found in changes.unread:
        yield [f"- **cannot be compared**, {found.side}: {_line(found.text)}"]


def _requirement(change: Change, made: Sequence[Hand]) -> list[str]:
    who = f"; by {_line(phrases.by(made))}" if made else ""
    lines = [f"- `{change.id}` **{phrases.headline(change)}**{who}"]
    for detail in phrases.details(change):
        label = f"{detail.label}: " if detail.label else ""
        lines.append(f"  - {label}{words(detail.segments)}")
    return lines


def words(segments: Iterable[Segment]) -> str:
    """A word diff; line ends become breaks, and what is too long is cut."""
    parts = []
    room = _LONGEST
    for segment in segments:
        if room <= 0:
            break
        before, after = _OPS.get(segment.op, ("<ins>", "</ins>"))
        text = segment.text if len(segment.text) <= room else segment.text[:room] + "…"
        room -= len(segment.text)
        lines = (escape(line) for line in text.split("\n"))
        parts.append(f"{before}{'<br>'.join(lines)}{after}")
    return "".join(parts)


def _line(text: str) -> str:
    return escape(phrases.one_line(text)[:_LONGEST])


def _code(text: str) -> str:
    """For a code span, in which nothing can be escaped."""
    return phrases.one_line(text).replace("`", "'")[:_COMMAND]


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8", "surrogatepass")) + 1 for line in lines)
