"""Chats on disk: real repositories, the real ledger, and what may befall them."""

import errno
import hashlib
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from git_intent import files
from git_intent.ledger import spool
from git_intent.ledger.answer import Answer
from git_intent.ledger.chain import read_tip
from git_intent.ledger.home import open_home
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.objects import Objects
from git_intent.ledger.verify import verify
from tests.support.repo import Repo

NAMESPACE, CHAT = "team", "s-1"
OWNER = {"kind": "owner", "host": "claude", "session": CHAT}
ORIGIN = "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR"


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def header(data: bytes, **more: Any) -> dict[str, Any]:
    """What a hook says of a prompt."""
    return {
        "v": 1,
        "kind": "prompt",
        "id": f"src-{os.urandom(16).hex()}",
        "host": "claude",
        "session": CHAT,
        "turn": None,
        "at": "2026-01-02T03:04:05Z",
        "sha256": sha(data),
        "bytes": len(data),
        "origin": ORIGIN,
        "encoding": "utf-8",
        "flags": [],
        "skip": [],
        **more,
    }


@dataclass
class Chat:
    """One chat in a home of its own."""

    repo: Repo
    chat: str = CHAT
    spool_folder: str = ""
    clock: list[float] = field(default_factory=lambda: [1_767_323_045.0])

    @classmethod
    def init(cls, path: Path, *options: str) -> "Chat":
        return cls(Repo.init(path, *options))

    @property
    def ledger(self) -> Ledger:
        return Ledger(
            open_home(str(self.repo.path), ""),
            NAMESPACE,
            self.chat,
            clock=lambda: self.clock[0],
            spool=self.spool_folder,
        )

    @property
    def folder(self) -> Path:
        return Path(self.ledger.folder)

    @property
    def ref(self) -> str:
        return self.ledger.place.ref

    @property
    def loose(self) -> Path:
        return self.repo.path / ".git" / self.ref

    # What is done

    def spool(self, text: str | bytes, **more: Any) -> str:
        """Keep a prompt in the inbox; gives the id."""
        data = text if isinstance(text, bytes) else text.encode()
        head = header(data, **more)
        spool.spool(spool.inbox(str(self.folder)), head, data)
        return head["id"]

    def say(self, text: str | bytes, **more: Any) -> str:
        """A prompt that gets into the journal; gives the id of its source."""
        source = self.spool(text, **more)
        answer = self.ledger.drain()
        assert answer.exit_code == 0, (answer.as_json(), answer.notes)
        return source

    def do(self, command: str, document: Any, wait: float = 10) -> Answer:
        return self.ledger.write(command, document, OWNER, wait)

    def dispose(self, source: str, **more: Any) -> Answer:
        return self.do("dispose-source", disposal(source) | more)

    # What there is

    def tip(self) -> str:
        return self.repo.git("rev-parse", "-q", "--verify", self.ref, check=False)

    def lines(self) -> list[bytes]:
        """The journal as the ref has it."""
        tip = self.tip()
        if not tip:
            return []
        with Objects(self.ledger.home) as objects:
            read = read_tip(objects, self.ledger.journal.fold, tip)
            return b"".join(read.segments()).splitlines(keepends=True)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines()]

    def captured(self) -> list[str]:
        """The sources in the journal, in its order."""
        return [
            event["body"]["source"]
            for event in self.events()
            if event["type"] == "source-captured"
        ]

    def inbox(self) -> list[str]:
        return [entry.id for entry in self.ledger.waiting()]

    def projection(self) -> dict[str, bytes]:
        names = ("objective.txt", "current.json", "journal.jsonl")
        found = [self.folder / name for name in names]
        return {path.name: path.read_bytes() for path in found if path.exists()}

    def everything(self) -> Any:
        """What a refusal must leave alone."""
        return self.tip(), self.projection(), sorted(self.inbox())

    def evidence(self, kind: str) -> list[dict[str, Any]]:
        folder = self.folder / "faults"
        return [
            json.loads((folder / name).read_bytes())
            for name in self.ledger.evidence.names(kind)
        ]

    def findings(self) -> list[Any]:
        return list(verify(self.ledger.journal).findings)

    def recover(self) -> None:
        """What a person does after a crash, if it is needed."""
        lock = self.folder / "lock"
        if lock.exists():
            answer = self.ledger.recover_lock(sha(lock.read_bytes()))
            assert answer.recorded, answer.as_json()

    def whole(self) -> None:
        """Nothing is wrong, and what readers see is what the journal comes to."""
        assert self.findings() == []
        shown = self.projection()
        for path in self.folder.glob("*.*"):
            if path.name in shown:
                path.unlink()
        assert self.ledger.refresh()
        assert self.projection() == shown

    def save(self, to: Path) -> Path:
        """A copy of the whole home, for `restore`."""
        shutil.rmtree(to, ignore_errors=True)
        return Path(shutil.copytree(self.repo.path, to, symlinks=True))

    def restore(self, saved: Path) -> None:
        """Put a saved home back, at the same path as before."""
        shutil.rmtree(self.repo.path)
        shutil.copytree(saved, self.repo.path, symlinks=True)


@contextmanager
def in_memory() -> Iterator[Path]:
    """A folder in memory, if there is one: there, syncing costs nothing."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


def disposal(source: str) -> dict[str, Any]:
    return {"source": source, "reason": "INTERNAL", "note": "reviewed", "links": []}


@contextmanager
def effects(callback: Callable[[str], None]):
    """Call back right before each effect on disk or refs."""
    before = files.on_effect
    files.on_effect = callback
    try:
        yield
    finally:
        files.on_effect = before


def names_of(action: Callable[[], object]) -> list[str]:
    """The effects of an action, in their order."""
    found: list[str] = []
    with effects(found.append):
        action()
    return found


def killed_at(when: int | str, action: Callable[[], object]) -> bool:
    """Do something in a process that is killed right before effect number `when`, or
    before the first whose name begins so; gives whether it was.

    The number of an effect may differ from run to run, as ids of objects do.
    """
    child = os.fork()
    if not child:
        left = [when]

        def kill(name: str) -> None:
            step = left[0]
            if isinstance(step, str):
                now = name.startswith(step)
            else:
                now, left[0] = step == 0, step - 1
            if now:
                os.kill(os.getpid(), signal.SIGKILL)

        code = 3
        try:
            with effects(kill):
                action()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def failing_at(number: int, code: int = errno.ENOSPC) -> Callable[[str], None]:
    """A callback that lets effect `number` and all later writes fail."""
    left = [number]

    def fail(name: str) -> None:
        if left[0] <= 0 and not name.startswith(("unlink", "drop")):
            raise OSError(code, os.strerror(code), name)
        left[0] -= 1

    return fail
