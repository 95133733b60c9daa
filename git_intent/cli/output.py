"""The one place that prints: results on stdout, everything else on stderr."""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

#: Text from files and commits must not steer the terminal: controls show as escapes.
_CONTROLS = {
    code: f"\\x{code:02x}"
    for code in (*range(0x20), 0x7F, *range(0x80, 0xA0))
    if chr(code) not in "\n\t"
}


def say(text: str = "") -> None:
    """A line of the result."""
    _write(sys.stdout, text + "\n")


def raw(data: bytes) -> None:
    """Bytes of the result, as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def note(text: str) -> None:
    """A line beside the result: progress, warnings, summaries of what was skipped."""
    _write(sys.stderr, text + "\n")


def error(message: str, hint: str = "") -> None:
    _write(sys.stderr, f"git intent: {message}\n" + (f"  {hint}\n" if hint else ""))


def document(value: dict[str, Any]) -> None:
    """A JSON result: ASCII, two blanks of indentation, keys as the caller put them."""
    say(json.dumps({"version": 1, **value}, indent=2))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Aligned columns under upper-case heads; the last column may be of any width."""
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads) - 1)]
    for row in [[h.upper() for h in heads], *rows]:
        cells = [c.ljust(w) for c, w in zip(row, [*widths, 0], strict=True)]
        say("  ".join(cells).rstrip())


def is_terminal() -> bool:
    """Whether progress may be drawn over itself."""
    return sys.stderr.isatty()


def progress(text: str) -> None:
    """Draw `text` over the last progress line; an empty text clears it."""
    if is_terminal():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def flush() -> None:
    sys.stdout.flush()


def silence() -> None:
    """Nobody reads us any more: let the interpreter close stdout without a fuss."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(stream: Any, text: str) -> None:
    """Text of any script and any file name reaches any terminal."""
    data = text.translate(_CONTROLS).encode("utf-8", "surrogateescape")
    stream.flush()
    stream.buffer.write(data)
    stream.flush()
