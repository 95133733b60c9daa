"""Drive a workflow to its end: start what is ready, note what became of it, go on.

Every step runs in a thread of its own, at most `AT_ONCE` of a level at a time; what
follows from their reports is decided by `machine`, in one place a level. A visit is
noted before it starts and after it ended (`keeper`), so that a run that was killed goes
on where it was: what was started and has no end is `unknown`, and is run again only if
somebody says so.

Once the run is interrupted nothing new starts, and what runs is ended; those visits
count as unfinished. When a branch aborts the run, the other branches are ended too.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue

from git_intent import files
from git_intent.errors import IntentError
from git_intent.secrets import scrub
from git_intent.workflow import kv, machine
from git_intent.workflow.executing import (
    Report,
    Setting,
    late,
    limit,
    poll,
    script,
    skipped,
)
from git_intent.workflow.keeper import Keeper
from git_intent.workflow.model import Step, StepKind, Workflow
from git_intent.workflow.process import fresh_mark
from git_intent.workflow.progress import Progress, State, from_json
from git_intent.workflow.run_state import Seen, Visited
from git_intent.workflow.step_log import RunLogs, StepLog
from git_intent.workflow.stop import Stop

AT_ONCE = 4
#: Workflows that run workflows, counted from the run's own.
DEEPEST = 16
#: More of what the last step said does not fit into a variable of the environment.
_VARIABLE = 96 << 10


#: Runs a step with a prompt, of a workflow.
RunAgent = Callable[[Workflow, Step, Setting, bytes], Report]


@dataclass(frozen=True, slots=True)
class World:
    """What a run touches. `env` is for every step, `find` gives a workflow by name,
    `now` a stamp, `nonce` something fresh that nobody can guess; `tell` hears of every
    visit that starts or ends, from any thread."""

    root: Path
    env: Mapping[str, str]
    find: Callable[[str], Workflow]
    agent: RunAgent
    now: Callable[[], str]
    nonce: Callable[[], str]
    tell: Callable[[Visited], None]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What becomes of visits that were started and whose end nobody saw: run again, or
    taken to have ended with the result that somebody tells."""

    retry: bool = False
    results: Mapping[str, str] = field(default_factory=dict)

    def settle(self, visit: Visited) -> bool:
        """Whether there is an answer for this visit."""
        return self.retry or visit.step in self.results or visit.kind in _HARMLESS


#: What may be run again unasked: it resumes by itself, or only asks.
_HARMLESS = (StepKind.WORKFLOW, StepKind.POLL)


@dataclass(frozen=True, slots=True)
class _Level:
    name: str
    above: tuple[str, ...]  # the steps that run this workflow, outermost first
    workflow: Workflow
    stop: Stop
    inbox: "SimpleQueue[tuple[Visited, Report | BaseException]]"

    def visited(self, step: str, number: int, mark: str, now: str) -> Visited:
        found = self.workflow.step(step)
        kind = found.kinds[0].value if found else ""
        return Visited(
            self.name,
            self.workflow.name,
            step,
            number,
            kind,
            started_at=now,
            mark=mark,
        )


