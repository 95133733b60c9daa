"""The project lock: one writer a repository, whichever work tree it runs in.

The lock is the file `<git common dir>/intent/lock`: canonical JSON that says who holds
it. It appears whole, unless there is one already, and is removed by its owner alone.

A lock is taken over only if its bytes are still exactly those judged, and its owner is
proven dead on this very machine. A lock from another machine, another process
namespace, or one that cannot be read is never broken; a person may delete the file.

Its owner may lend it to processes that it starts. They share a lock on `lock.lent` as
long as they work, so that even if the owner dies, nobody else comes in between.
"""

import fcntl
import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json, effect, lives, publish, sha256

VERSION = 1


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a process runs. An empty field could not be found out."""

    host: str
    machine: str  # survives a restart
    boot: str  # changes with every restart
    namespace: str  # process ids mean something only within it


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds the lock, since when and what for."""

    host: str
    machine: str
    boot: str
    namespace: str
    pid: int
    started: str
    purpose: str
    run: str
    since: str
    nonce: str

    @property
    def place(self) -> Machine:
        return Machine(self.host, self.machine, self.boot, self.namespace)

    def __str__(self) -> str:
        run = f" (run {self.run})" if self.run else ""
        since = f" since {self.since}" if self.since else ""
        return f"{self.purpose}{run}, process {self.pid} on {self.host}{since}"


class Verdict(StrEnum):
    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "unknown"


class LockHeld(IntentError):
    """Somebody else works on this project; `owner` is None if it is unreadable who."""

    def __init__(self, path: Path, owner: Owner | None, verdict: Verdict) -> None:
        who = owner or "an owner that cannot be read"
        hint = "wait until it is done"
        if verdict is Verdict.UNKNOWN:
            hint = f"if you know that it no longer runs: rm '{path}'"
        super().__init__(f"{path}: held by {who}", hint)
        self.owner = owner


def judge(owner: Owner, here: Machine, started: str | None) -> Verdict:
    """Whether the owner of a lock still lives, seen from `here`.

    `started` is when the process that now has the owner's id started: empty if there is
    no such process, None if that cannot be told.
    """
    there = owner.place
    if (there.host, there.machine) != (here.host, here.machine):
        return Verdict.UNKNOWN
    if there.boot != here.boot:
        # without a machine id, two machines of one name look like one restarted
        proven = there.machine and there.boot and here.boot
        return Verdict.DEAD if proven else Verdict.UNKNOWN
    if there.namespace != here.namespace:
        return Verdict.UNKNOWN
    if started == "":
        return Verdict.DEAD
    if started and owner.started and started != owner.started:
        return Verdict.DEAD
    return Verdict.ALIVE


@dataclass(frozen=True, slots=True)
class ProjectLock:
    """The lock of the repository whose common git directory is given."""

    common_dir: Path

    @property
    def path(self) -> Path:
        return self.common_dir / "intent" / "lock"

    def holder(self) -> Owner | None:
        """Who holds the lock and is not proven dead; None also if it is unreadable."""
        data = self._read()
        owner = _parse(data) if data is not None else None
        if owner is None or _verdict(owner) is Verdict.DEAD:
            return None
        return owner

    @contextmanager
    def acquire(self, purpose: str, run: str = "", since: str = "") -> Iterator[Owner]:
        """Hold the lock for the time of a `with` block.

        `since` is a stamp for the reader. Raises LockHeld, without waiting.
        """
        owner = _myself(purpose, run, since)
        record = canonical_json({"version": VERSION, **asdict(owner)})
        self._take(record)
        try:
            yield owner
        finally:
            self._release(record)

    @contextmanager
    def borrow(self, nonce: str) -> Iterator[None]:
        """Work under the lock of a process that has started us, and told its nonce.

        Should it die meanwhile, nobody takes the lock over before we are done. Raises
        IntentError if that process does not hold it.
        """
        with open(self.path.with_name("lock.lent"), "wb") as lent:
            fcntl.flock(lent, fcntl.LOCK_SH)
            owner = self.holder()
            if owner is None or owner.nonce != nonce:
                raise IntentError(
                    f"{self.path}: is not held by the process that this one works for",
                    "start the whole again",
                )
            yield

    def _take(self, record: bytes) -> None:
        # Each turn ends in our lock, in an error, or in progress by somebody else.
        while not publish(self.path, record):
            data = self._read()
            if data is None:
                continue
            owner = _parse(data)
            verdict = _verdict(owner) if owner else Verdict.UNKNOWN
            if verdict is not Verdict.DEAD:
                raise LockHeld(self.path, owner, verdict)
            if not self._remove(sha256(data)):
                raise LockHeld(self.path, owner, Verdict.ALIVE)

    def _remove(self, digest: str) -> bool:
        """Remove the record with this digest and no other; not while somebody borrows.

        Those who break locks take turns: otherwise one could remove the record that a
        faster one has just put in the place of the dead one's.
        """
        with (
            open(self.path.with_name("lock.break"), "wb") as turn,
            open(self.path.with_name("lock.lent"), "wb") as lent,
        ):
            fcntl.flock(turn, fcntl.LOCK_EX)
            try:
                fcntl.flock(lent, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            data = self._read()
            if data is not None and sha256(data) == digest:
                effect("break lock")
                self.path.unlink()
        return True

    def _release(self, record: bytes) -> None:
        if self._read() == record:
            effect("unlock")
            self.path.unlink()

    def _read(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None


def _parse(data: bytes) -> Owner | None:
    try:
        value: Any = json.loads(data)
    except ValueError:
        return None
    if not isinstance(value, dict) or value.pop("version", None) != VERSION:
        return None
    texts = {f.name for f in fields(Owner)} - {"pid"}
    well_formed = (
        set(value) == texts | {"pid"}
        and type(value["pid"]) is int
        and all(isinstance(value[name], str) for name in texts)
    )
    return Owner(**value) if well_formed else None


def _verdict(owner: Owner) -> Verdict:
    return judge(owner, this_machine(), process_start(owner.pid))


def _myself(purpose: str, run: str, since: str) -> Owner:
    pid = os.getpid()
    return Owner(
        **asdict(this_machine()),
        pid=pid,
        started=process_start(pid) or "",
        purpose=purpose,
        run=run,
        since=since,
        nonce=os.urandom(8).hex(),
    )


def this_machine() -> Machine:
    """Where this process runs."""
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = ""
    return Machine(
        host=platform.node(),
        machine=_first_line("/etc/machine-id"),
        boot=_first_line("/proc/sys/kernel/random/boot_id"),
        namespace=namespace,
    )


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text("ascii").partition("\n")[0]
    except (OSError, ValueError):
        return ""


def process_start(pid: int) -> str | None:
    """When the process started, in the system's own unit; empty if there is none.

    None if it lives and the system does not tell. A dead process that its parent has
    not yet buried counts as none.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None if lives(pid) else ""
    # the name, in parentheses, may hold anything
    state, *rest = stat.rpartition(b")")[2].split()
    return "" if state in (b"Z", b"X") else rest[18].decode()
