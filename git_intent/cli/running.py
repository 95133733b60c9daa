"""A run of a workflow from its begin to its end: record, journal, logs and runner."""

import os
import secrets
import signal
import string
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from git_intent.cli import output, run_task
from git_intent.cli.project import Project, clock
from git_intent.cli.recording import beginning
from git_intent.cli.run_plan import Plan
from git_intent.cli.run_steps import name
from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.store.stamps import stamp
from git_intent.workflow import kv, run_record
from git_intent.workflow.descendants import Family, end_orphans, is_mark
from git_intent.workflow.executing import Report, Setting
from git_intent.workflow.keeper import Keeper
from git_intent.workflow.level import Decisions
from git_intent.workflow.machine import allowed_results
from git_intent.workflow.model import Step, Workflow
from git_intent.workflow.process import GRACE
from git_intent.workflow.progress import Progress, State
from git_intent.workflow.run_journal import RunJournal
from git_intent.workflow.run_state import Outcome, RunState, Visited
from git_intent.workflow.runner import RunAgent, Runner, World
from git_intent.workflow.step_log import RunLogs
from git_intent.workflow.stop import Stop

if TYPE_CHECKING:
    from git_intent.workflow.agent_step import Asking

_LETTERS = string.ascii_lowercase + string.digits
_ATTEMPT = 4
MAIN = "main"


@dataclass(frozen=True, slots=True)
class Running:
    """A run from its begin or resumption to its end, or until it is interrupted."""

    project: Project
    plan: Plan
    run: str
    task: bytes
    tell: Callable[[Visited], None]
    env: Mapping[str, str] = field(default_factory=dict)  # more for every step

    @property
    def _journal(self) -> RunJournal:
        return RunJournal(self.project.repo.common_dir, self.run)

    def begin(self) -> RunState:
        """Run it from its first step."""
        project, workflow = self.project, self.plan.workflow
        journal = self._journal
        with journal.held():
            state = RunState(
                workflow.name,
                _attempt(self.run),
                {path: sha256(data) for path, data in self.plan.definitions.items()},
                rows=kv.begun(self.run, workflow.name),
            )
            meta = beginning(project.repo, project.now)
            meta = replace(meta, opted_out=workflow.opted_out)
            run_record.begin(
                project.repo,
                self.run,
                meta,
                state,
                run_task.without_secrets(self.task),
                self.plan.definitions,
            )
            run_task.keep(project, self.run, self.task)
            return self._drive(journal, state, Decisions())

    def resume(self, decisions: Decisions) -> RunState:
        """Go on where it was killed or interrupted."""
        journal = self._journal
        with journal.held():
            _, state = run_record.load(self.project.repo, self.run)
            if state.outcome:
                journal.end()  # whoever ended the run had no time for this
            state = journal.replayed(state)
            self._refuse(state, decisions)
            for visit in state.unfinished():
                end_orphans(visit.mark, GRACE)
            return self._drive(journal, state, decisions)

    def _refuse(self, state: RunState, decisions: Decisions) -> None:
        """Raises IntentError if it cannot go on, or not without an answer."""
        if state.outcome:
            raise IntentError(
                f"run {self.run!r} is over: {state.outcome}",
                f"begin a new one: git intent run {state.workflow}",
            )
        now = {path: sha256(data) for path, data in self.plan.definitions.items()}
        if changed := sorted({*now.items()} ^ {*state.definitions.items()}):
            raise IntentError(
                f"{changed[0][0]}: is not what it was when run {self.run!r} began",
                "put it back, or begin a new run",
            )
        self._check_results(state, decisions)
        asked = [v for v in state.unfinished() if not decisions.settle(v)]
        if asked:
            shown = "".join(f"\n  {_shown(visit)}" for visit in asked)
            raise IntentError(
                f"nobody saw the end of these steps of run {self.run!r}:{shown}",
                "look at what they did; then --retry runs them again, and "
                f"--result {asked[0].step}=RESULT goes on as if they had ended so",
            )

    def _check_results(self, state: RunState, decisions: Decisions) -> None:
        """Raises IntentError for a result that no step can have had."""
        open_steps = {visit.step: visit for visit in state.unfinished()}
        for step, result in decisions.results.items():
            visit = open_steps.get(step)
            if visit is None:
                raise IntentError(
                    f"--result {step}={result}: step '{step}' is not under way",
                    f"under way are: {', '.join(sorted(open_steps)) or 'none'}",
                )
            found = self.plan.known.find(visit.workflow).step(step)
            allowed = allowed_results(found) if found else ()
            if result not in allowed:
                raise IntentError(
                    f"--result {step}={result}: the step has no such result",
                    f"it may be: {', '.join(allowed)}",
                )

    def _drive(
        self, journal: RunJournal, state: RunState, decisions: Decisions
    ) -> RunState:
        project = self.project
        logs = RunLogs(project.root, self.run, state.attempt, _now)
        keeper = Keeper(
            state,
            journal,
            lambda found: run_record.save(project.repo, self.run, found),
        )
        agent = self._agent(lambda: keeper.state.rows)
        runner = Runner(self._world(state, agent), keeper, logs, decisions)
        stop = Stop()
        with _interruptible(stop):
            try:
                progress = runner.run(self.plan.workflow, stop)
            except OSError as error:
                raise IntentError(
                    f"run {self.run!r} cannot go on: {error.strerror}",
                    f"when that is mended: git intent run --resume {self.run}",
                ) from error
            finally:
                logs.close()
            if logs.problem:
                output.note(f"note: the logs are not complete: {logs.problem}")
            if not progress.over:
                run_record.save(project.repo, self.run, keeper.state)
                return keeper.state
            return self._end(journal, keeper.state, progress)

    def _end(
        self, journal: RunJournal, state: RunState, progress: Progress
    ) -> RunState:
        done = progress.state is State.DONE
        state = replace(
            state,
            outcome=Outcome.DONE if done else Outcome.ABORTED,
            reason=progress.reason,
        )
        project = self.project
        workflow = self.plan.workflow
        scanned = done and workflow.name == MAIN and not workflow.opted_out
        if scanned:
            from git_intent.cli import queued

            queued.expect(project, self.run)
        record = run_record.end(
            project.repo,
            self.run,
            state,
            commit=project.repo.resolve("HEAD") or "",
            at=_now(),
        )
        journal.end()
        if scanned and record.meta.opted_out:
            queued.forget(project, self.run)
        elif scanned:
            queued.completed(project, self.run)
        return state

    def _agent(self, rows: Callable[[], Mapping[str, str]]) -> RunAgent:
        """Runs the steps with a prompt. What that takes is loaded by the first one."""

        @cache
        def asking() -> "Asking":
            from git_intent.cli.run_asking import asking_for

            return asking_for(self.project, self.run, self.task, rows)

        turn = threading.Lock()

        def run(
            workflow: Workflow, step: Step, setting: Setting, previous: bytes
        ) -> Report:
            with turn:
                made = asking()
            return made.run_step(workflow, step, setting, previous)

        return run

    def _world(self, state: RunState, agent: RunAgent) -> World:
        return World(
            root=self.project.root,
            env={
                **_variables(self.project, self.run, state.attempt),
                **self.env,
            },
            find=self.plan.known.find,
            agent=agent,
            now=_now,
            nonce=lambda: secrets.token_hex(8),
            tell=self.tell,
        )


