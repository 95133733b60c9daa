"""A whole scan in one process, and single steps of one.

The order is that of the built-in workflow. A scan first repairs what a killed one left,
holds the repository's lock while it works, and gives a report. If anything fails, the
store is put back and the run is kept, so that `--resume` can go on with its artifacts.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from git_intent.config import Config
from git_intent.errors import IntentError
from git_intent.git import history
from git_intent.git.repository import Repository
from git_intent.lock import ProjectLock
from git_intent.scan import orders, preflight, settle, steps, written
from git_intent.scan import run as runs
from git_intent.scan.artifacts import Sources
from git_intent.scan.job import Job, Options, Tools
from git_intent.scan.orders import Lent
from git_intent.scan.repair import PLAN, committed, repair, undo
from git_intent.scan.run import Run, Stage, State
from git_intent.scan.settle import Settled
from git_intent.scan.steps import Result
from git_intent.scan.summary import ScanReport
from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.stamps import stamp

STEPS: dict[str, Callable[[Job], Result]] = {
    "discover-domains": steps.discover_domains,
    "collect-sources": steps.collect_sources,
    "extract": steps.extract,
    "reconcile": steps.reconcile_candidates,
    "apply-reconcile": settle.apply_reconcile,
    "commit": settle.commit,
}
_FIRST = "discover-domains"
_LAST = "commit"
#: Steps whose `none` leads straight to the last one.
_ENDING = frozenset({"collect-sources", "extract", "reconcile"})


class StepFailed(IntentError):
    """One step of a scan failed; `step` names it, `log` is its run's folder. A scan
    whose commit was made is not `resumable`."""

    def __init__(
        self, step: str, log: Path, cause: IntentError, *, resumable: bool = True
    ) -> None:
        super().__init__(f"{step}: {cause.message}", cause.hint)
        self.step = step
        self.log = log
        self.resumable = resumable


@dataclass(frozen=True, slots=True)
class Scanner:
    """Scans of one project with one set of tools."""

    repo: Repository
    config: Config
    tools: Tools
    now: datetime
    options: Options = field(default_factory=Options)

    def scan(self) -> ScanReport:
        """All six steps. Raises IntentError, or StepFailed once work has begun."""
        preflight.in_order(self.repo)
        if self.options.dry_run:
            return self._dry_run()
        lock = ProjectLock(self.repo.common_dir)
        with lock.acquire("scan", since=stamp(self.now)):
            return self._scan()

    def scan_one(self) -> ScanReport:
        """As `scan`, for a caller that holds the lock."""
        preflight.in_order(self.repo)
        return self._scan()

    def _scan(self) -> ScanReport:
        repair(self.repo)
        self._check_store()
        run = self._begin()
        report = self._drive(self.job(run))
        runs.prune(self.repo.common_dir, self.now, run)
        return report

    def step(self, name: str, lent: Lent | None = None) -> Result:
        """One step of the run that is lent to us, else of the one under way; then the
        first one begins a run."""
        preflight.in_order(self.repo)
        if lent:
            with lent.held():
                return self._step(name, lent.run)
        lock = ProjectLock(self.repo.common_dir)
        with lock.acquire(f"scan-step {name}", since=stamp(self.now)):
            if name == _FIRST:
                return self._step(name, self.begin_by_steps())
            run = runs.newest_open(self.repo.common_dir, self.repo.root)
            return self._step(name, run)

    def begin_by_steps(self) -> Run:
        """A run whose steps are called one by one, with the store as it is now."""
        repair(self.repo)
        self._check_store()
        run = self._begin()
        ground = self.job(run).ground()
        written.keep(run, self.repo, ground.work, ground.held)
        return run

    def _step(self, name: str, run: Run) -> Result:
        job = self.job(run)
        with _kept_whole(job, name):
            _same_head(job, run.state())
            result = Result.SUCCESS if _done(job, name) else _perform(job, name)
        if name == _LAST:
            runs.prune(self.repo.common_dir, self.now, run)
        return result

    def _dry_run(self) -> ScanReport:
        self._check_store()
        with TemporaryDirectory(prefix="git-intent-") as aside:
            run = runs.start(Path(aside), self._state(), self.now)
            return self._drive(self.job(run))

    def _check_store(self) -> None:
        preflight.sound(self.repo, read_snapshot(self.repo.root))

    def _begin(self) -> Run:
        return self._resumed() if self.options.resume else self._new_run()

    def _new_run(self) -> Run:
        return runs.start(self.repo.common_dir, self._state(), self.now)

    def _state(self) -> State:
        head = self.repo.head()
        options = self.options
        state = State(str(self.repo.root), head.oid, head.branch, options.full)
        return replace(state, task=options.run)

    def _resumed(self) -> Run:
        """The newest run, if it did not end well, with its artifacts as they are."""
        found = runs.current(self.repo.common_dir, self.repo.root)
        if not found:
            raise IntentError(
                "there is no failed scan to resume", "run `git intent scan`"
            )
        run, state = found
        head = self.repo.head()
        if state.head and not history.is_ancestor(self.repo, state.head, head.oid):
            raise IntentError(
                f"run {run.id} began on {state.head[:12]}, which is not in HEAD",
                "run `git intent scan` without --resume",
            )
        again = replace(state, head=head.oid, branch=head.branch, stage=Stage.OPEN)
        run.save(replace(again, error=""))
        return run

    def job(self, run: Run) -> Job:
        state = run.state()
        task = state.task or self.options.run
        options = replace(self.options, full=state.full, run=task)
        if told := orders.read(run):
            options = told.over(options)
        return Job(self.repo, self.config, options, self.tools, self.now, run)

    def _drive(self, job: Job) -> ScanReport:
        skip_to = ""
        for name in STEPS:
            if skip_to and name != skip_to:
                continue
            if _done(job, name):
                continue
            self.tools.progress(name)
            with _kept_whole(job, name):
                result = _perform(job, name)
            if result == Result.NONE and name in _ENDING:
                skip_to = _LAST
        return report(job)


def report(job: Job) -> ScanReport:
    """What a run that went through has done."""
    state = job.run.state()
    settled = settle.read_settled(job) if job.run.has(PLAN) else Settled()
    sources = steps.read_sources(job) if job.run.has(runs.SOURCES) else Sources("", "")
    made = settled.outcome
    return ScanReport(
        run=job.run.id,
        steps=state.steps,
        created=made.created,
        superseded=made.superseded,
        merged=made.merged,
        dropped=made.dropped,
        low=made.low,
        person=made.person,
        deferred=settled.deferred,
        reported=settled.reported,
        domains=settled.domains,
        skipped=sources.skipped,
        remarks=(
            *sources.remarks,
            *settled.remarks,
            *_languages(job),
            *(f"not read: {issue}" for issue in load_store(job.ground().files).issues),
        ),
        written=settled.paths,
        commit=state.commit,
        dry_run=job.options.dry_run,
    )


def _languages(job: Job) -> tuple[str, ...]:
    if not job.run.has(runs.CANDIDATES):
        return ()
    skipped = job.run.read(runs.CANDIDATES).get("skipped")
    if not isinstance(skipped, int) or skipped <= 0:
        return ()
    return (f"{skipped} sentences are in languages that the extractor does not know",)


def _done(job: Job, name: str) -> bool:
    """Whether a resumed run has this step's artifact already."""
    written = {step: artifact for artifact, step in runs.WRITER.items()}
    results = dict(job.run.state().steps)
    if results.get(name) != Result.SUCCESS or not job.options.resume:
        return False
    return name in written and job.run.has(written[name])


