"""A snapshot as the hard rules see it: requirements by id, damage by path.

Rules compare requirements by id, never by path, and only what differs in bytes is
parsed twice: one `Reader` serves every snapshot of a judgement.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from git_intent.store.frontmatter import Frontmatter
from git_intent.store.ids import ID
from git_intent.store.intent_dir import is_requirement, requirement_path
from git_intent.store.issue import Issue, Severity
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import Examined, examine

Snapshot = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Entry:
    """One readable requirement file."""

    path: str
    data: bytes
    requirement: Requirement
    document: Frontmatter

    def fields(self, key: str) -> dict[str, Any]:
        """A mapping of the frontmatter as written, keys of others included."""
        found = self.document.value.get(key)
        return found if isinstance(found, dict) else {}

    def position(self, *pointer: str | int) -> tuple[int, int]:
        """Line and column of a value, or of the nearest value that holds it."""
        return self.document.position(pointer)


class Reader:
    """Parses each distinct file once."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, bytes], Examined] = {}

    def examine(self, path: str, data: bytes) -> Examined:
        key = (path, data)
        if key not in self._seen:
            self._seen[key] = examine(data, path)
        return self._seen[key]

    def read(self, path: str, data: bytes) -> Entry | Issue:
        """The requirement, or the first error of its file."""
        found = self.examine(path, data)
        if found.requirement is None or found.document is None:
            return next(i for i in found.issues if i.severity is Severity.ERROR)
        return Entry(path, data, found.requirement, found.document)


@dataclass(frozen=True, slots=True)
class View:
    """The requirements of one snapshot."""

    snapshot: Snapshot
    entries: Mapping[str, Entry] = field(default_factory=dict)
    broken: Mapping[str, Issue] = field(default_factory=dict)  # by path

    @property
    def ids(self) -> set[str]:
        """Every id that is taken: a broken file still holds its own."""
        names = {PurePosixPath(path).stem for path in self.broken}
        return set(self.entries) | {name for name in names if ID.fullmatch(name)}


def view(snapshot: Snapshot, reader: Reader) -> View:
    entries: dict[str, Entry] = {}
    broken: dict[str, Issue] = {}
    for path in sorted(snapshot):
        if not is_requirement(path):
            continue
        found = reader.read(path, snapshot[path])
        if isinstance(found, Issue):
            broken[path] = found
            continue
        # Two files may claim one id; the one that bears its name is the requirement.
        known = found.requirement.id in entries
        if not known or path == requirement_path(found.requirement.id):
            entries[found.requirement.id] = found
    return View(snapshot, entries, broken)


def new_damage(parents: Sequence[View], result: View) -> list[Issue]:
    """Files that this change broke; those broken before are `check`'s to report."""
    return [
        issue
        for path, issue in result.broken.items()
        if all(p.snapshot.get(path) != result.snapshot[path] for p in parents)
    ]
