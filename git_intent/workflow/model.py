"""What a `.cloche` file says: workflows, their steps, and where each thing stands.

Frozen values, made by `parser` and printed by `printer`. Places count from 1 and take
no part in comparisons, so that a printed and re-read workflow equals the first one.
Where a key stands twice the last one counts, except for the two opt-out keys: there any
opt-out counts (logs that a person wanted kept out must not leak through a slip).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

#: The workflow by which requirements are found.
SCAN = "intent-scan"
#: Steps that end a run.
TERMINALS = ("done", "abort")
#: Results that every step has without declaring them.
IMPLICIT_RESULTS = ("timeout", "token-limit")


class Place(NamedTuple):
    line: int = 0
    col: int = 0


NOWHERE = Place()


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What is wrong in a file that can be read; `error` if it cannot run like this."""

    path: str
    line: int
    col: int
    code: str
    message: str
    error: bool = False

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.col}: {self.code} {self.message}"


class Form(StrEnum):
    """How a value was written."""

    TEXT = "text"
    NUMBER = "number"
    NAME = "name"  # a bare word, with dots perhaps
    CALL = "call"  # `file("p")`
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Value:
    """`text` is what Cloche keeps: a list joined by commas, a call as it is written.

    `items` are the members of a list or the arguments of a call.
    """

    form: Form
    text: str
    items: tuple["Value", ...] = ()
    at: Place = field(default=NOWHERE, compare=False)

    @property
    def words(self) -> tuple[str, ...]:
        """The value as a list of words, whichever way it was written."""
        return tuple(word for part in self.text.split(",") if (word := part.strip()))


@dataclass(frozen=True, slots=True)
class Field:
    """`key = value`; keys of nested blocks are joined by dots."""

    key: str
    value: Value
    at: Place = field(default=NOWHERE, compare=False)


class StepKind(StrEnum):
    """What a step does; the value is the key that decides it."""

    AGENT = "prompt"
    SCRIPT = "run"
    WORKFLOW = "workflow_name"
    POLL = "poll"


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    fields: tuple[Field, ...] = ()
    at: Place = field(default=NOWHERE, compare=False)

    def get(self, key: str) -> Value | None:
        return _last(self.fields, key)

    def text(self, key: str) -> str:
        value = self.get(key)
        return value.text if value else ""

    @property
    def kinds(self) -> tuple[StepKind, ...]:
        """Every kind the keys ask for; exactly one is right."""
        return tuple(kind for kind in StepKind if self.get(kind.value))

    @property
    def results(self) -> tuple[str, ...] | None:
        """The declared results, None if the step declares none."""
        return _words(self.fields, "results")

    @property
    def domains(self) -> tuple[str, ...] | None:
        return _words(self.fields, "domains")

    @property
    def opted_out(self) -> bool:
        """Whether the step itself asks to be left out of intent tracking."""
        return _opted_out(self.fields)


@dataclass(frozen=True, slots=True)
class Agent:
    """A named agent command."""

    name: str
    command: str
    args: str = ""
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Block:
    """`host { … }`, `container { … }`, or another named block of settings."""

    name: str
    fields: tuple[Field, ...] = ()
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Ref:
    """One result of one step."""

    step: str
    result: str
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Wire:
    """What follows a result."""

    source: Ref
    target: str
    at: Place = field(default=NOWHERE, compare=False)  # of the target


@dataclass(frozen=True, slots=True)
class GlobalWire:
    """What follows `result` at every step that has no wire of its own for it."""

    result: str
    target: str
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Collect:
    """Where branches meet: after all of `refs`, or after any of them."""

    mode: str  # "all" or "any"
    refs: tuple[Ref, ...]
    target: str
    at: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Workflow:
    name: str
    fields: tuple[Field, ...] = ()
    blocks: tuple[Block, ...] = ()
    agents: tuple[Agent, ...] = ()
    steps: tuple[Step, ...] = ()
    collects: tuple[Collect, ...] = ()
    wires: tuple[Wire, ...] = ()
    global_wires: tuple[GlobalWire, ...] = ()
    path: str = field(default="", compare=False)
    at: Place = field(default=NOWHERE, compare=False)
    builtin: bool = field(default=False, compare=False)

    @property
    def source(self) -> str:
        """Where it is defined, for people."""
        return "(built-in)" if self.builtin else f"{self.path}:{self.at.line}"

    def get(self, key: str) -> Value | None:
        return _last(self.fields, key)

    def step(self, name: str) -> Step | None:
        return next((step for step in self.steps if step.name == name), None)

    @property
    def repos(self) -> tuple[str, ...] | None:
        return _words(self.fields, "repos")

    @property
    def opted_out(self) -> bool:
        """Whether the workflow as a whole is left out of intent tracking. A scan always
        is: it must not feed on its own words."""
        return self.name == SCAN or _opted_out(self.fields)

    def domains(self, step: str = "") -> tuple[str, ...]:
        """The declared domains: the step's list replaces the workflow's."""
        found = self.step(step)
        own = found.domains if found else None
        if own is None:
            own = _words(self.fields, "domains")
        return own or ()

    @property
    def children(self) -> Mapping[str, str]:
        """Step name to the workflow that the step runs."""
        return MappingProxyType(
            {
                s.name: s.text("workflow_name")
                for s in self.steps
                if s.get("workflow_name")
            }
        )


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """One parsed file and what it says in an outdated or doubtful way."""

    path: str
    workflows: tuple[Workflow, ...]
    findings: tuple[Finding, ...] = ()


def _last(fields: tuple[Field, ...], key: str) -> Value | None:
    return next((f.value for f in reversed(fields) if f.key == key), None)


def _words(fields: tuple[Field, ...], key: str) -> tuple[str, ...] | None:
    value = _last(fields, key)
    return value.words if value else None


def _opted_out(fields: tuple[Field, ...]) -> bool:
    return any(
        (f.key == "intent_tracking" and f.value.text == "false")
        or (f.key == "intent" and f.value.text in ("off", "false"))
        for f in fields
    )