class Runner:
    def __init__(
        self,
        world: World,
        keeper: Keeper,
        logs: RunLogs,
        decisions: Decisions | None = None,
    ) -> None:
        self._world = world
        self._keeper = keeper
        self._logs = logs
        self._decisions = decisions or Decisions()

    def run(self, workflow: Workflow, stop: Stop) -> Progress:
        """Run the workflow until it is over or `stop` is set."""
        return self._drive("", (), workflow, stop)

    # One level

    def _drive(
        self, name: str, above: tuple[str, ...], workflow: Workflow, outer: Stop
    ) -> Progress:
        level = _Level(name, above, workflow, Stop(outer), SimpleQueue())
        known = self._keeper.state.levels.get(name)
        if known is None:
            progress = machine.begin(workflow)
        else:
            progress = from_json(workflow, known.progress)
        running: dict[str, threading.Thread] = {}
        previous = self._keeper.last_said(name)
        progress = self._resumed(level, progress, running, previous)
        crash: BaseException | None = None
        while True:
            if not (outer.is_set() or crash):
                progress = self._started(level, progress, running, previous)
            if progress.state is State.ABORTING:
                level.stop.set()
            if not running:
                break
            visit, report = level.inbox.get()
            running.pop(visit.step).join()
            if isinstance(report, BaseException):
                crash = report
                level.stop.set()
            else:
                progress, previous = self._ended(
                    level, progress, visit, report, previous
                )
        if crash:
            raise crash
        return progress

    def _resumed(
        self,
        level: _Level,
        progress: Progress,
        running: dict[str, threading.Thread],
        previous: bytes,
    ) -> Progress:
        """Go on with what was under way when the run was killed or interrupted."""
        for visit in progress.running:
            key = (level.name, visit.step, visit.number)
            fresh = level.visited(visit.step, visit.number, "", self._world.now())
            visited = self._keeper.state.visits.get(key, fresh)
            told = visit.result or self._decisions.results.get(visit.step)
            if told:
                visited = self._over(visited, Seen.FINISHED, told)
                progress = machine.finished(level.workflow, progress, visit.step, told)
            elif visited.kind == StepKind.WORKFLOW:
                self._launch(level, replace(visited, ended_at=""), running, previous)
                continue
            else:
                visited = self._over(visited, Seen.UNKNOWN, "")
                progress = machine.repeated(level.workflow, progress, visit.step)
            self._note(level, progress, visited)
        return progress

    def _started(
        self,
        level: _Level,
        progress: Progress,
        running: dict[str, threading.Thread],
        previous: bytes,
    ) -> Progress:
        """Start what is ready, as far as there is room."""
        while progress.ready and len(running) < AT_ONCE:
            step = progress.ready[0]
            progress = machine.started(level.workflow, progress, step)
            visit = progress.visit(step)
            now = self._world.now()
            visited = level.visited(step, visit.number, fresh_mark(), now)
            if visit.result:
                visited = self._over(visited, Seen.FINISHED, visit.result)
                visited = replace(visited, reason="no attempt is left")
                progress = machine.finished(
                    level.workflow, progress, step, visit.result
                )
                self._note(level, progress, visited)
                continue
            self._note(level, progress, visited)
            self._launch(level, visited, running, previous)
        return progress

    def _ended(
        self,
        level: _Level,
        progress: Progress,
        visit: Visited,
        report: Report,
        previous: bytes,
    ) -> tuple[Progress, bytes]:
        """What follows from the end of a visit, which is noted first."""
        if report.stopped:
            visit = self._over(visit, Seen.STOPPED, "")
            if progress.state is State.ABORTING:
                progress = machine.finished(
                    level.workflow, progress, visit.step, Seen.STOPPED
                )
            self._note(level, progress, visit)
            return progress, previous
        state = Seen.SKIPPED if report.skipped else Seen.FINISHED
        visit = self._over(visit, state, report.result)
        rows, problems = kv.merged(self._keeper.state.rows, report.rows)
        rows |= kv.ended(visit.workflow, visit.step, report.result, report.code)
        reason = scrub("; ".join(filter(None, (report.reason, *problems))))
        visit = replace(visit, code=report.code, reason=reason)
        progress = machine.finished(level.workflow, progress, visit.step, report.result)
        self._note(level, progress, visit, rows, report.output)
        return progress, report.output

    def _over(self, visit: Visited, state: Seen, result: str) -> Visited:
        """The visit at its end; what nobody saw the end of keeps its mark."""
        mark = "" if result else visit.mark
        now = self._world.now()
        return replace(visit, state=state.value, result=result, ended_at=now, mark=mark)

    def _note(
        self,
        level: _Level,
        progress: Progress,
        visit: Visited,
        rows: Mapping[str, str] | None = None,
        said: bytes | None = None,
    ) -> None:
        name = level.workflow.name
        self._keeper.note(level.name, name, progress, visit, rows, said)
        place = "/".join((*level.above, f"{visit.workflow}:{visit.step}"))
        words = " ".join(filter(None, (visit.state, visit.result, visit.reason)))
        self._logs.status(f"{place} {words}")
        self._world.tell(visit)

    # One visit

    def _launch(
        self,
        level: _Level,
        visit: Visited,
        running: dict[str, threading.Thread],
        previous: bytes,
    ) -> None:
        thread = threading.Thread(
            target=self._work, args=(level, visit, previous), name=visit.step
        )
        running[visit.step] = thread
        thread.start()

    def _work(self, level: _Level, visit: Visited, previous: bytes) -> None:
        log = StepLog(self._logs, level.above, visit.workflow, visit.step)
        report: Report | BaseException
        try:
            report = self._report(level, visit, previous, log)
            report = replace(report, rows=self._keeper.rows_of(visit))
        except IntentError as error:
            hint = f" ({error.hint})" if error.hint else ""
            report = Report("fail", reason=f"{error.message}{hint}")
        except BaseException as error:  # the level's thread raises it
            report = error
        level.inbox.put((replace(visit, logs=tuple(log.names)), report))

    def _report(
        self, level: _Level, visit: Visited, previous: bytes, log: StepLog
    ) -> Report:
        step = level.workflow.step(visit.step)
        if step is None:
            raise IntentError(f"workflow '{visit.workflow}' has no '{visit.step}'")
        setting = Setting(
            self._world.root,
            self._variables(visit, previous),
            self._world.nonce(),
            visit.mark,
            log,
            level.stop,
            files.effect,
            time.monotonic() + limit(step),
        )
        if done := skipped(step, setting):
            return done
        if visit.kind == StepKind.AGENT:
            return self._world.agent(level.workflow, step, setting, previous)
        if visit.kind == StepKind.WORKFLOW:
            return self._nested(level, step, visit)
        return (poll if visit.kind == StepKind.POLL else script)(step, setting)

    def _variables(self, visit: Visited, previous: bytes) -> dict[str, str]:
        said = previous[-_VARIABLE:].replace(b"\0", b"")
        return {
            **self._world.env,
            "CLOCHE_PREV_OUTPUT": said.decode("utf-8", "surrogateescape"),
            "GIT_INTENT_WORKFLOW": visit.workflow,
            "GIT_INTENT_STEP": visit.step,
            kv.VARIABLE: str(self._keeper.rows_file(visit)),
        }

    def _nested(self, level: _Level, step: Step, visit: Visited) -> Report:
        """Run the workflow that the step names, as a level of this run."""
        above = (*level.above, step.name)
        if len(above) >= DEEPEST:
            raise IntentError(
                f"step '{step.name}': workflows run one another {DEEPEST} deep",
                "see to it that this ends",
            )
        workflow = self._world.find(step.text(StepKind.WORKFLOW))
        timed = limit(step) if step.text("timeout") else None
        own = Stop(level.stop, timed)
        progress = self._drive(visit.below, above, workflow, own)
        if not progress.over:
            return late(step) if own.late else Report("", stopped=True)
        done = progress.state is State.DONE
        names = ("success", "done") if done else ("fail", "abort")
        allowed = machine.allowed_results(step)
        result = next((name for name in names if name in allowed), names[0])
        output = self._keeper.last_said(visit.below)
        return Report(result, output=output, reason=progress.reason)
