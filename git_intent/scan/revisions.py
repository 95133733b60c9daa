"""The documents of a scan as they were last read and as they are now.

What was read last is the version whose sha256 stands in scan-state, found in history by
its bytes; the commit cursor alone would be wrong for a document that was read before it
was committed. Both sides are prepared alike, so that line numbers are those of the
collected text.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from git_intent.files import sha256
from git_intent.git.diff import diff_hunks, introduced
from git_intent.git.history import file_versions, is_ancestor
from git_intent.git.objects import read_blobs, tree
from git_intent.git.process import GitError
from git_intent.git.repository import Repository
from git_intent.scan.artifacts import Source, Sources
from git_intent.scan.noise import strip_own
from git_intent.scan.succession import Revision, Span
from git_intent.secrets import scrub
from git_intent.store.scan_state import ScanState

_LINE_END = re.compile("\r\n|\r|\n")


@dataclass(slots=True)
class Documents:
    """The texts of all documents now, and of changed ones before; read when asked."""

    repo: Repository
    sources: Sources
    state: ScanState
    _now: dict[str, str] = field(default_factory=dict)
    _old: dict[str, bytes] | None = None
    _commits: dict[str, str] = field(default_factory=dict)  # old path -> its commit

    def now(self) -> Mapping[str, str]:
        """Path → text of every document."""
        if not self._now:
            new = {s.path: s.text for s in self._items()}
            rest = self.sources.documents.keys() - new.keys()
            blobs = self._blobs(self.sources.head, rest)
            contents = read_blobs(self.repo, blobs.values())
            old = {p: _prepared(contents[b]) for p, b in blobs.items() if b in contents}
            self._now = {**old, **new}
        return self._now

    def revisions(self) -> Iterator[Revision]:
        """Each document that was read before and reads differently now, or is gone."""
        moved = self._renames()
        for item in self._items():
            old_path = moved.get(item.path, item.path)
            old = self._before(old_path)
            if old is not None:
                yield Revision(
                    old_path, item.path, old, item.text, spans(old, item.text)
                )
        for path in sorted(self._gone() - set(moved.values())):
            old = self._before(path)
            if old is not None:
                yield Revision(path, "", old, "", spans(old, ""))

    def descends(self, revision: Revision, old_line: int, new_line: int) -> bool:
        """Whether the new line's commit comes after the old line's, by ancestry.

        What is not committed yet comes after everything that is.
        """
        new = self._origin(self.sources.head, revision.path, revision.new, new_line)
        if not new:
            return True
        rev = self._commits.get(revision.old_path, "")
        old = self._origin(rev, revision.old_path, revision.old, old_line)
        return bool(old) and old != new and is_ancestor(self.repo, old, new)

    def _items(self) -> list[Source]:
        return [s for s in self.sources.items if s.path in self.sources.documents]

    def _gone(self) -> set[str]:
        return self.state.scanned_docs.keys() - self.sources.documents.keys()

    def _renames(self) -> dict[str, str]:
        """New path → old path, of documents that were read under another name."""
        fresh = [s.path for s in self._items() if s.path not in self.state.scanned_docs]
        gone = self._gone()
        base = self.repo.resolve(self.state.last_commit)
        if not fresh or not gone or not base or not self.sources.head:
            return {}
        return {
            diff.new_path: diff.old_path
            for diff in diff_hunks(self.repo, base, self.sources.head, fresh)
            if diff.new_path in fresh and diff.old_path in gone
        }

    def _before(self, path: str) -> str | None:
        """The text that was read last; None if there was none or it is lost."""
        if self._old is None:
            self._old = self._at_cursor()
        wanted = self.state.scanned_docs.get(path)
        if not wanted or not self.sources.head:
            return None
        known = self._old.get(path)
        if known is not None and sha256(known) == wanted:
            self._commits[path] = self.state.last_commit
            return _prepared(known)
        for version in file_versions(self.repo, path, self.sources.head):
            data = read_blobs(self.repo, [version.blob]).get(version.blob)
            if data is not None and sha256(data) == wanted:
                self._commits[path] = version.commit
                return _prepared(data)
        return None

    def _at_cursor(self) -> dict[str, bytes]:
        """The documents read before as the commit cursor has them."""
        base = self.repo.resolve(self.state.last_commit)
        if not base:
            return {}
        changed = {s.path for s in self._items()} | self._gone()
        blobs = self._blobs(base, changed & self.state.scanned_docs.keys())
        contents = read_blobs(self.repo, blobs.values())
        return {p: contents[b] for p, b in blobs.items() if b in contents}

    def _blobs(self, rev: str, paths: Collection[str]) -> dict[str, str]:
        """Path → blob id of those paths in a commit."""
        if not rev or not paths:
            return {}
        prefix = next(iter(paths)) if len(paths) == 1 else ""
        entries = tree(self.repo, rev, prefix)
        return {e.path: e.oid for e in entries if e.path in paths and e.regular}

    def _origin(self, rev: str, path: str, text: str, line: int) -> str:
        """The commit that brought a line of a prepared text; empty if none has it."""
        if not rev:
            return ""
        wanted = _lines(text)[line - 1 : line]
        blob = self._blobs(rev, [path]).get(path, "")
        data = read_blobs(self.repo, [blob]).get(blob) if blob else None
        if data is None or not wanted:
            return ""
        lines = _lines(_prepared(data))
        same = [n for n, have in enumerate(lines, 1) if have == wanted[0]]
        if not same:
            return ""
        nearest = min(same, key=lambda n: abs(n - line))
        try:
            return introduced(self.repo, path, nearest, rev)
        except GitError:  # history cut off: nobody can tell
            return ""


def spans(old: str, new: str) -> tuple[Span, ...]:
    """The hunks between two texts, as line ranges without context."""
    a, b = _lines(old), _lines(new)
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    middle_a, middle_b = a[start : len(a) - end], b[start : len(b) - end]
    matcher = SequenceMatcher(None, middle_a, middle_b)
    return tuple(
        Span((start + i1 + 1, start + i2), (start + j1 + 1, start + j2))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )


def _lines(text: str) -> list[str]:
    """As the parsers of documents count them."""
    return _LINE_END.split(text) if text else []


def _prepared(data: bytes) -> str:
    """A document's text as collect-sources prepares it."""
    return scrub(strip_own(data.decode(errors="replace").removeprefix("\ufeff")))
