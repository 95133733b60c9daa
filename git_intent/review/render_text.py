"""A review for a terminal, with `[-old-]` and `{+new+}` as in a word diff of git."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_intent.review import phrases
from git_intent.review.changes import Change, Changes
from git_intent.review.hands import Hand
from git_intent.review.phrases import Detail, one_line
from git_intent.review.words import Op, Segment

_WIDTH = 84
_INDENT = "    "
_MARKS = {
    Op.SAME: ("", ""),
    Op.DELETED: ("[-", "-]"),
    Op.INSERTED: ("{+", "+}"),
}


def render(changes: Changes, made: Mapping[str, Sequence[Hand]]) -> str:
    """The whole review; `made` tells for each path whose hand changed it."""
    lines: list[str] = []
    for change in changes.requirements:
        lines += requirement(change, made.get(change.path, ()))
        lines.append("")
    others = [*map(phrases.domain, changes.domains)]
    others += map(phrases.cursor, changes.cursors)
    others += (f"{one_line(path)}: no change in meaning" for path in changes.formatting)
    others += (
        f"cannot be compared, {found.side}: {one_line(found.text)}"
        for found in changes.unread
    )
    lines += map(one_line, others)
    if others:
        lines.append("")
    lines.append(_closing(changes))
    return "\n".join(lines)


def requirement(change: Change, made: Sequence[Hand]) -> Iterator[str]:
    """One requirement: headline, then what changed."""
    who = f"; by {phrases.by(made)}" if made else ""
    yield f"{change.id}  {phrases.headline(change)}{one_line(who)}"
    yield from body(phrases.details(change))


def body(details: Iterable[Detail]) -> Iterator[str]:
    """Details, wrapped and indented."""
    for detail in details:
        yield from _wrapped(detail_line(detail))


def detail_line(detail: Detail) -> str:
    """One detail, with its label if it has one."""
    text = words(detail.segments)
    return f"{detail.label}: {text}" if detail.label else text


def words(segments: Iterable[Segment]) -> str:
    """A word diff on paper."""
    return "".join(
        f"{_MARKS[s.op][0]}{s.text}{_MARKS[s.op][1]}" for s in segments if s.text
    )


def _wrapped(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        filled = textwrap.wrap(
            line, _WIDTH, break_long_words=False, break_on_hyphens=False
        )
        yield from (f"{_INDENT}{part}" for part in filled or [""])


def _closing(changes: Changes) -> str:
    words = phrases.total(changes)
    if changes.unread:
        count = len({found.path for found in changes.unread})
        words += f"; {count} file{'s' if count > 1 else ''} cannot be compared"
    return f"{words[0].upper()}{words[1:]}."
