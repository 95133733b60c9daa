"""A scan by the steps of a workflow, as a project may define its own.

The lock is held from before the first step to after the last one and lent to the steps
(`scan.orders`), so nothing else comes in between. HEAD may move by the commit step
alone. However the workflow ends, the store is either committed or as it was before,
unless the workflow ended well and chose to commit nothing.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.lock import ProjectLock
from git_intent.scan import changeset, orders, preflight, written
from git_intent.scan import run as runs
from git_intent.scan.job import Job
from git_intent.scan.orders import Orders
from git_intent.scan.pipeline import Scanner, StepFailed, report, undone
from git_intent.scan.repair import committed
from git_intent.scan.run import Stage
from git_intent.scan.summary import ScanReport
from git_intent.store.intent_dir import read_snapshot
from git_intent.store.stamps import stamp
from git_intent.workflow.model import Workflow


@dataclass(frozen=True, slots=True)
class Ended:
    """How a workflow ended: well, or at which step and why. `log` is where the logs of
    its steps are."""

    done: bool
    step: str = ""
    reason: str = ""
    log: Path | None = None


#: Runs the workflow to its end, with this in the environment of each step.
Perform = Callable[[Mapping[str, str]], Ended]


@dataclass(frozen=True, slots=True)
class WorkflowScan:
    """`reachable` are the workflow and those that it runs."""

    scanner: Scanner
    workflow: Workflow
    reachable: Sequence[Workflow]
    perform: Perform

    def scan(self) -> ScanReport:
        """As `Scanner.scan`."""
        repo = self.scanner.repo
        preflight.in_order(repo)
        lock = ProjectLock(repo.common_dir)
        since = stamp(self.scanner.now)
        with lock.acquire("scan", since=since) as owner:
            return self._scan(owner.nonce)

    def scan_one(self) -> ScanReport:
        """The same for a process that holds the lock."""
        preflight.in_order(self.scanner.repo)
        owner = ProjectLock(self.scanner.repo.common_dir).holder()
        if owner is None or owner.pid != os.getpid():
            raise ValueError("this process does not hold the lock")
        return self._scan(owner.nonce)

    def _scan(self, nonce: str) -> ScanReport:
        run = self.scanner.begin_by_steps()
        self._orders().write(run)
        job = self.scanner.job(run)
        ended = None
        try:
            ended = self.perform(orders.environment(run, nonce))
        finally:
            if ended is None:
                self._put_back(job, "was interrupted")
        return self._concluded(job, ended)

    def _orders(self) -> Orders:
        options = self.scanner.options
        return Orders(
            self.workflow.source,
            writer=orders.has_writer(self.reachable),
            no_commit=options.no_commit,
            max_commits=options.max_commits,
            resume=options.resume,
        )

    def _concluded(self, job: Job, ended: Ended) -> ScanReport:
        state = job.run.state()
        if moved := _moved(job):
            cause = moved
        elif not ended.done:
            told = state.error if state.stage is Stage.FAILED else ""
            cause = IntentError(told or ended.reason or "the workflow was aborted")
        else:
            job.run.save(replace(state, stage=Stage.DONE, error=""))
            runs.prune(job.repo.common_dir, job.now, job.run)
            return replace(report(job), workflow=self.workflow.source)
        if made := self._put_back(job, cause.message):
            hints = (f"the scan's commit {made[:12]} is made", cause.hint)
            cause.hint = "; ".join(filter(None, hints))
        step = ended.step or self.workflow.name
        log = ended.log or job.run.folder
        raise StepFailed(step, log, cause, resumable=not made)

    def _put_back(self, job: Job, why: str) -> str:
        """Leave the store as it was; the scan's commit if there is one already."""
        state = job.run.state()
        if made := committed(job.repo, job.run, state):
            changeset.clear(job.run)
        else:
            self._take_back(job)
            undone(job)
        stage = Stage.DONE if made else Stage.FAILED  # what is made is not made again
        job.run.save(replace(job.run.state(), stage=stage, error=why, commit=made))
        return made

    def _take_back(self, job: Job) -> None:
        """What an apply step of the workflow's own wrote becomes a change set, which
        then is undone like any other."""
        if job.run.has(changeset.NAME) or not orders.has_writer(self.reachable):
            return
        made = written.made(job.run, read_snapshot(job.repo.root))
        if made.files:
            changeset.stage(job.run, {}, {}, made.sides)
            if job.repo.head().oid == job.run.state().head:
                written.unstage(job.run, job.repo, made.files)


def _moved(job: Job) -> IntentError | None:
    """What to say if HEAD moved, and not by the commit of this scan."""
    state, head = job.run.state(), job.repo.head()
    made = state.commit or committed(job.repo, job.run, state)
    if head.branch == state.branch and head.oid in (state.head, made):
        return None
    return IntentError(
        f"HEAD moved while the scan ran: it is at {head.oid[:12] or 'no commit'}, "
        f"and the scan made {made[:12] or 'no commit'}",
        "no step of a workflow may commit by itself; if it was you, run "
        "`git intent scan` again",
    )
