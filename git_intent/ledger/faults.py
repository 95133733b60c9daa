"""What went wrong, as evidence beside the ledger: bounded, and never semantics.

The folder `faults/` of a chat holds

    rejection-<12 digits>-<hash>.json   a refused document: 256 of them
    fault-<12 digits>-<hash>.json       something that failed: 256 of them
    tail-<12 digits>-<sha256>.only      bytes that were cut or replaced: 64, 4 MiB
    tail-<12 digits>-<sha256>.copy      the same, of bytes that are elsewhere too
    lock-<12 digits>-<nonce>.json       the lock of an owner that was proved dead
    lock-<12 digits>-<nonce>.ref        git's lock of the ref, set aside
    dropped                             how many of each kind were dropped

A record has at most 4 KiB. The oldest of a kind go first; what exists nowhere else is
never dropped. Processes take turns by `flock` on `guard`. A record that cannot be
written changes no answer: it becomes a fault of its own in the answer.
"""

import errno
import fcntl
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json, sha256
from git_intent.ledger import durable

RECORD_BYTES = 4096
_COUNTS = {"rejection": 256, "fault": 256, "tail": 64, "lock": 256}
_TAIL_BYTES = 4 << 20
_NAME = re.compile(r"(rejection|fault|tail|lock)-(\d{12})-([0-9a-f]+)\.(\w+)")
_LONGEST_WAIT = 5.0


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that failed. `ids` names what it concerned: event, head, effect."""

    kind: str
    message: str
    errno: int | None = None
    path: str | None = None
    ids: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "message": self.message,
            "errno": self.errno,
            "path": self.path,
            "ids": list(self.ids),
        }


def fault_of(kind: str, error: Exception, ids: tuple[str, ...] = ()) -> Fault:
    """An error as a fault of this kind."""
    cause = error.__cause__ if isinstance(error, IntentError) else error
    number = path = None
    if isinstance(cause, OSError):
        number = cause.errno
        path = os.fspath(cause.filename) if cause.filename is not None else None
    message = error.strerror if isinstance(error, OSError) else str(error)
    return Fault(kind, message or str(error), number, _text(path), ids)


def _text(path: str | bytes | int | None) -> str | None:
    return os.fsdecode(path) if isinstance(path, str | bytes) else None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The folder `faults/` of a ledger whose own folder is given."""

    ledger: str
    folder: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", f"{self.ledger}/faults")

    def record(self, kind: str, content: dict[str, Any]) -> Fault | None:
        """Keep a `rejection` or `fault`; gives why that failed, if it did."""
        if not Path(self.ledger).is_dir():
            return None  # no ledger, and none is made for this
        data = _bounded(content)
        try:
            with self._turn():
                self._keep(kind, sha256(data)[:8], "json", data)
        except OSError as error:
            return fault_of("evidence", error)
        return None

    def keep_tail(self, data: bytes, *, elsewhere: bool) -> str:
        """Keep bytes that are about to be cut or replaced; give the name they have.

        `elsewhere` says that they exist in another place as well. Raises OSError; then
        nothing may be cut.
        """
        digest = sha256(data)
        with self._turn():
            for name in self.names("tail"):
                known = _NAME.fullmatch(name)
                if known and known[3] == digest and (elsewhere or known[4] == "only"):
                    return name
            return self._keep("tail", digest, "copy" if elsewhere else "only", data)

    def keep_lock(self, nonce: str, path: str) -> str:
        """Move the lock of an owner that was proved dead here; give its name."""
        return self._move_here(nonce, "json", path)

    def keep_git_lock(self, nonce: str, path: str) -> str:
        """The same of git's lock of a ref, which it left under the lock of `nonce`."""
        return self._move_here(nonce, "ref", path)

    def nonces(self) -> set[str]:
        """The nonces of the locks whose owners were proved dead."""
        found = (_NAME.fullmatch(name) for name in self.names("lock"))
        return {match[3] for match in found if match and match[4] == "json"}

    def _move_here(self, nonce: str, ending: str, path: str) -> str:
        with self._turn():
            name = self._next("lock", nonce, ending)
            durable.move(path, f"{self.folder}/{name}")
            self._drop("lock")
        return name

    def dropped(self) -> dict[str, int]:
        """How many of each kind are no longer here."""
        try:
            counts = json.loads(durable.read(f"{self.folder}/dropped") or b"{}")
        except (OSError, ValueError):
            counts = {}
        known = counts if isinstance(counts, dict) else {}
        return {kind: int(known.get(kind, 0)) for kind in _COUNTS}

    def names(self, kind: str) -> list[str]:
        """What is kept of a kind, the oldest first."""
        try:
            names = os.listdir(self.folder)  # noqa: PTH208 - names are all we want
        except FileNotFoundError:
            return []
        matches = (_NAME.fullmatch(name) for name in sorted(names))
        return [match[0] for match in matches if match and match[1] == kind]

    def _keep(self, kind: str, mark: str, ending: str, data: bytes) -> str:
        name = self._next(kind, mark, ending)
        if not durable.create(f"{self.folder}/{name}", data):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
        self._drop(kind)
        return name

    def _next(self, kind: str, mark: str, ending: str) -> str:
        last = [int(name.split("-")[1]) for name in self.names(kind)[-1:]]
        return f"{kind}-{1 + sum(last):012}-{mark}.{ending}"

    def _drop(self, kind: str) -> None:
        """Drop the oldest of a kind until it is within its bounds."""
        names = self.names(kind)
        over = _over(kind, [(name, self._size(kind, name)) for name in names])
        if not over:
            return
        for name in over:
            durable.effect(f"drop {name}")
            Path(self.folder, name).unlink(missing_ok=True)
        counts = self.dropped()
        counts[kind] += len(over)
        durable.replace(f"{self.folder}/dropped", canonical_json(counts))

    def _size(self, kind: str, name: str) -> int:
        """Records have a bound of their own, so only tails are measured."""
        return Path(self.folder, name).stat().st_size if kind == "tail" else 0

    @contextmanager
    def _turn(self) -> Iterator[None]:
        durable.make_folder(self.folder)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        guard = os.open(f"{self.folder}/guard", flags, durable.PRIVATE)
        deadline = time.monotonic() + _LONGEST_WAIT
        try:
            while True:
                try:
                    fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.005)
            yield
        finally:
            os.close(guard)


def _over(kind: str, kept: list[tuple[str, int]]) -> list[str]:
    """Those of the files (name, size; oldest first) that have to go."""
    count, size = len(kept), sum(size for _, size in kept)
    over = []
    for name, bytes_ in kept[:-1]:
        if count <= _COUNTS[kind] and size <= _TAIL_BYTES:
            break
        if not name.endswith(".only"):
            over.append(name)
            count, size = count - 1, size - bytes_
    return over


def _bounded(content: dict[str, Any]) -> bytes:
    """A record of at most RECORD_BYTES: its texts are cut until it is."""
    longest = RECORD_BYTES
    while True:
        data = canonical_json(_cut(content, longest))
        if len(data) <= RECORD_BYTES or longest == 0:
            return data
        longest //= 2


def _cut(value: Any, longest: int) -> Any:
    if isinstance(value, str) and len(value) > longest:
        return f"{value[:longest]}..."
    if isinstance(value, list):
        few = value[: max(1, longest // 16)]
        return [_cut(each, longest) for each in few]
    if isinstance(value, dict):
        return {name: _cut(each, longest) for name, each in value.items()}
    return value
