"""The store as it is now, read again only where a file has changed.

A file is known by its stamp (size, times, inode). One that changed within a tick before
it was looked at is read again next time, as the clock of a file system ticks slowly.
A file that cannot be read at all (a symbolic link, say) is an issue, not a failure:
the console shows the others.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock

from git_intent.errors import IntentError
from git_intent.git.objects import snapshot
from git_intent.git.repository import Repository
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    DOMAINS,
    REQUIREMENTS,
    SCAN_STATE,
    STORE,
    Store,
    is_requirement,
    load_store,
    read_file,
    read_requirement,
    refuse_links,
)
from git_intent.store.issue import Issue
from git_intent.store.plain import read_plain
from git_intent.store.requirement import Requirement

_TICK = 50_000_000  # nanoseconds
_Read = tuple[Requirement | None, Issue | None]
Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Held:
    """One state of the store; the same object for as long as nothing changes."""

    store: Store
    files: Mapping[str, bytes]
    issues: tuple[Issue, ...]


@dataclass(slots=True)
class Stored:
    """Reads the store of one project. Threads may share it."""

    repo: Repository
    _lock: Lock = field(default_factory=Lock)
    _stamps: dict[str, Stamp | None] = field(default_factory=dict)
    _files: dict[str, bytes] = field(default_factory=dict)
    _refused: dict[str, Issue] = field(default_factory=dict)
    _read: dict[str, tuple[bytes, _Read]] = field(default_factory=dict)
    _held: Held | None = None

    def now(self) -> Held:
        with self._lock:
            changed = self._commit() if self.repo.bare else self._look()
            if changed or self._held is None:
                self._held = self._load()
            return self._held

    def _commit(self) -> bool:
        """A bare repository has the store of HEAD."""
        head = self.repo.head()
        files = {} if head.unborn else snapshot(self.repo, head.oid, STORE)
        changed = files != self._files
        self._files = files
        return changed

    def _look(self) -> bool:
        """Read what changed; whether anything did."""
        before = dict(self._refused)
        self._refused.clear()
        try:
            refuse_links(self.repo.root)
            found = self._entries()
        except (IntentError, OSError) as error:
            self._refused[STORE] = _issue(STORE, error)
            found = {}
        changed = False
        for path in self._stamps.keys() - found.keys():
            changed = True
            del self._stamps[path]
            self._files.pop(path, None)
        for path, stamp in found.items():
            if path in self._stamps and self._stamps[path] == stamp is not None:
                continue
            changed |= self._take(path, stamp)
        return changed or before != self._refused

    def _take(self, path: str, stamp: Stamp | None) -> bool:
        data = None
        try:
            data = read_file(self.repo.root, path)
        except IntentError as error:
            self._refused[path] = _issue(path, error)
            stamp = None
        self._stamps[path] = stamp
        if data is None:
            return self._files.pop(path, None) is not None
        changed = self._files.get(path) != data
        if changed:
            self._files[path] = data
        return changed

    def _entries(self) -> dict[str, Stamp | None]:
        """The files of the store with their stamps; None for one that is too new."""
        root, found = self.repo.root, {}
        young = time.time_ns() - _TICK
        for path in (DOMAINS, SCAN_STATE, ATTRIBUTES):
            try:
                found[path] = _stamp(os.lstat(root / path), young)
            except (FileNotFoundError, NotADirectoryError):
                continue
        try:
            with os.scandir(root / REQUIREMENTS) as entries:
                for entry in entries:
                    path = f"{REQUIREMENTS}/{entry.name}"
                    if is_requirement(path):
                        stat = entry.stat(follow_symlinks=False)
                        found[path] = _stamp(stat, young)
        except (FileNotFoundError, NotADirectoryError):
            pass
        return found

    def _load(self) -> Held:
        for path in self._read.keys() - self._files.keys():
            del self._read[path]
        store = load_store(self._files, self._known)
        issues = (*self._refused.values(), *store.issues)
        return Held(store, dict(self._files), issues)

    def _known(self, path: str, data: bytes) -> _Read:
        known = self._read.get(path)
        if known is None or known[0] is not data:
            plain = read_plain(path, data)
            read = (plain, None) if plain else read_requirement(path, data)
            known = self._read[path] = data, read
        return known[1]


def _stamp(stat: os.stat_result, young: int) -> Stamp | None:
    if max(stat.st_mtime_ns, stat.st_ctime_ns) >= young:
        return None
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino


def _issue(path: str, error: Exception) -> Issue:
    text = error.message if isinstance(error, IntentError) else str(error)
    return Issue(path, 1, 1, "", text.removeprefix(f"{path}: "))
