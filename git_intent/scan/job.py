"""One scan's surroundings, handed to every step: where, when, with which tools."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from git_intent.config import Config
from git_intent.git import objects
from git_intent.git.repository import Repository
from git_intent.scan.artifacts import Candidate, Decision, Sources
from git_intent.scan.document import statements
from git_intent.scan.known import Known
from git_intent.scan.run import Run
from git_intent.scan.sameness import Similarity
from git_intent.scan.statement import Statement
from git_intent.store.domains import Domain
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    DOMAINS,
    SCAN_STATE,
    STORE,
    Store,
    is_requirement,
    load_store,
    read_snapshot,
)


class Extracted(Protocol):
    """What an extractor gives: candidates, and how many statements it could not
    judge because of their language."""

    @property
    def candidates(self) -> Sequence[Candidate]: ...

    @property
    def skipped(self) -> int: ...


Extract = Callable[[Sources, Sequence[Domain]], Extracted]
#: Another reconciler than the built-in one (an agent's).
Decide = Callable[[Sequence[Candidate], Mapping[str, Known]], Sequence[Decision]]
#: Told the name of the step that begins.
Progress = Callable[[str], None]


def _doc(text: str, path: str) -> Sequence[Statement]:
    return statements(text, path, "doc")


def _silent(step: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Tools:
    """What does the work that depends on models or on other programs."""

    extract: Extract
    similarity: Similarity
    decide: Decide | None = None
    cut: Callable[[str, str], Sequence[Statement]] = _doc
    progress: Progress = _silent


@dataclass(frozen=True, slots=True)
class Options:
    """How to scan. `dry_run` changes no byte, `no_commit` leaves the store written and
    uncommitted, `resume` goes on with the newest run that failed."""

    full: bool = False
    dry_run: bool = False
    no_commit: bool = False
    resume: bool = False
    max_commits: int | None = None
    repositories: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ground:
    """The store at one moment. `files` is the work tree's, and HEAD's where the user
    removed a file; `held` are the paths that differ from HEAD or the index."""

    files: Mapping[str, bytes]
    head: Mapping[str, bytes]
    held: frozenset[str]


@dataclass(frozen=True, slots=True)
class Job:
    """A run and everything that its steps need."""

    repo: Repository
    config: Config
    options: Options
    tools: Tools
    now: datetime
    run: Run

    @property
    def project(self) -> str:
        return str(self.repo.root)

    def ground(self) -> Ground:
        head = self.repo.head()
        committed = {} if head.unborn else objects.snapshot(self.repo, head.oid, STORE)
        mine = {p: d for p, d in committed.items() if _ours(p)}
        held = frozenset(objects.dirty(self.repo, [STORE]))
        return Ground({**mine, **read_snapshot(self.repo.root)}, mine, held)

    def store(self) -> Store:
        """The store as the work tree has it."""
        return load_store(read_snapshot(self.repo.root))


def _ours(path: str) -> bool:
    """Whether a file of the folder belongs to the store, and is not a person's note."""
    return path in (ATTRIBUTES, DOMAINS, SCAN_STATE) or is_requirement(path)
