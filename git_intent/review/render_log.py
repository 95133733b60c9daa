"""The history of one requirement, and who gave each part its value, for a terminal."""

import textwrap
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from git_intent.review import phrases
from git_intent.review.blame import Blamed
from git_intent.review.changes import Change
from git_intent.review.hands import Hand
from git_intent.review.phrases import one_line
from git_intent.review.render_text import body
from git_intent.review.requirement_log import Entry

_SHORT = 12
_COLUMN = 11
_WIDTH = 88 - _COLUMN
_CUT_OFF = "(or earlier: this clone is shallow, history is cut off here)"


def log(entries: Sequence[Entry]) -> str:
    """One paragraph a commit, newest first."""
    return "\n\n".join("\n".join(_entry(entry)) for entry in entries)


def _entry(entry: Entry) -> Iterator[str]:
    yield said_by(entry.hand)
    if entry.merge:
        merge = entry.merge
        yield one_line(f"came in by merge {merge.commit[:_SHORT]} {merge.subject}")
    if entry.cut_off:
        yield _CUT_OFF
    merged = len(entry.changes) > 1
    for number, change in enumerate(entry.changes, 1):
        against = f"against parent {number}: " if merged else ""
        if isinstance(change, Change):
            yield f"  {against}{phrases.headline(change)}"
            yield from body(phrases.details(change) if change.meaning else ())
        else:
            yield f"  {one_line(against + change)}"


def blame(parts: Sequence[Blamed], source: Sequence[str]) -> str:
    """Each part that says something, below it the commit; at last its source."""
    lines: list[str] = []
    for found in parts:
        if found.value:
            who = said_by(found.hand) + (f" {_CUT_OFF}" if found.cut_off else "")
            lines += _column(found.part, [*_filled(found.value), who])
    return "\n".join([*lines, *_column("source", source)])


def said_by(made: Hand) -> str:
    """A commit on one line: id, day in UTC, author, subject."""
    who = phrases.author(made)
    if not made.commit:
        return one_line(f"not committed yet, {who}")
    day = datetime.fromtimestamp(made.time, UTC).date().isoformat()
    return one_line(f"{made.commit[:_SHORT]} {day} {who}: {made.subject}")


def _filled(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield from textwrap.wrap(
            line, _WIDTH, break_long_words=False, break_on_hyphens=False
        ) or [""]


def _column(head: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        label = "" if number else head
        yield f"{label:{_COLUMN}}{line}".rstrip()
