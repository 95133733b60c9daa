"""The one place that prints: results on stdout, everything else on stderr.

What is printed comes from files, commits and arguments that anybody may have written,
so nothing of it may steer the terminal: controls show as escapes.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from git_intent.errors import IntentError


def _escapes(codes: Iterable[int]) -> dict[int, str]:
    return {c: f"\\x{c:02x}" if c < 256 else f"\\u{c:04x}" for c in codes}


_CONTROLS = {
    **_escapes(c for c in range(0x20) if chr(c) not in "\n\t"),
    **_escapes(range(0x7F, 0xA0)),
    # Line ends of other kinds, and what turns the direction of all that follows.
    **_escapes([0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]),
    # Bytes of a file name that are not UTF-8 and would be controls.
    **{0xDC00 + c: f"\\x{c:02x}" for c in range(0x80, 0xA0)},
    # Tag characters: invisible text.
    **{c: f"\\U{c:08x}" for c in range(0xE0000, 0xE0080)},
}
_IN_A_CELL = {**_CONTROLS, ord("\n"): "\\n", ord("\t"): "\\t"}

_state = {"verbose": False}
_notes: list[Callable[[str], None]] = []


def say(text: str = "") -> None:
    """A line of the result."""
    _write(sys.stdout, text + "\n")


def one_line(text: str) -> str:
    """For a line that somebody else's text is only a part of."""
    return text.translate(_IN_A_CELL)


def exact(data: bytes) -> None:
    """A result that a program goes on with: every byte as it is."""
    _write_bytes(sys.stdout, data)


def note(text: str) -> None:
    """A line beside the result: warnings, summaries of what was skipped."""
    (_notes[-1] if _notes else note_below)(text)


def note_below(text: str) -> None:
    """The same, past whoever draws lines at the foot of the terminal."""
    _write(sys.stderr, text + "\n")


@contextmanager
def notes_through(write: Callable[[str], None]) -> Iterator[None]:
    """Let somebody else write the notes, who draws lines that they must not break."""
    _notes.append(write)
    try:
        yield
    finally:
        _notes.remove(write)


def set_verbose(on: bool) -> None:
    """Whether `detail` prints; the root command sets it for each run."""
    _state["verbose"] = on


def detail(text: str) -> None:
    """A line beside the result for those who asked with --verbose."""
    if _state["verbose"]:
        note(text)


def error(message: str, hint: str = "") -> None:
    """What failed, and below it what to do."""
    lines = [f"git intent: {message}", *(f"  {line}" for line in hint.splitlines())]
    note("\n".join(lines))


def document(value: dict[str, Any]) -> None:
    """A JSON result: ASCII, two blanks of indentation, keys as the caller put them."""
    say(json.dumps({"version": 1, **value}, indent=2))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Aligned columns under upper-case heads; on a terminal no row is wrapped."""
    shown = [[one_line(cell) for cell in row] for row in rows]
    lines = [[head.upper() for head in heads], *shown]
    widths = [max(_width(line[i]) for line in lines) for i in range(len(heads) - 1)]
    room = max(_columns() - sum(widths) - 2 * len(widths), 30)
    for line in lines:
        cells = [
            cell + " " * (width - _width(cell))
            for cell, width in zip(line[:-1], widths, strict=True)
        ]
        say("  ".join([*cells, _cut(line[-1], room)]).rstrip())


def _columns() -> int:
    """How long a line may get: endless, unless a person looks at it."""
    if not sys.stdout.isatty():
        return sys.maxsize
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _width(text: str) -> int:
    """Columns on a terminal: East Asian characters take two, marks take none."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _cut(text: str, room: int) -> str:
    if len(text) <= room and _width(text) <= room:
        return text
    text = text[:room]
    while _width(text) >= room:
        text = text[:-1]
    return text.rstrip() + "…"


def is_terminal() -> bool:
    """Whether progress may be drawn over itself."""
    return sys.stderr.isatty()


def progress(text: str) -> None:
    """Draw `text` over the last progress line; an empty text clears it."""
    if is_terminal():
        sys.stderr.write(f"\r\x1b[K{one_line(text)}")
        sys.stderr.flush()


def fitting(text: str) -> str:
    """`text` as one line that a terminal does not wrap."""
    from shutil import get_terminal_size

    return _cut(one_line(text), max(get_terminal_size().columns - 1, 10))


def open_closed_streams() -> None:
    """Started without stdin, stdout or stderr: use /dev/null in its place, as git does.

    Otherwise the next file opened would take the number, and get our output.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def flush() -> None:
    sys.stdout.flush()


def silence(stream: TextIO | None = None) -> None:
    """Nobody reads us any more: let the interpreter close stdout without a fuss."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def _write(stream: TextIO, text: str) -> None:
    """Text of any script and any file name reaches any terminal."""
    shown = text.translate(_CONTROLS)
    try:
        data = shown.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a pair, which JSON may hold
        data = shown.encode("utf-8", "backslashreplace")
    _write_bytes(stream, data)


def _write_bytes(stream: TextIO, data: bytes) -> None:
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.flush()
    except OSError as failure:
        if stream is sys.stderr:  # nowhere left to say it
            silence(stream)
            return
        if isinstance(failure, BrokenPipeError):
            raise
        silence()
        raise IntentError(f"standard output: {failure.strerror}") from failure
