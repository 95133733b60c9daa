"""The objects of a home: read and proved by their ids, written to survive.

Objects are written loose, by this process: file and folder are synced before anything
points to them, which git leaves to its configuration. Each is first queued, which gives
its id, and `flush` writes them all.

Nothing keeps an object from a `git gc --prune=now` that began before the ref moved to
it. `settle`, after the move, waits for such a gc to end and writes again what is gone.
"""

import os
import platform
import time
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from git_intent.files import effect
from git_intent.git.cat_file import CatFile, Found, object_id, stream_objects
from git_intent.git.process import run_git, spawn_git
from git_intent.ledger import durable
from git_intent.ledger.home import Home

#: name -> (mode, id)
Tree = dict[str, tuple[str, str]]

FILE, FOLDER = "100644", "40000"
_OBJECT = 0o444
_LARGE = 1 << 20
_GC_SECONDS = 8.0  # less than others wait for the lock


class Objects:
    """Use it in a `with` block, which ends the git process that it reads through.

    Trees are kept once they were read; blobs are read each time.
    """

    def __init__(self, home: Home) -> None:
        self.home = home
        self._reader = CatFile(home.common_dir, home.environment)
        self._queued: dict[str, tuple[str, bytes]] = {}
        self._written: dict[str, tuple[str, bytes]] = {}
        self._trees: dict[str, Tree] = {}
        self._expected: list[str] = []  # the last one comes first
        self._coming: Generator[tuple[str, Found | None], None, None] | None = None
        self._digits = 0

    def __enter__(self) -> "Objects":
        self._reader.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.expect(())
        self._reader.__exit__(kind, error, trace)

    def expect(self, oids: Sequence[str]) -> None:
        """Let git send these objects ahead: they will be read next, in this order."""
        if self._coming is not None:
            self._coming.close()
        home, self._expected = self.home, list(reversed(oids))
        self._coming = stream_objects(oids, home.common_dir, home.environment)

    @property
    def digits(self) -> int:
        """How many digits an id has here."""
        if not self._digits:
            args = ["rev-parse", "--show-object-format"]
            out = run_git(args, cwd=self.home.common_dir, env=self.home.environment)
            self._digits = 64 if out.strip() == b"sha256" else 40
        return self._digits

    @property
    def zero(self) -> str:
        """The id that means "no object"."""
        return "0" * self.digits

    def read(self, oid: str, kind: str) -> bytes | None:
        """The bytes of an object of this kind; None unless they are what `oid` says."""
        self._digits = len(oid)
        queued = self._queued.get(oid)
        if queued is not None:
            return queued[1] if queued[0] == kind else None
        found = self._arrived(oid)
        if found is None or found.kind != kind or found.oid != oid:
            return None
        return found.data if found.matches() else None

    def _arrived(self, oid: str) -> Found | None:
        if self._coming is not None and self._expected[-1:] == [oid]:
            self._expected.pop()
            return next(self._coming)[1]
        return self._reader.ask(oid)

    def ask(self, name: str) -> Found | None:
        """The object that a name means to git."""
        found = self._reader.ask(name)
        return found if found is not None and found.matches() else None

    def tree(self, oid: str) -> Tree | None:
        """The entries of a tree; None if it cannot be read."""
        if oid not in self._trees:
            data = self.read(oid, "tree")
            tree = None if data is None else parse_tree(data, len(oid) // 2)
            if tree is None:
                return None
            self._trees[oid] = tree
        return self._trees[oid]

    def put(self, kind: str, data: bytes) -> str:
        """Queue an object and give its id."""
        oid = object_id(kind, data, self.digits)
        self._queued[oid] = (kind, data)
        return oid

    def put_tree(self, entries: Mapping[str, tuple[str, str]]) -> str:
        """Queue a tree. No name in it may begin with that of a folder."""
        return self.put(
            "tree",
            b"".join(
                f"{mode} {name}\0".encode() + bytes.fromhex(oid)
                for name, (mode, oid) in sorted(entries.items())
            ),
        )

    def flush(self) -> None:
        """Write what is queued; when this returns, it survives a power loss."""
        folders = set()
        for oid, (kind, data) in self._queued.items():
            effect(f"{kind} {oid[:7]}")
            folders.add(self._write(oid, kind, data))
        for folder in sorted(folders):
            effect("sync objects")
            durable.sync_folder(folder)
        self._written |= self._queued
        self._queued = {}

    def forget(self) -> None:
        """Give up what is queued; what has been written stays for git to collect."""
        self._queued, self._written = {}, {}

    def settle(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Make sure, now that a ref leads to it, that all that was written is there."""
        outlast_gc(self.home, sleep)
        gone = [oid for oid in self._written if not Path(self._path(oid)).exists()]
        for oid in gone:
            kind, data = self._written[oid]
            if self.read(oid, kind) is None:  # else it was packed
                durable.sync_folder(self._write(oid, kind, data))
        self._written = {}

    def _path(self, oid: str) -> str:
        return f"{self.home.common_dir}/objects/{oid[:2]}/{oid[2:]}"

    def _write(self, oid: str, kind: str, data: bytes) -> str:
        """Write and sync a loose object; give the folder, which is not synced yet."""
        path = self._path(oid)
        folder = path.rpartition("/")[0]
        whole = f"{kind} {len(data)}\0".encode() + data
        packed = zlib.compress(whole, 1 if len(data) > _LARGE else 6)
        for _ in range(10):  # git removes a folder in the moment that it is empty
            try:
                if not Path(folder).is_dir():
                    Path(folder).mkdir(exist_ok=True)
                    durable.sync_folder(f"{self.home.common_dir}/objects")
                if durable.create_unlisted(path, packed, mode=_OBJECT):
                    return folder
                if _holds(path, whole):
                    durable.sync_file(path)
                else:
                    durable.replace(path, packed, mode=_OBJECT)
            except FileNotFoundError:
                continue
            return folder
        raise FileNotFoundError(2, os.strerror(2), path)


def _holds(path: str, whole: bytes) -> bool:
    """Whether a loose object has these bytes."""
    try:
        return zlib.decompress(Path(path).read_bytes()) == whole
    except zlib.error:
        return False


def outlast_gc(home: Home, sleep: Callable[[float], None] = time.sleep) -> None:
    """Wait until a gc that spares not even objects of this minute is over; one that
    begins meanwhile sees the refs as they are now."""
    running = _prunes_all(home)
    deadline = time.monotonic() + _GC_SECONDS
    while running and time.monotonic() < deadline and _prunes_all(home) == running:
        sleep(0.02)


def _prunes_all(home: Home) -> str:
    """The process id of such a gc, as far as can be told; empty if there is none."""
    try:
        pid, host = Path(home.common_dir, "gc.pid").read_text("ascii").split()[:2]
        if host == platform.node():
            words = Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
            if b"gc" not in words:
                return ""  # the gc that wrote it was killed
            if any(word.startswith(b"--prune=") for word in words):
                return pid
    except (FileNotFoundError, ProcessLookupError):
        return ""
    except (OSError, ValueError):
        return "unknown"
    args = ["config", "gc.pruneExpire"]
    told = run_git(args, cwd=home.common_dir, env=home.environment, check=False)
    return pid if told.strip() else ""


def whole(home: Home, new: str, old: str) -> bool:
    """Whether everything that `new` has and `old` has not is there."""
    args = [
        "rev-list",
        "--objects",
        "--missing=print",
        new,
        *([f"^{old}"] if old else []),
    ]
    code, out = spawn_git(args, home.common_dir, home.environment)
    return code == 0 and not any(line.startswith(b"?") for line in out.splitlines())


def parse_tree(data: bytes, width: int) -> Tree | None:
    """The entries of a tree whose ids have `width` bytes; None if it is none."""
    entries: Tree = {}
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        if end < 0 or end + 1 + width > len(data):
            return None
        mode, _, name = data[at:end].decode(errors="replace").partition(" ")
        at = end + 1 + width
        entries[name] = (mode, data[end + 1 : at].hex())
    return entries
