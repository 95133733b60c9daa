"""`git intent runs`: what the steps of recorded runs were given, and what they did."""

import re
from typing import Any

import click

from git_intent.cli import output, run_steps
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.errors import IntentError
from git_intent.git import objects
from git_intent.store.intent_dir import Store
from git_intent.store.requirement import Status
from git_intent.workflow import runs
from git_intent.workflow.run_state import RunState
from git_intent.workflow.runs import Meta, Record


@click.group(epilog=examples("runs list", "runs show chat-7"))
def command() -> None:
    """Say which runs are on record, and what their steps were given."""


@command.command(
    "list",
    short_help="List recorded runs.",
    epilog=examples("runs list", "runs list --requirement req-a3f8"),
)
@click.option("--requirement", metavar="REQ", help="Only runs that were given it.")
@json_option
@click.pass_obj
def list_(directory: str, requirement: str | None, as_json: bool) -> None:
    """List recorded runs, newest first, with the requirements they were given."""
    wanted = _id(requirement) if requirement else ""
    project = open_project(directory)
    rows = []
    for run, meta, broken, kv in runs.summaries(project.repo):
        ids = runs.all_ids(kv)
        if broken:
            output.note(f"{output.one_line(run)}: {broken}")
        if not wanted or wanted in ids:
            rows.append((run, meta, ids))
    rows.sort(key=lambda row: (row[1].started_at, row[0]), reverse=True)
    if as_json:
        output.document({"runs": [_row(project, *row) for row in rows]})
    elif not rows:
        output.say(f"No run was given {wanted}." if wanted else "No runs on record.")
    else:
        output.table(
            ["run", "state", "started", "requirements"],
            [
                [run, _state(project, run, m), m.started_at, " ".join(ids)]
                for run, m, ids in rows
            ],
        )


@command.command(
    "show",
    short_help="Show what each step of a run was given and did.",
    epilog=examples("runs show chat-7", "runs show chat-7 --json"),
)
@click.argument("run", metavar="R")
@json_option
@click.pass_obj
def show(directory: str, run: str, as_json: bool) -> None:
    """Show the exact text that each step was given then, and what changed since.

    Of a run of `git intent run` it also tells how each step ended.
    """
    project = open_project(directory)
    record = runs.read(project.repo, run)
    if not record.oid:
        raise IntentError(
            f"no run {run!r} is on record",
            "`git intent runs list` shows those that are",
        )
    if record.broken:
        output.note(f"{record.ref}: {record.broken}")
    steps = _steps(project, record)
    done = _done(project, record)
    if as_json:
        facts = _facts(project, run, record.meta)
        more = {"prompt": bool(record.prompt), "transcripts": len(record.transcripts)}
        found = {"run": {**facts, **more}, "steps": steps}
        if done:
            found["workflow"] = run_steps.steps_json(done)
        output.document(found)
        return
    _print(project, record, done)
    _print_blocks(steps)


def _done(project: Project, record: Record) -> RunState | None:
    """What the steps did, as far as it can be read."""
    try:
        return run_steps.current(project.repo, record)
    except IntentError as error:
        output.note(f"{record.ref}: {error.message}")
        return None


def _id(given: str) -> str:
    """An id as a run holds it; the store may not have it any more."""
    wanted = given.strip().lower()
    return f"req-{wanted}" if re.fullmatch("[0-9a-f]{4}", wanted) else wanted


def _state(project: Project, run: str, meta: Meta) -> str:
    state = run_steps.run_state(project.repo, run, meta)
    return f"{state}, excluded" if meta.opted_out else state


def _facts(project: Project, run: str, meta: Meta) -> dict[str, Any]:
    return {
        "id": run,
        "state": run_steps.run_state(project.repo, run, meta),
        "opted_out": meta.opted_out,
        "started_at": meta.started_at,
        "ended_at": meta.ended_at,
        "start": meta.start,
        "end": meta.end,
    }


def _row(
    project: Project, run: str, meta: Meta, ids: tuple[str, ...]
) -> dict[str, Any]:
    return {**_facts(project, run, meta), "requirements": list(ids)}


def _steps(project: Project, record: Record) -> list[dict[str, Any]]:
    store = project.store()
    kv = runs.kv(project.repo, record)
    blobs = objects.read_blobs(project.repo, record.files.values())
    found = []
    for workflow, step in record.steps:
        ids = runs.ids_of(kv, workflow, step)
        block = blobs.get(record.files[runs.block_path(workflow, step)], b"")
        found.append(
            {
                "workflow": workflow,
                "step": step,
                "ids": list(ids),
                "since": [now for id in ids if (now := _since(store, id))],
                "block": block.decode("utf-8", "surrogateescape"),
            }
        )
    return found


def _since(store: Store, id: str) -> dict[str, str] | None:
    """What became of a requirement that is not active any more."""
    found = store.requirements.get(id)
    if found is None:
        return {"id": id, "status": "missing", "superseded_by": ""}
    if found.status is Status.ACTIVE:
        return None
    return {
        "id": id,
        "status": found.status.value,
        "superseded_by": found.superseded_by,
    }


def _print(project: Project, record: Record, done: RunState | None) -> None:
    meta = record.meta
    state = _state(project, record.run, meta)
    output.say(f"Run: {output.one_line(record.run)} ({state})")
    if meta.started_at:
        until = f" to {meta.ended_at}" if meta.ended_at else ""
        output.say(f"Time: {meta.started_at}{until}")
    if meta.start:
        output.say(f"Commits: {meta.start[:12]}..{meta.end[:12]}")
    said = len(record.transcripts)
    output.say(f"Kept: {'a' if record.prompt else 'no'} prompt, transcripts: {said}")
    if done is not None:
        why = f" ({output.one_line(done.reason)})" if done.reason else ""
        output.say(f"Workflow: {output.one_line(done.workflow)}{why}\n")
        output.table(["step", "result", "time", "reason"], [*run_steps.rows(done)])


def _print_blocks(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        name = output.one_line(f"{step['workflow']}:{step['step']}")
        output.say(f"\nStep: {name}")
        output.say(f"Requirements: {', '.join(step['ids']) or 'none'}")
        for now in step["since"]:
            by = f" by {now['superseded_by']}" if now["superseded_by"] else ""
            output.say(f"Since then: {now['id']} is {now['status']}{by}")
        if step["block"]:
            output.say(f"\n{step['block'].removesuffix(chr(10))}")
