"""One workflow of a run under way: start what is ready, note what became of it, go on.

What follows from the reports of its steps is decided by `machine`, in one place. Steps
that run side by side have a thread each, at most `AT_ONCE`; a step that runs alone has
none. A visit is noted before it starts and after it ended (`keeper`), so that a run
that was killed goes on where it was: what was started and has no end is `unknown`, and
is run again only if somebody says so.

Once the run is interrupted nothing new starts, and what runs is ended; those visits
count as unfinished. When a branch aborts the workflow, its other branches are ended.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from git_intent.errors import IntentError
from git_intent.secrets import scrub
from git_intent.workflow import kv, machine
from git_intent.workflow.descendants import fresh_mark
from git_intent.workflow.executing import Report
from git_intent.workflow.keeper import Keeper
from git_intent.workflow.model import StepKind, Workflow
from git_intent.workflow.progress import Progress, State, from_json
from git_intent.workflow.run_state import Seen, Visited
from git_intent.workflow.step_log import RunLogs, StepLog
from git_intent.workflow.stop import Stop

AT_ONCE = 4
#: What may be run again unasked: it resumes by itself, or only asks.
_HARMLESS = (StepKind.WORKFLOW, StepKind.POLL)


@dataclass(frozen=True, slots=True)
class Decisions:
    """What becomes of visits that were started and whose end nobody saw: run again, or
    taken to have ended with the result that somebody tells."""

    retry: bool = False
    results: Mapping[str, str] = field(default_factory=dict)

    def settle(self, visit: Visited) -> bool:
        """Whether there is an answer for this visit."""
        return self.retry or visit.step in self.results or visit.kind in _HARMLESS


@dataclass(frozen=True, slots=True)
class Shared:
    """What all levels of a run share. `now` gives a stamp, `tell` hears of every visit
    that starts or ends, from any thread; `report` runs a visit, after what was said
    before it."""

    keeper: Keeper
    logs: RunLogs
    decisions: Decisions
    now: Callable[[], str]
    tell: Callable[[Visited], None]
    report: Callable[["Level", Visited, bytes, StepLog], Report]


class Level:
    """`above` are the steps that run this workflow, outermost first."""

    def __init__(
        self,
        name: str,
        above: tuple[str, ...],
        workflow: Workflow,
        outer: Stop,
        shared: Shared,
    ) -> None:
        self.name = name
        self.above = above
        self.workflow = workflow
        self.stop = Stop(outer)
        self._outer = outer
        self._shared = shared
        self._inbox: SimpleQueue[tuple[Visited, Report | BaseException]] = SimpleQueue()
        self._running: dict[str, threading.Thread | None] = {}
        self._previous = shared.keeper.last_said(name)
        self._progress = self._known()

    def drive(self) -> Progress:
        """Run it until it is over, or stopped. No step is left running."""
        try:
            return self._driven()
        finally:
            self.stop.set()
            for thread in filter(None, self._running.values()):
                thread.join()

    def _driven(self) -> Progress:
        crash: BaseException | None = None
        self._resume()
        while True:
            if not (self._outer.is_set() or crash):
                self._start_ready()
            if self._progress.state is State.ABORTING:
                self.stop.set()
            if not self._running:
                break
            visit, report = self._inbox.get()
            if thread := self._running.pop(visit.step):
                thread.join()
            if isinstance(report, BaseException):
                crash = report
                self.stop.set()
            else:
                self._ended(visit, report)
        if crash:
            raise crash
        return self._progress

    def _known(self) -> Progress:
        found = self._shared.keeper.state.levels.get(self.name)
        if found is None:
            return machine.begin(self.workflow)
        return from_json(self.workflow, found.progress)

    def _resume(self) -> None:
        """Go on with what was under way when the run was killed or interrupted."""
        shared = self._shared
        for visit in self._progress.running:
            key = (self.name, visit.step, visit.number)
            fresh = self._visited(visit.step, visit.number, "")
            visited = shared.keeper.state.visits.get(key, fresh)
            told = visit.result or shared.decisions.results.get(visit.step)
            if told:
                self._finish(self._over(visited, Seen.FINISHED, told))
            elif visited.kind == StepKind.WORKFLOW:
                self._launch(replace(visited, ended_at=""), alone=False)
            else:
                self._progress = machine.repeated(
                    self.workflow, self._progress, visit.step
                )
                self._note(self._over(visited, Seen.UNKNOWN, ""))

    def _start_ready(self) -> None:
        """Start what is ready, as far as there is room."""
        while self._progress.ready and len(self._running) < AT_ONCE:
            step = self._progress.ready[0]
            self._progress = machine.started(self.workflow, self._progress, step)
            visit = self._progress.visit(step)
            visited = self._visited(step, visit.number, fresh_mark())
            if visit.result:
                over = self._over(visited, Seen.FINISHED, visit.result)
                self._finish(replace(over, reason="no attempt is left"))
                continue
            self._note(visited)
            alone = not self._running and not self._progress.ready
            self._launch(visited, alone=alone)

    def _ended(self, visit: Visited, report: Report) -> None:
        """What follows from the end of a visit, which is noted first."""
        if report.stopped:
            visit = self._over(visit, Seen.STOPPED, "")
            if self._progress.state is State.ABORTING:
                self._progress = machine.finished(
                    self.workflow, self._progress, visit.step, Seen.STOPPED
                )
            self._note(visit)
            return
        self._previous = report.output
        keeper = self._shared.keeper
        with keeper.turn:
            rows, problems = kv.merged(keeper.state.rows, report.rows)
            rows |= kv.ended(visit.workflow, visit.step, report.result, report.code)
            reason = scrub("; ".join(filter(None, (report.reason, *problems))))
            state = Seen.SKIPPED if report.skipped else Seen.FINISHED
            visit = self._over(visit, state, report.result)
            visit = replace(visit, code=report.code, reason=reason)
            self._finish(visit, rows, report.output)

    def _finish(
        self,
        visit: Visited,
        rows: Mapping[str, str] | None = None,
        said: bytes | None = None,
    ) -> None:
        self._progress = machine.finished(
            self.workflow, self._progress, visit.step, visit.result
        )
        self._note(visit, rows, said)

    def _note(
        self,
        visit: Visited,
        rows: Mapping[str, str] | None = None,
        said: bytes | None = None,
    ) -> None:
        shared, name = self._shared, self.workflow.name
        shared.keeper.note(self.name, name, self._progress, visit, rows, said)
        place = "/".join((*self.above, f"{name}:{visit.step}"))
        words = " ".join(filter(None, (visit.state, visit.result, visit.reason)))
        shared.logs.status(f"{place} {words}")
        shared.tell(visit)

    def _visited(self, step: str, number: int, mark: str) -> Visited:
        found = self.workflow.step(step)
        return Visited(
            self.name,
            self.workflow.name,
            step,
            number,
            found.kinds[0].value if found else "",
            started_at=self._shared.now(),
            mark=mark,
        )

    def _over(self, visit: Visited, state: Seen, result: str) -> Visited:
        """The visit at its end; what nobody saw the end of keeps its mark."""
        mark = "" if result else visit.mark
        now = self._shared.now()
        return replace(visit, state=state.value, result=result, ended_at=now, mark=mark)

    def _launch(self, visit: Visited, *, alone: bool) -> None:
        self._running[visit.step] = None
        if alone:
            self._work(visit, self._previous)
            return
        thread = threading.Thread(
            target=self._work, args=(visit, self._previous), name=visit.step
        )
        self._running[visit.step] = thread
        thread.start()

    def _work(self, visit: Visited, previous: bytes) -> None:
        shared = self._shared
        log = StepLog(shared.logs, self.above, visit.workflow, visit.step)
        report: Report | BaseException
        try:
            report = shared.report(self, visit, previous, log)
            report = replace(report, rows=shared.keeper.rows_of(visit))
        except IntentError as error:
            hint = f" ({error.hint})" if error.hint else ""
            report = Report("fail", reason=f"{error.message}{hint}")
        except BaseException as error:  # raised where the level is driven
            report = error
        self._inbox.put((replace(visit, logs=tuple(log.names)), report))
