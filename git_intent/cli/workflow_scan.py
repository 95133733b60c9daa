"""A scan by the workflow `intent-scan`: the built-in one, or the project's own.

The built-in steps run in this process, unless the workflow is run as such. A project's
own runs through the runner of `git intent run`, under the lock of this scan; its run is
on record like any other, and excluded, so that no scan reads its own words.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from git_intent.cli import output
from git_intent.cli.project import Project
from git_intent.cli.scanning import agent_logs, repositories, scanner
from git_intent.errors import IntentError
from git_intent.scan.by_workflow import Ended, WorkflowScan
from git_intent.scan.job import Options
from git_intent.scan.pipeline import StepFailed
from git_intent.scan.summary import ScanReport
from git_intent.workflow import catalog

if TYPE_CHECKING:
    from git_intent.cli.running import Running
    from git_intent.workflow.run_state import RunState

_GO_ON = "`git intent scan --resume` goes on"


class Scan(Protocol):
    """One scan, to be made by a caller that does not hold the lock, or does."""

    def scan(self) -> ScanReport: ...

    def scan_one(self) -> ScanReport: ...


class Interrupted(IntentError):
    """Somebody has ended a scan while its workflow ran."""

    exit_code = 130


def scan_of(project: Project, options: Options, *, quiet: bool = False) -> Scan:
    """The scan of a project. Raises IntentError if its workflow may not run."""
    workflow = catalog.find(project.root, catalog.SCAN)
    if workflow.builtin:
        return scanner(project, options, agent_logs(project))
    if options.dry_run:
        raise IntentError(
            f"{workflow.source}: the project's own '{workflow.name}' cannot be run "
            "dry: its steps write what they like",
            "use --no-commit, and look at the changes with `git diff`",
        )
    if not quiet:
        output.note(f"{workflow.name}: {output.one_line(workflow.source)}")
    return _Own(project, options, quiet)


class _Own:
    """The scan of a project by its own workflow."""

    def __init__(self, project: Project, options: Options, quiet: bool) -> None:
        from git_intent.cli.run_plan import plan
        from git_intent.cli.run_status import RunStatus
        from git_intent.cli.running import Running, fresh_name

        self.status = RunStatus(quiet)
        made = plan(project, catalog.SCAN)
        name = fresh_name(catalog.SCAN)
        self.running = Running(project, made, name, b"", self.status.tell)
        self.made = _by(self.running, options, [])

    def scan(self) -> ScanReport:
        with self.status:
            return self.made.scan()

    def scan_one(self) -> ScanReport:
        with self.status:
            return self.made.scan_one()


def run_as_scan(running: "Running") -> "RunState":
    """Run the workflow as `git intent scan` would, also the built-in one.

    Raises StepFailed if it ended well and yet broke the rules of a scan.
    """
    from git_intent.workflow.run_state import Outcome

    options = Options(repositories=repositories(running.project.root))
    states: list[RunState] = []
    try:
        _by(running, options, states).scan()
    except StepFailed as error:
        if not states or states[-1].outcome == Outcome.DONE:
            raise
        output.error(error.message, error.hint)
    return states[-1]


def _by(running: "Running", options: Options, states: "list[RunState]") -> WorkflowScan:
    """A scan by a run that is to begin; what the run came to is added to `states`."""

    def perform(env: Mapping[str, str]) -> Ended:
        state = replace(running, env=env).begin()
        states.append(state)
        if not state.outcome:
            raise Interrupted("the scan was interrupted", _GO_ON)
        return _ended(running, state)

    made = scanner(running.project, options, agent_logs(running.project))
    return WorkflowScan(made, running.plan.workflow, running.plan.reachable, perform)


def _ended(running: "Running", state: "RunState") -> Ended:
    """How the run ended; the step that did so last is taken for the one that failed."""
    from git_intent.workflow.run_state import Outcome
    from git_intent.workflow.step_log import LOGS

    done = state.outcome == Outcome.DONE
    steps = sorted(state.visits.values(), key=lambda visit: visit.ended_at)
    last = steps[-1] if steps else None
    log = running.project.root / LOGS / running.run / state.attempt
    if done or last is None:
        return Ended(done, "", state.reason, log)
    why = f" ({last.reason})" if last.reason else ""
    return Ended(False, last.step, f"{state.reason}{why}", log)
