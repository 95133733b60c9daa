"""The projection of a ledger: files for readers, made from its journal alone.

`journal.jsonl` is the journal, `current.json` the live state, `objective.txt` what the
agent reads again and again. They are never believed as they stand: the anchor says
which bytes they should have, and the ref whether the anchor is the last.

A file that somebody altered is kept as evidence before it is replaced. The journal is
appended to in place if it ends where the last append left it; else its valid beginning
stays, what follows is kept, and the rest is written anew.
"""

import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from git_intent.files import sha256
from git_intent.ledger import anchor, durable
from git_intent.ledger.anchor import Anchor
from git_intent.ledger.faults import Evidence

JOURNAL, CURRENT, OBJECTIVE = "journal.jsonl", "current.json", "objective.txt"
_FILES = {"current": CURRENT, "objective": OBJECTIVE}
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Projected:
    """The bytes of the files that are replaced; `objective` is empty where there is
    none to show."""

    current: bytes
    objective: bytes


def place_anchor(folder: str, new: Anchor, old: Anchor | None, keep: Evidence) -> None:
    """Write the anchor, after all that it does not account for has been kept."""
    for name, file in _FILES.items():
        data = durable.read(f"{folder}/{file}")
        new.before[name] = None if data is None else sha256(data)
        if data is None or (old and old.knows(name, sha256(data))):
            continue
        if sha256(data) != getattr(new, name):
            keep.keep_tail(data, elsewhere=False)
    replaced = durable.read(anchor.path(folder)) if old is None else None
    if replaced is not None:
        keep.keep_tail(replaced, elsewhere=False)  # it was none of this ledger
    anchor.write(folder, new)


def publish(
    folder: str,
    new: Anchor,
    old: Anchor | None,
    projected: Projected,
    added: bytes | None,
    whole: Iterable[bytes],
    keep: Evidence,
) -> None:
    """Bring the files to where the anchor `new` says they are.

    `added` are the lines since `old`, if they are known, `whole` all lines.
    """
    _publish_journal(folder, new, old, added, whole, keep)
    for name, data in (
        ("objective", projected.objective),
        ("current", projected.current),
    ):
        path = f"{folder}/{_FILES[name]}"
        if data and _digest(path) != sha256(data):
            durable.replace(path, data)


def fresh(folder: str, known: Anchor) -> bool:
    """Whether the files are those that the anchor tells of."""
    try:
        return (
            _digest(f"{folder}/{CURRENT}") == known.current
            and (_digest(f"{folder}/{OBJECTIVE}") or known.objective) == known.objective
            and (Path(folder, OBJECTIVE).exists() or known.objective == sha256(b""))
            and _ends_as(f"{folder}/{JOURNAL}", known.journal, known.head)
        )
    except OSError:
        return False


def _publish_journal(
    folder: str,
    new: Anchor,
    old: Anchor | None,
    added: bytes | None,
    whole: Iterable[bytes],
    keep: Evidence,
) -> None:
    path = f"{folder}/{JOURNAL}"
    if _ends_as(path, new.journal, new.head):
        return
    if old and added is not None and _ends_as(path, old.journal, old.head):
        durable.append(path, old.journal, added)
        return
    lines = b"".join(whole)
    data = durable.read(path)
    if data is None:
        durable.replace(path, lines)
        return
    common = _common(data, lines)
    if common < len(data) or not data.endswith(b"\n"):
        common = lines.rfind(b"\n", 0, common) + 1
        tail = data[common:]
        keep.keep_tail(tail, elsewhere=lines.startswith(tail, common))
        durable.replace(path, lines)
    else:
        durable.append(path, len(data), lines[common:])


def _common(one: bytes, other: bytes) -> int:
    """How many bytes two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _ends_as(path: str, size: int, head: str) -> bool:
    """Whether a file has this size, and a last line of this hash."""
    try:
        handle = durable.open_to_read(path)
    except FileNotFoundError:
        return False
    try:
        if os.fstat(handle).st_size != size:
            return False
        return size > 0 and sha256(_last_line(handle, size)) == head
    finally:
        os.close(handle)


def _last_line(handle: int, size: int) -> bytes:
    """The last line of a file, with its newline if it has one."""
    line = b""
    while size > 0 and b"\n" not in line[:-1]:
        start = max(0, size - _CHUNK)
        piece = os.pread(handle, size - start, start)
        if len(piece) < size - start:
            raise OSError(errno.EIO, "the file became shorter")
        line, size = piece + line, start
    return line[line.rfind(b"\n", 0, len(line) - 1) + 1 :]


def _digest(path: str) -> str | None:
    data = durable.read(path)
    return None if data is None else sha256(data)