def _perform(job: Job, name: str) -> Result:
    """One step; only the last one may move HEAD, and nobody else meanwhile."""
    result = STEPS[name](job)
    state = job.run.state().with_step(name, result)
    if name == _LAST:
        job.run.save(replace(state, stage=Stage.DONE))
    else:
        _same_head(job, state)
        if state.stage is Stage.FAILED:  # a workflow may have gone on after it
            state = replace(state, stage=Stage.OPEN, error="")
        job.run.save(state)
    return result


def _same_head(job: Job, state: State) -> None:
    head = job.repo.head()
    if (head.oid, head.branch) != (state.head, state.branch):
        raise IntentError(
            f"HEAD moved while the scan ran: from {_where(state.head, state.branch)} "
            f"to {_where(head.oid, head.branch)}",
            "no step but the last may commit; if you did, run `git intent scan` again",
        )


def _where(oid: str, branch: str) -> str:
    name = branch.removeprefix("refs/heads/") or "no branch"
    return f"{oid[:12] or 'no commit'} on {name}"


@contextmanager
def _kept_whole(job: Job, name: str) -> Iterator[None]:
    """Put the store back if the step does not end well, and remember the failure."""
    whole = False
    try:
        yield
        whole = True
    except (IntentError, OSError) as error:
        whole = True
        cause = error if isinstance(error, IntentError) else IntentError(str(error))
        state = undone(job)
        with suppress(IntentError):  # on a full disk the run stays open: as good
            failed = state.with_step(name, Result.FAIL)
            job.run.save(replace(failed, stage=Stage.FAILED, error=cause.message))
        raise StepFailed(name, job.run.folder, cause) from error
    finally:
        if not whole:
            undone(job)


def undone(job: Job) -> State:
    """The run's state, once what it wrote is put back unless it is committed."""
    state = job.run.state()
    if not committed(job.repo, job.run, state):
        undo(job.repo, job.run)
    return state
