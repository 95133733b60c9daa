"""Run a workflow to its end: each visit of a step by its kind, workflows in workflows.

How steps follow one another is `level`'s, how one is run `executing`'s and
`agent_step`'s; here both meet, with what a run touches of the world.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from git_intent import files
from git_intent.errors import IntentError
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
from git_intent.workflow.level import Decisions, Level, Shared
from git_intent.workflow.model import Step, StepKind, Workflow
from git_intent.workflow.progress import Progress, State
from git_intent.workflow.run_state import Visited
from git_intent.workflow.step_log import RunLogs, StepLog
from git_intent.workflow.stop import Stop

#: Workflows that run workflows, counted from the run's own.
DEEPEST = 16
#: More of what the last step said does not fit into a variable of the environment.
_VARIABLE = 96 << 10

#: Runs a step with a prompt, of a workflow, after what was said before it.
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
        self._shared = Shared(
            keeper,
            logs,
            decisions or Decisions(),
            world.now,
            world.tell,
            self._report,
        )

    def run(self, workflow: Workflow, stop: Stop) -> Progress:
        """Run the workflow until it is over or `stop` is set."""
        return Level("", (), workflow, stop, self._shared).drive()

    def _report(
        self, level: Level, visit: Visited, previous: bytes, log: StepLog
    ) -> Report:
        """Run one visit to its end."""
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

    def _nested(self, level: Level, step: Step, visit: Visited) -> Report:
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
        progress = Level(visit.below, above, workflow, own, self._shared).drive()
        if not progress.over:
            return late(step) if own.late else Report("", stopped=True)
        done = progress.state is State.DONE
        names = ("success", "done") if done else ("fail", "abort")
        allowed = machine.allowed_results(step)
        result = next((name for name in names if name in allowed), names[0])
        output = self._keeper.last_said(visit.below)
        return Report(result, output=output, reason=progress.reason)
