"""The lock of one ledger: one writer at a time, and no guessing about the dead.

The lock is the file `lock` in the ledger's folder: canonical JSON that names the ledger
and its owner, published whole. Taking, releasing and recovering it each happen under
`flock` on `lock.guard`, a file that stays.

Nobody but its owner removes a lock that he found. A lock left behind by a process that
died is recovered by hand (see `recover.py`), with its exact hash and a proof of death;
its age is never evidence. What cannot be proved is `unknown`, and the lock stays.
"""

import errno
import fcntl
import json
import os
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import Any

from git_intent.files import canonical_json, sha256
from git_intent.ledger import durable
from git_intent.ledger.processes import Life, Processes
from git_intent.ledger.refusal import Refusal
from git_intent.lock import Machine, Verdict

VERSION = 1
_PAUSE = 0.02
_NONCE = re.compile(r"[0-9a-f]{2,64}")


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a lock. An empty field could not be found out."""

    ledger: str  # the ref
    pid: int
    pid_namespace: str
    time_namespace: str
    start: str  # ticks since the boot
    boot: str
    machine: str
    host: str
    uid: int
    nonce: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


def judge(
    owner: Owner | None, processes: Processes, *, shared: bool, ledger: str = ""
) -> Verdict:
    """Whether the owner lives, as far as it can be proved from here.

    `shared` says that other machines write to the lock's file system; `ledger` is the
    one whose lock it is.
    """
    if owner is None or shared or (ledger and owner.ledger != ledger):
        return Verdict.UNKNOWN
    here = processes.here()
    there = Machine(owner.host, owner.machine, owner.boot, owner.pid_namespace)
    if not all((there.machine, there.boot, there.namespace, here.boot)):
        return Verdict.UNKNOWN
    same = (there.host, there.machine, there.namespace)
    if same != (here.host, here.machine, here.namespace):
        return Verdict.UNKNOWN
    if there.boot != here.boot:
        return Verdict.DEAD
    seen = processes.look(owner.pid)
    if seen.life is Life.NONE:
        return Verdict.DEAD
    comparable = owner.time_namespace == processes.time_namespace()
    if not (comparable and seen.started and owner.start):
        return Verdict.UNKNOWN
    if seen.started != owner.start:
        return Verdict.DEAD
    return Verdict.ALIVE if seen.life is Life.RUNS else Verdict.UNKNOWN


def parse(data: bytes) -> Owner | None:
    """The owner that a lock names; None if that cannot be read."""
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.pop("v", None) != VERSION:
        return None
    numbers = {"pid", "uid"}
    well_formed = set(value) == {f.name for f in fields(Owner)} and all(
        type(each) is (int if name in numbers else str) for name, each in value.items()
    )
    if not well_formed or value["pid"] <= 0 or not _NONCE.fullmatch(value["nonce"]):
        return None
    return Owner(**value)


class LedgerLock:
    """The lock in `folder`, for the ledger of the ref `ledger`."""

    def __init__(self, folder: str, ledger: str, processes: Processes) -> None:
        self.folder, self.ledger, self.processes = folder, ledger, processes
        self.path = f"{folder}/lock"
        self._guard = f"{folder}/lock.guard"

    def acquire(self, seconds: float) -> "Held":
        """Take the lock, waiting for at most so long.

        Raises Refusal `lock-busy`, at once if its owner is dead, or OSError.
        """
        durable.make_folder(self.folder)
        owner = self._myself()
        record = canonical_json({"v": VERSION, **asdict(owner)})
        deadline = time.monotonic() + seconds
        while True:
            with self.guarded(deadline):
                if durable.create(self.path, record):
                    return Held(self, owner, record)
            if self.verdict() is Verdict.DEAD or time.monotonic() >= deadline:
                raise self._busy()
            time.sleep(_PAUSE * random.uniform(0.2, 1))

    def read(self) -> bytes | None:
        """The bytes of the lock; None if nobody holds it. OSError if it is no file."""
        return durable.read(self.path)

    def verdict(self) -> Verdict | None:
        """What can be said of the owner; None if there is no lock."""
        try:
            data = self.read()
        except OSError:
            return Verdict.UNKNOWN
        return None if data is None else self.judged(data)

    def judged(self, data: bytes) -> Verdict:
        """The same of a lock with these bytes."""
        shared = self.processes.shared(self.folder)
        return judge(parse(data), self.processes, shared=shared, ledger=self.ledger)

    @contextmanager
    def guarded(self, deadline: float) -> Iterator[None]:
        """Nobody else takes, releases or recovers the lock meanwhile."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        guard = os.open(self._guard, flags, durable.PRIVATE)
        try:
            _flock(guard, deadline)
            yield
        finally:
            os.close(guard)

    def _myself(self) -> Owner:
        here = self.processes.here()
        pid, start = self.processes.own()
        return Owner(
            ledger=self.ledger,
            pid=pid,
            pid_namespace=here.namespace,
            time_namespace=self.processes.time_namespace(),
            start=start,
            boot=here.boot,
            machine=here.machine,
            host=here.host,
            uid=os.getuid(),
            nonce=os.urandom(16).hex(),
        )

    def _busy(self) -> Refusal:
        try:
            data = self.read()
        except OSError as error:
            return Refusal("lock-busy", "", f"{self.path}: {error.strerror}")
        owner = parse(data) if data else None
        who = str(owner) if owner else "an owner that cannot be read"
        if data and self.judged(data) is Verdict.DEAD:
            return Refusal(
                "lock-busy",
                "",
                f"{self.path}: held by {who}, which is dead",
                f"git intent ledger recover-lock --sha256 {sha256(data)}",
            )
        return Refusal("lock-busy", "", f"{self.path}: held by {who}")


class Held:
    """A lock that this process holds."""

    def __init__(self, lock: LedgerLock, owner: Owner, record: bytes) -> None:
        self.lock, self.owner, self._record = lock, owner, record

    @property
    def nonce(self) -> str:
        """What commits made under this lock carry."""
        return self.owner.nonce

    def release(self) -> None:
        """Give the lock back. OSError if it is no longer this one; then it stays."""
        with self.lock.guarded(time.monotonic() + 10):
            data = self.lock.read()
            if data != self._record:
                what = "is gone" if data is None else "holds other bytes"
                raise OSError(errno.ESTALE, f"the lock {what}", self.lock.path)
            durable.remove(self.lock.path)


def _flock(guard: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                message = "another process is at the lock"
                raise OSError(errno.EAGAIN, message) from None
            time.sleep(_PAUSE / 4)
        else:
            return
