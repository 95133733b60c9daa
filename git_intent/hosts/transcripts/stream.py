"""The records of a transcript: JSON objects, one a line.

Hosts write while we read, so that the last line may be half there. Such a line, one
that is no JSON object, and one that is monstrous are skipped and named. At no time is
more than one line in memory.
"""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

#: Bytes of a line; a longer one holds a picture or a tool's output.
LONGEST = 1 << 24


@dataclass(slots=True)
class Problems:
    """What could not be read of one transcript."""

    skipped: int = 0
    first: int = 0  # number of the first line that was skipped
    torn: bool = False  # the last line breaks off

    def skip(self, line: int) -> None:
        self.skipped += 1
        self.first = self.first or line

    def words(self) -> list[str]:
        """In words, each of which goes on after the transcript's name and a colon."""
        found = []
        if self.skipped:
            more = f" and {self.skipped - 1} more" if self.skipped > 1 else ""
            found.append(f"line {self.first}{more} cannot be read, skipped")
        if self.torn:
            found.append("its last line breaks off, skipped")
        return found


def opened(path: str) -> BinaryIO:
    """A regular file; whatever else may never end. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "is no regular file", path)
    return open(handle, "rb")


def records(stream: BinaryIO, problems: Problems) -> Iterator[dict[str, Any]]:
    """Each object of the stream."""
    number = 0
    while line := stream.readline(LONGEST):
        number += 1
        if len(line) == LONGEST and not line.endswith(b"\n"):
            _skip_rest(stream)
            problems.skip(number)
            continue
        if not line.strip():
            continue
        value = _object(line)
        if value is not None:
            yield value
        elif line.endswith(b"\n"):
            problems.skip(number)
        else:
            problems.torn = True


def _skip_rest(stream: BinaryIO) -> None:
    while (part := stream.readline(LONGEST)) and not part.endswith(b"\n"):
        pass


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
