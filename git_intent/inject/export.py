"""A section of a host's instruction file that holds every active requirement.

The section stands between two comment lines and is ours; every byte around it is the
user's. It uses the newlines of the file. A new section comes at the end, behind an
empty line, and ends with a newline if the file did: so taking it out gives the same
bytes again. Pure: bytes in, bytes out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from git_intent.errors import IntentError
from git_intent.inject.entry import PROJECT, Entry
from git_intent.inject.render import inert
from git_intent.inject.select import by_confidence
from git_intent.store import marks

_MARK = b"\xef\xbb\xbf"
_FENCE = re.compile(rb"[ \t>]{0,8}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Target:
    """A file that a host reads. `head` is what a new one begins with."""

    path: str
    head: str = ""


#: What `--to` accepts, and the file that it means.
TARGETS = {
    "AGENTS.md": Target("AGENTS.md"),
    "CLAUDE.md": Target("CLAUDE.md"),
    ".cursor/rules": Target(
        ".cursor/rules/git-intent.mdc",
        "---\n"
        "description: Standing project requirements\n"
        "globs:\n"
        "alwaysApply: true\n"
        "---\n",
    ),
    ".github/copilot-instructions.md": Target(".github/copilot-instructions.md"),
}


def section(entries: Sequence[Entry]) -> str:
    """The lines between and with the marks.

    Project level first, then one heading a domain; who has several domains stands
    under the first of them.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=_place):
        groups.setdefault(_group(entry), []).append(entry)
    parts = [f"{marks.EXPORT_BEGIN}\n{marks.HEADING}", marks.PREAMBLE]
    for name, members in groups.items():
        if name:
            parts.append(f"### {inert(name)}")
        parts.append("\n".join(entry.statement_line for entry in members))
    return "\n\n".join(parts) + f"\n\n{marks.EXPORT_END}"


def _group(entry: Entry) -> str:
    return "" if entry.level == PROJECT else (*entry.domains, "other")[0]


def _place(entry: Entry) -> tuple[str, int, str]:
    confidence, _, id = by_confidence(entry)
    return _group(entry), confidence, id


def written(data: bytes | None, entries: Sequence[Entry], target: Target) -> bytes:
    """The file with its section brought up to date; `data` is None if there is none.

    There must be entries: for none of them the section is `removed`.
    """
    text = section(entries)
    if data is None:
        head = target.head.encode()
        return head + _appended(head, text) if head else f"{text}\n".encode()
    found = _find(data, target.path)
    if found is None:
        return data + _appended(data, text)
    newline = _newline(data[found.start :])
    return data[: found.start] + _with(newline, text) + data[found.end :]


def removed(data: bytes, target: Target) -> bytes | None:
    """The file as it would be without us; None if there would be no file."""
    found = _find(data, target.path)
    if found is None:
        return data
    before, after = data[: found.start], data[found.end :]
    newline = _newline(data[found.start :])
    gap = newline if after.startswith(newline) else 2 * newline
    rest = before.removesuffix(gap) + after.removeprefix(newline)
    ours = rest == target.head.encode() and after.startswith(newline)
    return None if ours else rest


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


@dataclass(frozen=True, slots=True)
class _Span:
    """From the first byte of the first mark to behind the last of the second."""

    start: int
    end: int


def _find(data: bytes, path: str) -> _Span | None:
    """Where the section stands; raises IntentError if its marks do not pair up."""
    begins = marks.EXPORT_BEGINS.encode()
    ends = marks.EXPORT_ENDS.encode()
    spans: list[_Span] = []
    opened: tuple[int, int] | None = None  # offset and line
    for number, start, line in _lines(data):
        if line.startswith(begins):
            if opened:
                raise _unpaired(path, opened[1], "is not closed before the next one")
            opened = (start, number)
        elif line.startswith(ends):
            if opened is None:
                raise _unpaired(path, number, "closes a section that does not begin")
            spans.append(_Span(opened[0], start + len(line.rstrip(b"\r\n"))))
            opened = None
    if opened:
        raise _unpaired(path, opened[1], "is not closed")
    if len(spans) > 1:
        line_number = data.count(b"\n", 0, spans[1].start) + 1
        raise _unpaired(path, line_number, "begins a second section")
    return spans[0] if spans else None


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


def _unpaired(path: str, line: int, what: str) -> IntentError:
    return IntentError(
        f"{path}:{line}:1: this mark of the exported section {what}",
        "remove the marks and what is between them, then export again",
    )
