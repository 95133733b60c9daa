"""The project's tracked paths, listed again when the index has changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from git_intent.git.objects import index_entries, tree
from git_intent.git.repository import Repository
from git_intent.store.check import check_together
from git_intent.store.facts import fact
from git_intent.store.globs import count
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.issue import Issue
from git_intent.store.rules_view import Reader

_COUNTED = 4096


@dataclass(slots=True)
class Tracked:
    """Threads may share it."""

    repo: Repository
    _lock: Lock = field(default_factory=Lock)
    _stamp: object = None
    _paths: tuple[str, ...] = ()
    _counts: dict[str, int] = field(default_factory=dict)

    def paths(self) -> Sequence[str]:
        """Every tracked path, sorted."""
        with self._lock:
            stamp = self._now()
            if stamp is None or stamp != self._stamp:
                self._paths, self._counts = self._list(), {}
                self._stamp = stamp
            return self._paths

    def files(self, glob: str) -> int:
        """How many of them a glob matches."""
        paths, counts = self.paths(), self._counts
        if glob not in counts:
            if len(counts) >= _COUNTED:
                counts.clear()
            counts[glob] = count(glob, paths)
        return counts[glob]

    def remarks(self, path: str, data: bytes, domains: bytes | None) -> list[Issue]:
        """Domains of a requirement that nobody knows, its globs without a file."""
        reader = Reader()
        found = fact(path, data, reader)
        if found is None:
            return []
        files = {path: data, **({DOMAINS: domains} if domains else {})}
        issues = check_together([found], files, tracked=self.paths(), reader=reader)
        return [issue for issue in issues if issue.path == path]

    def _list(self) -> tuple[str, ...]:
        if not self.repo.bare:
            found = index_entries(self.repo)
        elif self.repo.head().unborn:
            found = []
        else:
            found = tree(self.repo, "HEAD")
        return tuple(sorted({entry.path for entry in found}))

    def _now(self) -> object:
        """What changes with the index; None where that cannot be told."""
        if self.repo.bare:
            return self.repo.head().oid
        try:
            found = self.repo.index_file.stat()
        except OSError:
            return None
        return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