def fresh_name(workflow: str) -> str:
    """A name for a run: four characters and the workflow's name, as Cloche's are."""
    start = "".join(secrets.choice(_LETTERS) for _ in range(_ATTEMPT))
    return f"{start}-{workflow}"


def _attempt(run: str) -> str:
    """The attempt that a run's name speaks of, or a fresh one."""
    start, dash, _ = run.partition("-")
    fits = bool(dash) and len(start) == _ATTEMPT and set(start) <= set(_LETTERS)
    return start if fits else fresh_name("").removesuffix("-")


def _now() -> str:
    return stamp(clock())


def _shown(visit: Visited) -> str:
    living = len(Family(visit.mark).members()) if is_mark(visit.mark) else 0
    still = f"; {living} of its processes still run" if living else ""
    return f"{name(visit)} ({visit.state}, begun {visit.started_at}{still})"


def _variables(project: Project, run: str, attempt: str) -> dict[str, str]:
    """What every step finds in its environment."""
    author, email = project.repo.identity() or ("", "")
    here = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath)
    return {
        "CLOCHE_PROJECT_DIR": str(project.root),
        "CLOCHE_RUN_ID": run,
        "CLOCHE_TASK_ID": run,
        "CLOCHE_ATTEMPT_ID": attempt,
        "CLOCHE_GIT_AUTHOR_NAME": author,
        "CLOCHE_GIT_AUTHOR_EMAIL": email,
        "GIT_INTENT_RUN": run,
        # steps call `git intent`, also where it is not installed for everybody
        "PATH": path if here in path.split(os.pathsep) else f"{path}{os.pathsep}{here}",
    }


@contextmanager
def _interruptible(stop: Stop) -> Iterator[None]:
    """End the steps that run, and no more, when somebody asks us to end."""

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, end) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
