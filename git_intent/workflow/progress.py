"""How far a run of a workflow has come, and its form in the run's record.

    {"version": 1, "state", "reason", "waiting": [[step, number], …],
     "running": [[step, number, result], …], "visits": {step: n}, "attempts": {step: n},
     "came": {step: {result: n}}, "fired": [n, …], "branches_done": n}

A record may come from elsewhere, so nothing in it is believed: what does not fit the
form, or not the workflow, is an IntentError with a JSON pointer. `machine` has the
rules by which one `Progress` follows another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from git_intent.errors import IntentError
from git_intent.workflow.model import Workflow

VERSION = 1
_MOST = 1 << 31


class State(StrEnum):
    RUNNING = "running"
    ABORTING = "aborting"  # over as soon as the running steps have ended
    DONE = "done"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Visit:
    """One entry of a step. With a `result` it ended before it began."""

    step: str
    number: int
    result: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """`came` counts each result of each step, `fired` each collect, in file order.

    `reason` says why the run is aborted, `branches_done` how many reached `done`.
    """

    state: State = State.RUNNING
    reason: str = ""
    waiting: tuple[Visit, ...] = ()
    running: tuple[Visit, ...] = ()
    visits: Mapping[str, int] = field(default_factory=dict)
    attempts: Mapping[str, int] = field(default_factory=dict)
    came: Mapping[tuple[str, str], int] = field(default_factory=dict)
    fired: tuple[int, ...] = ()
    branches_done: int = 0

    @property
    def over(self) -> bool:
        return self.state in (State.DONE, State.ABORTED)

    @property
    def ready(self) -> tuple[str, ...]:
        """The steps that may start now, in the order they were entered."""
        busy = {visit.step for visit in self.running}
        waiting = dict.fromkeys(visit.step for visit in self.waiting)
        return tuple(step for step in waiting if step not in busy)

    def visit(self, step: str) -> Visit:
        """The running visit of `step`."""
        for visit in self.running:
            if visit.step == step:
                return visit
        raise ValueError(f"step {step!r} is not running")

    def count(self, step: str, result: str) -> int:
        """How often the step ended like this."""
        return self.came.get((step, result), 0)


def to_json(progress: Progress) -> dict[str, Any]:
    came: dict[str, dict[str, int]] = {}
    for (step, result), number in progress.came.items():
        came.setdefault(step, {})[result] = number
    return {
        "version": VERSION,
        "state": progress.state.value,
        "reason": progress.reason,
        "waiting": [[visit.step, visit.number] for visit in progress.waiting],
        "running": [[v.step, v.number, v.result] for v in progress.running],
        "visits": dict(progress.visits),
        "attempts": dict(progress.attempts),
        "came": came,
        "fired": list(progress.fired),
        "branches_done": progress.branches_done,
    }


def from_json(workflow: Workflow, value: object) -> Progress:
    """What `to_json` made of a run of `workflow`; raises IntentError for all else."""
    form = _Form(frozenset(step.name for step in workflow.steps))
    data = form.mapping(value, "")
    if data.get("version") != VERSION:
        raise _wrong("/version", f"expected {VERSION}")
    state = data.get("state")
    if state not in tuple(State):
        raise _wrong("/state", f"expected one of {', '.join(State)}")
    reason = data.get("reason")
    if not isinstance(reason, str):
        raise _wrong("/reason", "expected a text")
    fired = form.listing(data.get("fired"), "/fired")
    if len(fired) != len(workflow.collects):
        raise _wrong("/fired", f"expected {len(workflow.collects)} numbers")
    came = form.mapping(data.get("came"), "/came")
    found = Progress(
        State(state),
        reason,
        tuple(form.visits(data.get("waiting"), "/waiting", 2)),
        tuple(form.visits(data.get("running"), "/running", 3)),
        form.counts(data.get("visits"), "/visits"),
        form.counts(data.get("attempts"), "/attempts"),
        {
            (form.step(step, "/came"), result): number
            for step, some in came.items()
            for result, number in form.numbers(some, f"/came/{step}").items()
        },
        tuple(form.number(one, f"/fired/{at}") for at, one in enumerate(fired)),
        form.number(data.get("branches_done"), "/branches_done"),
    )
    if found.over == bool(found.waiting or found.running):
        raise _wrong("/state", "expected steps exactly if the run is not over")
    return found


class _Form:
    """Reads the parts of a record; `steps` are the names that may stand in it."""

    def __init__(self, steps: frozenset[str]) -> None:
        self.steps = steps

    def mapping(self, value: object, at: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _wrong(at or "/", "expected an object")
        return value

    def listing(self, value: object, at: str) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong(at, "expected a list")
        return value

    def number(self, value: object, at: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong(at, "expected a whole number")
        if not 0 <= value < _MOST:
            raise _wrong(at, f"expected a number from 0 to below {_MOST}")
        return value

    def step(self, value: object, at: str) -> str:
        if not isinstance(value, str) or value not in self.steps:
            raise _wrong(at, "expected a step of the workflow")
        return value

    def numbers(self, value: object, at: str) -> dict[str, int]:
        found = self.mapping(value, at)
        return {key: self.number(n, f"{at}/{key}") for key, n in found.items()}

    def counts(self, value: object, at: str) -> dict[str, int]:
        found = self.numbers(value, at)
        return {self.step(name, at): number for name, number in found.items()}

    def visits(self, value: object, at: str, length: int) -> Iterator[Visit]:
        for index, one in enumerate(self.listing(value, at)):
            here = f"{at}/{index}"
            parts = self.listing(one, here)
            if len(parts) != length:
                raise _wrong(here, f"expected {length} values")
            result = parts[2] if length > 2 else ""
            if not isinstance(result, str):
                raise _wrong(f"{here}/2", "expected a text")
            number = self.number(parts[1], f"{here}/1")
            yield Visit(self.step(parts[0], f"{here}/0"), number, result)


def _wrong(pointer: str, problem: str) -> IntentError:
    return IntentError(
        f"the record of the run's progress: {pointer}: {problem}",
        "it was not written by this program, or is damaged: start a new run",
    )
