"""How far a run of a workflow has come, and its form in the run's record.

    {"version": 1, "state", "reason",
     "waiting": [{"step", "number", "result", "entered", "rounds": [n, …]}, …],
     "running": [the same, …], "visits": {step: n}, "attempts": {step: n},
     "held": [{"collect", "step", "result", "since", "rounds": [n, …]}, …],
     "fired": [n, …], "branches_done": n}

A record may come from elsewhere, so nothing in it is believed: what does not fit the
form, or not the workflow, is an IntentError with a JSON pointer. `machine` has the
rules by which one `Progress` follows another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
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
    """One entry of a step. With a `result` it ended before it began.

    `entered` is the how manieth entry of any step it is; `rounds` tells for each
    collect how often that had fired on the way that led here.
    """

    step: str
    number: int
    result: str = ""
    entered: int = 0
    rounds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A result that a collect waits with: `since` so many entries, `rounds` as of the
    visit that had it."""

    collect: int
    step: str
    result: str
    since: int
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """`visits` counts the entries of each step, `fired` how often each collect has gone
    on, in file order. `reason` says why the run is aborted, `branches_done` how many
    reached `done`.
    """

    state: State = State.RUNNING
    reason: str = ""
    waiting: tuple[Visit, ...] = ()
    running: tuple[Visit, ...] = ()
    visits: Mapping[str, int] = field(default_factory=dict)
    attempts: Mapping[str, int] = field(default_factory=dict)
    held: tuple[Held, ...] = ()
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

    @property
    def entries(self) -> int:
        """How often any step was entered."""
        return sum(self.visits.values())


def to_json(progress: Progress) -> dict[str, Any]:
    return {
        "version": VERSION,
        "state": progress.state.value,
        "reason": progress.reason,
        "waiting": [_object(visit) for visit in progress.waiting],
        "running": [_object(visit) for visit in progress.running],
        "visits": dict(progress.visits),
        "attempts": dict(progress.attempts),
        "held": [_object(held) for held in progress.held],
        "fired": list(progress.fired),
        "branches_done": progress.branches_done,
    }


def _object(one: Visit | Held) -> dict[str, Any]:
    return {**asdict(one), "rounds": list(one.rounds)}


def from_json(workflow: Workflow, value: object) -> Progress:
    """What `to_json` made of a run of `workflow`; raises IntentError for all else."""
    form = _Form(workflow)
    data = form.mapping(value, "")
    if data.get("version") != VERSION:
        raise _wrong("/version", f"expected {VERSION}")
    state = data.get("state")
    if state not in tuple(State):
        raise _wrong("/state", f"expected one of {', '.join(State)}")
    held = form.listing(data.get("held"), "/held")
    found = Progress(
        State(state),
        form.text(data.get("reason"), "/reason"),
        tuple(form.visits(data.get("waiting"), "/waiting")),
        tuple(form.visits(data.get("running"), "/running")),
        form.counts(data.get("visits"), "/visits"),
        form.counts(data.get("attempts"), "/attempts"),
        tuple(form.held(one, f"/held/{at}") for at, one in enumerate(held)),
        form.rounds(data.get("fired"), "/fired"),
        form.number(data.get("branches_done"), "/branches_done"),
    )
    if found.over == bool(found.waiting or found.running):
        raise _wrong("/state", "expected steps exactly if the run is not over")
    return found


class _Form:
    """Reads the parts of a record of a run of `workflow`."""

    def __init__(self, workflow: Workflow) -> None:
        self.steps = frozenset(step.name for step in workflow.steps)
        self.collects = len(workflow.collects)

    def mapping(self, value: object, at: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _wrong(at or "/", "expected an object")
        return value

    def listing(self, value: object, at: str) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong(at, "expected a list")
        return value

    def text(self, value: object, at: str) -> str:
        if not isinstance(value, str):
            raise _wrong(at, "expected a text")
        return value

    def number(self, value: object, at: str, below: int = _MOST) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong(at, "expected a whole number")
        if not 0 <= value < below:
            raise _wrong(at, f"expected a number from 0 to below {below}")
        return value

    def step(self, value: object, at: str) -> str:
        if not isinstance(value, str) or value not in self.steps:
            raise _wrong(at, "expected a step of the workflow")
        return value

    def counts(self, value: object, at: str) -> dict[str, int]:
        found = self.mapping(value, at)
        return {self.step(k, at): self.number(n, f"{at}/{k}") for k, n in found.items()}

    def rounds(self, value: object, at: str) -> tuple[int, ...]:
        found = self.listing(value, at)
        if len(found) != self.collects:
            raise _wrong(at, f"expected {self.collects} numbers")
        return tuple(self.number(one, f"{at}/{n}") for n, one in enumerate(found))

    def visits(self, value: object, at: str) -> Iterator[Visit]:
        for index, one in enumerate(self.listing(value, at)):
            here = f"{at}/{index}"
            parts = self.mapping(one, here)
            yield Visit(
                self.step(parts.get("step"), f"{here}/step"),
                self.number(parts.get("number"), f"{here}/number"),
                self.text(parts.get("result"), f"{here}/result"),
                self.number(parts.get("entered"), f"{here}/entered"),
                self.rounds(parts.get("rounds"), f"{here}/rounds"),
            )

    def held(self, value: object, at: str) -> Held:
        parts = self.mapping(value, at)
        return Held(
            self.number(parts.get("collect"), f"{at}/collect", self.collects),
            self.step(parts.get("step"), f"{at}/step"),
            self.text(parts.get("result"), f"{at}/result"),
            self.number(parts.get("since"), f"{at}/since"),
            self.rounds(parts.get("rounds"), f"{at}/rounds"),
        )


def _wrong(pointer: str, problem: str) -> IntentError:
    return IntentError(
        f"the record of the run's progress: {pointer}: {problem}",
        "it was not written by this program, or is damaged: start a new run",
    )
