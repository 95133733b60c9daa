"""In which line of a document a requirement was said, for all of them at once.

Each document is parsed once, and again when it changes.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from git_intent.scan.origin import Said, read_said

_LONGEST = 1 << 20
Stamp = tuple[int, int, int]


@dataclass(slots=True)
class Documents:
    """The documents below `root`. Threads may share it."""

    root: Path
    _lock: Lock = field(default_factory=Lock)
    _known: dict[str, tuple[Stamp, Said]] = field(default_factory=dict)

    def now(self, paths: Iterable[str]) -> Mapping[str, Said]:
        """What each of the documents says that are there and can be read. The values
        are the same objects for as long as the documents do not change."""
        found = {}
        with self._lock:
            for path in sorted(set(paths)):
                stamp = self._stamp(path)
                if stamp is None:
                    continue
                known = self._known.get(path)
                if known is None or known[0] != stamp:
                    known = self._known[path] = stamp, self._read(path)
                found[path] = known[1]
        return found

    def _read(self, path: str) -> Said:
        try:
            text = (self.root / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
        return read_said(text, path)

    def _stamp(self, path: str) -> Stamp | None:
        """None for what is no file below the root, or too long to be looked through."""
        parts = path.split("/")
        if {"", ".", ".."} & set(parts) or not path.isprintable():
            return None
        try:
            found = os.lstat(self.root / path)
        except (OSError, ValueError):
            return None
        usable = stat.S_ISREG(found.st_mode) and found.st_size <= _LONGEST
        return (found.st_size, found.st_mtime_ns, found.st_ino) if usable else None
