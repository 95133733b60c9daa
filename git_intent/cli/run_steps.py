"""What the steps of a run did, for `git intent run` and `git intent runs`."""

from collections.abc import Iterator
from typing import Any

from git_intent.cli import output
from git_intent.git.repository import Repository
from git_intent.store.stamps import instant
from git_intent.workflow import run_record
from git_intent.workflow.run_journal import RunJournal
from git_intent.workflow.run_state import RunState, Seen, Visited, visit_json
from git_intent.workflow.runs import Meta, Record, State

INTERRUPTED = "interrupted"


def current(repo: Repository, record: Record) -> RunState | None:
    """What a run has done up to now; None if it is of no workflow.

    Raises IntentError if that cannot be read.
    """
    state = run_record.state_of(repo, record)
    if state is None or state.outcome:
        return state
    return RunJournal(repo.common_dir, record.run).replayed(state)


def run_state(repo: Repository, run: str, meta: Meta) -> str:
    """The state of a run; `interrupted` if a workflow's run goes on nowhere here."""
    if meta.state != State.RUNNING or "workflow" not in meta.others:
        return meta.state
    held = RunJournal(repo.common_dir, run).is_held()
    return meta.state if held else INTERRUPTED


def steps_json(state: RunState) -> dict[str, Any]:
    """What a run did, for machines."""
    return {
        "workflow": state.workflow,
        "attempt": state.attempt,
        "reason": state.reason,
        "steps": [
            {k: v for k, v in visit_json(visit).items() if k != "mark"}
            for visit in state.visits.values()
        ],
    }


def rows(state: RunState) -> Iterator[list[str]]:
    """Step, result, time and reason of every visit, for a table."""
    for visit in state.visits.values():
        words = visit.result if visit.state == Seen.FINISHED else visit.state
        if visit.state == Seen.SKIPPED:
            words = f"{visit.state}, {visit.result}"
        yield [name(visit), words, _time(visit), visit.reason]


def name(visit: Visited) -> str:
    """`deploy#1/test:unit #2`: the steps above, the workflow, the step, its visit."""
    above = f"{visit.level}/" if visit.level else ""
    again = f" #{visit.number}" if visit.number > 1 else ""
    return output.one_line(f"{above}{visit.workflow}:{visit.step}{again}")


def took(seconds: float) -> str:
    """A time as a person reads it."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} m" if hours else f"{minutes} m {rest:02} s"


def _time(visit: Visited) -> str:
    if visit.state == Seen.UNKNOWN:
        return ""
    begin, end = instant(visit.started_at), instant(visit.ended_at)
    return took((end - begin).total_seconds()) if begin and end else ""
