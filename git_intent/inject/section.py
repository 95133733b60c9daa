"""A marked section of a text file that is ours; every byte around it is the user's.

The section stands between two comment lines and uses the newlines of the file. A new
one comes at the end, behind an empty line, and ends with a newline if the file did: so
taking it out gives the same bytes again. Pure: bytes in, bytes out.
"""

import re
from dataclasses import dataclass

from git_intent.errors import IntentError

_MARK = b"\xef\xbb\xbf"
_FENCE = re.compile(rb"[ \t>]{0,8}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Marks:
    """The words that the first and the last line of a section begin with.

    `name` is what errors call the section, `again` the word for making it anew.
    """

    begins: str
    ends: str
    name: str
    again: str

    def written(self, data: bytes | None, text: str, path: str, head: str) -> bytes:
        """The file with its section brought up to date; `data` is None if there is
        none, and `head` is what a new one begins with."""
        if data is None:
            first = head.encode()
            return first + _appended(first, text) if head else f"{text}\n".encode()
        found = self.find(data, path)
        if found is None:
            return data + _appended(data, text)
        newline = _newline(data[found.start :])
        return data[: found.start] + _with(newline, text) + data[found.end :]

    def removed(self, data: bytes, path: str, head: str) -> bytes | None:
        """The file as it would be without us; None if there would be no file."""
        found = self.find(data, path)
        if found is None:
            return data
        before, after = data[: found.start], data[found.end :]
        newline = _newline(data[found.start :])
        gap = newline if after.startswith(newline) else 2 * newline
        rest = before.removesuffix(gap) + after.removeprefix(newline)
        ours = rest == head.encode() and after.startswith(newline)
        return None if ours else rest

    def find(self, data: bytes, path: str) -> "Span | None":
        """Where the section stands; raises IntentError if its marks do not pair up."""
        begins, ends = self.begins.encode(), self.ends.encode()
        spans: list[Span] = []
        opened: tuple[int, int] | None = None  # offset and line
        for number, start, line in _lines(data):
            if line.startswith(begins):
                if opened:
                    raise self._unpaired(
                        path, opened[1], "is not closed before the next one"
                    )
                opened = (start, number)
            elif line.startswith(ends):
                if opened is None:
                    raise self._unpaired(
                        path, number, "closes a section that does not begin"
                    )
                spans.append(Span(opened[0], start + len(line.rstrip(b"\r\n"))))
                opened = None
        if opened:
            raise self._unpaired(path, opened[1], "is not closed")
        if len(spans) > 1:
            line_number = data.count(b"\n", 0, spans[1].start) + 1
            raise self._unpaired(path, line_number, "begins a second section")
        return spans[0] if spans else None

    def _unpaired(self, path: str, line: int, what: str) -> IntentError:
        return IntentError(
            f"{path}:{line}:1: this mark of {self.name} {what}",
            f"remove the marks and what is between them, then {self.again} again",
        )


@dataclass(frozen=True, slots=True)
class Span:
    """From the first byte of the first mark to behind the last of the second."""

    start: int
    end: int


def _appended(data: bytes, text: str) -> bytes:
    newline = _newline(data)
    body = _with(newline, text)
    if data in (b"", _MARK):
        return body
    return newline + body + newline if data.endswith(newline) else 2 * newline + body


def _with(newline: bytes, text: str) -> bytes:
    return text.encode().replace(b"\n", newline)


def _newline(data: bytes) -> bytes:
    """The newline that the first line ends with."""
    end = data.find(b"\n")
    return b"\r\n" if end > 0 and data[end - 1 : end] == b"\r" else b"\n"


def _lines(data: bytes) -> list[tuple[int, int, bytes]]:
    """Number, offset and bytes of each line outside of fenced code."""
    found = []
    fence = b""
    at = len(_MARK) if data.startswith(_MARK) else 0
    for number, line in enumerate(data[at:].split(b"\n"), 1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = b""
        elif mark:
            fence = mark[1]
        else:
            found.append((number, at, line))
        at += len(line) + 1
    return found
