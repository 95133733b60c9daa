"""In which line of a document a requirement was said, for all of them at once.

Each document is parsed once, and again when it changes.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from git_intent.scan.origin import Said, read_said
from git_intent.store.requirement import Requirement

_LONGEST = 1 << 20


@dataclass(slots=True)
class Documents:
    """The lines of the documents below `root`. Threads may share it."""

    root: Path
    _lock: Lock = field(default_factory=Lock)
    _known: dict[str, tuple[tuple[int, int, int], Said]] = field(default_factory=dict)

    def stamps(self, paths: Iterable[str]) -> tuple[tuple[str, object], ...]:
        """Equal for as long as none of the documents changes."""
        return tuple((path, self._stamp(path)) for path in sorted(set(paths)))

    def has(self, path: str) -> bool:
        """Whether there is such a document that can be read."""
        return self._stamp(path) is not None

    def line(self, path: str, found: Requirement) -> int | None:
        """Where its statement stands, or the heading it stood under; None if the
        document is not there, or has neither."""
        stamp = self._stamp(path)
        if stamp is None:
            return None
        with self._lock:
            known = self._known.get(path)
            if known is None or known[0] != stamp:
                known = self._known[path] = stamp, self._read(path)
        return known[1].line(found) or None

    def _read(self, path: str) -> Said:
        try:
            text = (self.root / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
        return read_said(text, path)

    def _stamp(self, path: str) -> tuple[int, int, int] | None:
        if path.startswith(("/", "..")) or "/../" in path or "\0" in path:
            return None
        try:
            found = os.lstat(self.root / path)
        except (OSError, ValueError):
            return None
        usable = stat.S_ISREG(found.st_mode) and found.st_size <= _LONGEST
        return (found.st_size, found.st_mtime_ns, found.st_ino) if usable else None
