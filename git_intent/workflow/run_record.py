"""The part of a run's record that `git intent run` keeps: begun, kept up, ended.

Everything goes into `refs/intent/runs/<run>` with the run's `meta.json`, so that a run
can be looked at, pushed and fetched as a whole.
"""

from collections.abc import Mapping
from dataclasses import replace

from git_intent.errors import IntentError
from git_intent.files import canonical_json
from git_intent.git import objects
from git_intent.git.repository import Repository
from git_intent.secrets import scrub
from git_intent.workflow import runs
from git_intent.workflow.run_names import escape
from git_intent.workflow.run_state import (
    DEFINITIONS,
    FILE,
    Outcome,
    RunState,
    from_json,
    to_json,
)
from git_intent.workflow.runs import Change, Meta, Record, State


def begin(
    repo: Repository,
    run: str,
    meta: Meta,
    state: RunState,
    prompt: bytes,
    definitions: Mapping[str, bytes],
) -> None:
    """Put a new run on record. An opted-out one is kept without its prompt.

    Raises IntentError if a run of that name is on record.
    """

    def change(record: Record) -> Change:
        if FILE in record.files:
            raise IntentError(
                f"a run {run!r} is on record already",
                f"go on with it: git intent run --resume {run}; or give another --run",
            )
        others = {**record.meta.others, "workflow": state.workflow}
        out = record.meta.opted_out or meta.opted_out
        found = replace(
            record.meta,
            state=State.RUNNING,
            start=record.meta.start or meta.start,
            started_at=record.meta.started_at or meta.started_at,
            ended_at="",
            end="",
            opted_out=out,
            others=others,
        )
        kept = _files(repo, record, state)
        kept |= {f"{DEFINITIONS}{escape(p)}": d for p, d in definitions.items()}
        if prompt and not out:
            kept[runs.PROMPT] = prompt
        return Change(found, kept)

    runs.update(repo, run, change, meta)


def save(repo: Repository, run: str, state: RunState) -> None:
    """Keep where a run under way stands."""
    runs.update(repo, run, lambda r: Change(r.meta, _files(repo, r, state)), Meta())


def end(repo: Repository, run: str, state: RunState, *, commit: str, at: str) -> Record:
    """Put on record that a run is over."""

    def change(record: Record) -> Change:
        over = State.DONE if state.outcome == Outcome.DONE else State.ABORTED
        meta = replace(record.meta, state=over, end=commit, ended_at=at)
        return Change(meta, _files(repo, record, state))

    return runs.update(repo, run, change, Meta())


def _files(repo: Repository, record: Record, state: RunState) -> dict[str, bytes]:
    """What is kept of a state, without secrets in the rows that steps have set.

    The rows that name what steps were given are put there by others.
    """
    rows = {key: scrub(row) for key, row in state.rows.items()}
    rows = {**runs.kv(repo, record), **rows}
    return {FILE: to_json(state), runs.KV: canonical_json(rows)}


def load(repo: Repository, run: str) -> tuple[Record, RunState]:
    """What is on record of a run that `git intent run` has begun.

    Raises IntentError if there is none.
    """
    record = runs.read(repo, run)
    state = state_of(repo, record)
    if state is None:
        raise IntentError(
            f"no run {run!r} of a workflow is on record",
            "`git intent runs list` shows those that are",
        )
    return record, state


def state_of(repo: Repository, record: Record) -> RunState | None:
    """What a run did; None if the record is of no workflow's run.

    Raises IntentError if that cannot be read.
    """
    blob = record.files.get(FILE)
    if blob is None:
        return None
    found = from_json(objects.read_blobs(repo, [blob]).get(blob, b""))
    return replace(found, rows=runs.kv(repo, record))
