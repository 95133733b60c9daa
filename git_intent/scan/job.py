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
from git_intent.scan.lists import one_rules
from git_intent.scan.run import Run
from git_intent.scan.sameness import Similarity
from git_intent.scan.statement import Statement
from git_intent.store.domains import Domain, Domains, parse_domains
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    DOMAINS,
    SCAN_STATE,
    STORE,
    is_requirement,
    read_snapshot,
)
from git_intent.store.scan_state import ScanStates, parse_scan_state


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
    place = statements(text, path, "doc")
    return [*place, *(one.statement for one in one_rules(place))]


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
    uncommitted, `resume` goes on with the newest run that failed. With `run`, nothing
    is read but what belongs to that run."""

    full: bool = False
    dry_run: bool = False
    no_commit: bool = False
    resume: bool = False
    run: str = ""
    max_commits: int | None = None
    repositories: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ground:
    """The store at one moment. `work` is what the work tree has; `files` is that, and
    HEAD's for a file that the user removed or that a sparse checkout leaves out; `held`
    are the paths with changes of the user's."""

    work: Mapping[str, bytes]
    files: Mapping[str, bytes]
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
        work = read_snapshot(self.repo.root)
        held = frozenset(objects.dirty(self.repo, [STORE]))
        return Ground(work, {**self._committed(), **work}, held)

    def states(self) -> ScanStates:
        """How far has been read."""
        data = self.file(SCAN_STATE)
        return parse_scan_state(data, SCAN_STATE) if data is not None else ScanStates()

    def domains(self) -> Domains:
        data = self.file(DOMAINS)
        return parse_domains(data, DOMAINS) if data is not None else Domains()

    def file(self, path: str) -> bytes | None:
        """A file of the store; HEAD's if the work tree has none."""
        target = self.repo.root / path
        if target.is_file():
            return target.read_bytes()
        return self._committed(path).get(path)

    def _committed(self, prefix: str = STORE) -> dict[str, bytes]:
        head = self.repo.head()
        if head.unborn:
            return {}
        found = objects.snapshot(self.repo, head.oid, prefix)
        return {path: data for path, data in found.items() if _ours(path)}


def _ours(path: str) -> bool:
    """Whether a file of the folder belongs to the store, and is not a person's note."""
    return path in (ATTRIBUTES, DOMAINS, SCAN_STATE) or is_requirement(path)
