"""Scans of completed runs: queued when a run ends, worked off in the background.

    expect(repo, run, …)       whoever is about to end a run: queue it, if we die now
    completed(repo, run, …)    whoever has ended it: queue it, start a drainer
    start_due(repo, …)         any command: start a drainer if one is missing
    Drainer(…).drain()         hold the lock, scan run after run, empty the queue

A run stays queued while its scan would be in the way: in CI, during a merge or rebase,
on a detached HEAD, while somebody writes a commit message. What fails stays too, with
the reason, until it may be tried again (see `scan.queue`). Whoever finds the lock taken
leaves: those who let go of it look into the queue afterwards.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.committing import committing
from git_intent.git.repository import Repository
from git_intent.lock import ProjectLock
from git_intent.scan import queue, queue_start
from git_intent.scan.queue import Entry
from git_intent.scan.run_records import read_record
from git_intent.scan.summary import ScanReport
from git_intent.secrets import scrub
from git_intent.store.commit_actor import SCAN_VARIABLE
from git_intent.store.stamps import stamp
from git_intent.workflow.run_names import ref_of

PURPOSE = "scan of completed runs"
_PAUSES = (0.2, 0.5, 1.0, 2.0, 5.0)  # seconds between two looks; the last one stays


class Fate(StrEnum):
    """What became of a run in the queue; `dropped` needs no scan."""

    SCANNED = "scanned"
    WAITS = "waits"
    FAILED = "failed"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`reason` says why a run was not scanned; `report` what its scan did."""

    run: str
    fate: Fate
    reason: str = ""
    report: ScanReport | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A project to scan in. `scan` scans one run, or without one all that is new, for
    a caller that holds the lock; `wanted` is the setting `scan_after_tasks`."""

    repo: Repository
    wanted: bool
    scan: Callable[[str], ScanReport]


def expect(
    repo: Repository,
    run: str,
    *,
    wanted: bool,
    environ: Mapping[str, str],
    now: datetime,
) -> None:
    """Queue a run whose record is about to say that it is over.

    So it is scanned even if its process ends before it can say `completed`: by whoever
    looks into the queue next. Until the record says so, it is nothing to scan.
    """
    if wanted and repo.worktree is not None and not within(environ):
        one = queue.entry(run, repo.root, repo.project, now)
        queue.put(repo.common_dir, queue.expected(one, now))


def later(
    repo: Repository, *, environ: Mapping[str, str], ci: bool, now: datetime
) -> bool:
    """Queue a plain scan, for when whoever holds the lock now is done.

    False where nobody would make it: in CI, in a bare repository, or within a scan.
    """
    if ci or repo.worktree is None or within(environ):
        return False
    queue.put(repo.common_dir, queue.entry("", repo.root, repo.project, now))
    queue_start.start(repo)  # the lock may be free by now
    return True


def completed(
    repo: Repository,
    run: str,
    *,
    wanted: bool,
    environ: Mapping[str, str],
    ci: bool,
    now: datetime,
) -> str:
    """Queue a run whose record says that it is over, and start its scan.

    Gives why the scan has to wait, or nothing. `wanted` is the setting
    `scan_after_tasks`; nothing is queued without it, for an excluded run, in a bare
    repository, and by what a scan or an agent of ours has started.
    """
    if not wanted or repo.worktree is None or within(environ) or _settled(repo, run):
        return ""
    queue.put(repo.common_dir, queue.entry(run, repo.root, repo.project, now))
    reason = obstacle(repo, ci)
    if not reason:
        queue_start.start(repo)
    return reason


def start_due(repo: Repository, *, ci: bool, now: datetime) -> None:
    """Start a drainer, if a run waits that may be scanned now."""
    if ci:
        return
    due = [one for one in queue.entries(repo.common_dir) if one.due(now)]
    here = [one for one in due if one.root in ("", str(repo.root))]
    if due and not (len(here) == len(due) and obstacle(repo, ci)):
        queue_start.start(repo)


def obstacle(repo: Repository, ci: bool) -> str:
    """Why no run may be scanned in this work tree for now, or nothing."""
    if ci:
        return "this is a CI job"
    if repo.worktree is None:
        return "a bare repository has no work tree"
    if operation := repo.operation():
        return f"a {operation} is in progress"
    return "HEAD is detached" if repo.head().detached else ""


def within(environ: Mapping[str, str]) -> bool:
    """Whether a scan or a run of ours has started this process."""
    from git_intent.workflow.process import CHILD_VARIABLE

    return bool(environ.get(SCAN_VARIABLE) or environ.get(CHILD_VARIABLE))


def _settled(repo: Repository, run: str) -> str:
    """Why a run needs no scan, or nothing."""
    record = read_record(repo, run, ref_of(run))
    if record is None:
        return "it is not on record as completed"
    return record.broken or ("it is excluded" if record.meta.opted_out else "")


@dataclass(slots=True)
class Drainer:
    """Works off the queue of one repository.

    `open` gives the project at a root. `patience` is for how many seconds somebody's
    commit is waited for. By hand, what has failed is tried again at once.
    """

    repo: Repository
    open: Callable[[str], Place]
    ci: bool
    clock: Callable[[], datetime]
    patience: float = 0
    by_hand: bool = False
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def drain(self) -> list[Outcome]:
        """Scan what waits, and what comes in meanwhile; each run once.

        Raises LockHeld if somebody else is at work.
        """
        outcomes: list[Outcome] = []
        while self._left():
            self._let_commit()
            lock = ProjectLock(self.repo.common_dir)
            with lock.acquire(PURPOSE, since=stamp(self.clock())):
                for one in self._left():
                    self._seen.add((one.run, one.queued_at))
                    if queue.waits(self.repo.common_dir, one):
                        outcomes.append(self._work(one))
        return outcomes

    def _left(self) -> list[Entry]:
        now = self.clock()
        return [
            one
            for one in queue.entries(self.repo.common_dir)
            if (one.run, one.queued_at) not in self._seen
            and (self.by_hand or one.due(now))
        ]

    def _let_commit(self) -> None:
        """Wait until nobody is writing a commit message here, or patience ends."""
        pauses = iter(_PAUSES)
        pause = 0.0
        while self.patience > 0 and committing(self.repo, time.time()):
            pause = next(pauses, pause)
            time.sleep(pause)
            self.patience -= pause

    def _work(self, one: Entry) -> Outcome:
        common = self.repo.common_dir
        try:
            place = self._place(one)
            if reason := self._needless(one, place):
                self._done(one)
                return Outcome(one.run, Fate.DROPPED, reason)
            if reason := self._in_the_way(place.repo):
                return Outcome(one.run, Fate.WAITS, reason)
        except IntentError as error:
            return self._failed(one.begun(self.clock()), error)
        before = place.repo.head()
        begun = queue.put(common, one.begun(self.clock()))
        try:
            report = place.scan(one.run)
        except (IntentError, OSError) as error:
            if reason := self._in_the_way(place.repo):
                queue.put(common, one)  # it came in the way while the scan ran
                return Outcome(one.run, Fate.WAITS, reason)
            if begun.tries == 1 and place.repo.head() != before:
                return self._work(begun)  # somebody committed meanwhile: once more
            return self._failed(begun, error)
        self._done(begun)
        return Outcome(one.run, Fate.SCANNED, report=report)

    def _done(self, one: Entry) -> None:
        """Take it out; what came in its place meanwhile, at the same time of the clock,
        is not done."""
        if not queue.remove(self.repo.common_dir, one):
            self._seen.discard((one.run, one.queued_at))

    def _needless(self, one: Entry, place: Place) -> str:
        """Why there is nothing to scan, or nothing; a plain scan was asked for."""
        if not one.run:
            return ""
        off = "" if place.wanted else "scan_after_tasks is false"
        return _settled(self.repo, one.run) or off

    def _place(self, one: Entry) -> Place:
        """Where a run is scanned: where it ended, or here if that is gone."""
        gone = one.root and not Path(one.root).is_dir()
        adopted = not one.root or (gone and one.project == self.repo.project)
        root = str(self.repo.root) if adopted else one.root
        if gone and not adopted:
            raise IntentError(f"{root}: the work tree of the run is gone")
        place = self.open(root)
        ours = place.repo.common_dir == self.repo.common_dir
        if not ours or str(place.repo.root) != root:
            raise IntentError(f"{root}: is no longer a project of this repository")
        return place

    def _in_the_way(self, repo: Repository) -> str:
        if reason := obstacle(repo, self.ci):
            return reason
        under_way = committing(repo, time.time())
        return "a commit is under way" if under_way else ""

    def _failed(self, one: Entry, error: Exception) -> Outcome:
        parts = (f"{error}", getattr(error, "hint", ""))
        # a hook may have said anything
        reason = " ".join(scrub("; ".join(filter(None, parts))).split())
        queue.put(self.repo.common_dir, replace(one, reason=reason))
        return Outcome(one.run, Fate.FAILED, reason)
