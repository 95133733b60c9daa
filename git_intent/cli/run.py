"""`git intent run`: the steps of a workflow, along its wires, to its end."""

import click

from git_intent.cli import output, run_task
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.cli.run_plan import plan
from git_intent.cli.run_status import RunStatus
from git_intent.cli.run_steps import steps_json
from git_intent.cli.running import Running, fresh_name
from git_intent.errors import IntentError
from git_intent.workflow import run_record
from git_intent.workflow.level import Decisions
from git_intent.workflow.model import SCAN
from git_intent.workflow.run_state import Outcome, RunState
from git_intent.workflow.step_log import LOGS

_INTERRUPTED = 130


@click.command(
    epilog=examples(
        'run main --task "bump the version"',
        "run main --task-file task.md --run release-7",
        "run --resume k3f9-main --retry",
        "run --resume k3f9-main --result build=success",
    )
)
@click.argument("workflow", required=False)
@click.option("--task", metavar="TEXT", help="What the run is asked to do.")
@click.option(
    "--task-file", metavar="F", help="A file that holds the task; - is stdin."
)
@click.option("--run", "name", metavar="NAME", help="What to call the run.")
@click.option("--resume", metavar="RUN", help="Go on with a run that did not end.")
@click.option(
    "--retry", is_flag=True, help="With --resume: run again what nobody saw the end of."
)
@click.option(
    "--result",
    "results",
    metavar="STEP=RESULT",
    multiple=True,
    help="With --resume: take it that the step ended so.",
)
@json_option
@click.pass_obj
def command(
    directory: str,
    workflow: str | None,
    task: str | None,
    task_file: str | None,
    name: str | None,
    resume: str | None,
    retry: bool,
    results: tuple[str, ...],
    as_json: bool,
) -> int:
    """Run a workflow: its scripts, agents and polls here, in the project's folder.

    Every agent's prompt gets the block of requirements. What a step did is noted before
    and after, so a run that was interrupted or killed goes on with --resume. Nothing
    that came with a clone runs before `git intent trust`. Exit code 1 says that the run
    was aborted.
    """
    if (workflow is None) == (resume is None):
        raise click.UsageError("Give a WORKFLOW, or --resume RUN.")
    if resume is None and (retry or results):
        raise click.UsageError("--retry and --result go with --resume.")
    if resume is not None and (task is not None or task_file is not None or name):
        raise click.UsageError("A run that is resumed has its task and name.")
    decisions = Decisions(retry, dict(map(_result, results)))
    project = open_project(directory)
    with RunStatus() as status:
        if workflow is not None:
            words = _words(directory, task, task_file)
            running = Running(
                project,
                plan(project, workflow),
                name or fresh_name(workflow),
                words,
                status.tell,
            )
            output.note(f"run {output.one_line(running.run)}")
            state = _begun(running)
        else:
            running = _resumed(project, resume or "", status)
            state = running.resume(decisions)
    return _report(running.run, state, as_json)


def _words(directory: str, task: str | None, task_file: str | None) -> bytes:
    if task is None and task_file is None:
        return b""
    from git_intent.cli.injecting import task_text

    return task_text(directory, task, task_file).encode()


def _begun(running: Running) -> RunState:
    """What a new run comes to; a scan runs under its own lock and rules."""
    if running.plan.workflow.name != SCAN:
        return running.begin()
    from git_intent.cli.workflow_scan import run_as_scan

    return run_as_scan(running)


def _resumed(project: Project, run: str, status: RunStatus) -> Running:
    record, state = run_record.load(project.repo, run)
    if state.workflow == SCAN:
        raise IntentError(
            f"run {run!r} is a scan", "`git intent scan --resume` goes on with that"
        )
    task = run_task.kept(project, record)
    return Running(project, plan(project, state.workflow), run, task, status.tell)


def _result(text: str) -> tuple[str, str]:
    step, equals, result = text.partition("=")
    if not (step and equals and result):
        raise click.UsageError(f"--result {text}: expected STEP=RESULT.")
    return step, result


def _report(run: str, state: RunState, as_json: bool) -> int:
    outcome = state.outcome or "interrupted"
    if as_json:
        output.document(
            {"run": run, "state": outcome, **steps_json(state), "reason": state.reason}
        )
    else:
        why = f": {output.one_line(state.reason)}" if state.reason else ""
        output.say(f"{output.one_line(run)}: {outcome}{why}")
    if not state.outcome:
        output.note(f"to go on: git intent run --resume {run}{_needed(state)}")
        return _INTERRUPTED
    if state.outcome == Outcome.ABORTED:
        output.note(f"logs: {LOGS}/{run}/{state.attempt}/")
    return int(state.outcome != Outcome.DONE)


def _needed(state: RunState) -> str:
    """What resuming takes: an answer about steps that were cut off."""
    return "" if all(map(Decisions().settle, state.unfinished())) else " --retry"
