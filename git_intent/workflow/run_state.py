"""What a run of a workflow has done so far: `run.json` in the run's record.

    {"version": 1, "workflow", "attempt", "outcome", "reason",
     "definitions": {path of a workflow file: sha256 of its bytes},
     "levels": {level: {"workflow", "progress", "last"}},
     "visits": [{"level", "workflow", "step", "number", "kind", "state", "result",
                 "code", "reason", "started_at", "ended_at", "mark", "logs"}, …]}

A level is a workflow under way: the run's own is called "", one that a step runs
`<step>#<number of the visit>`, below the level of that step (`deploy#1/test#2`).
`progress` is as in `progress.to_json`, `last` is the visit (`test#2`) that ended last
there. `outcome` is empty while the run is under way, else `done` or `aborted`.

A visit is `started` before anything of it happens and `finished` once it is known how
it ended; `unknown` is one whose end nobody saw, `stopped` one that was cut off because
the run was aborted. Of both nobody knows what they did before.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json

VERSION = 1
FILE = "run.json"
#: Where the bytes of the workflow files lie in a record, as they were when it began.
DEFINITIONS = "definitions/"


class Seen(StrEnum):
    """What is known of a visit's end."""

    STARTED = "started"
    FINISHED = "finished"
    SKIPPED = "skipped"
    STOPPED = "stopped"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    NONE = ""
    DONE = "done"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Visited:
    """One visit of a step. `mark` is what its processes are found by; `code` is the
    exit code of the last one, if there was any; `logs` are relative to the attempt's
    folder."""

    level: str
    workflow: str
    step: str
    number: int
    kind: str
    state: str = Seen.STARTED
    result: str = ""
    code: int | None = None
    reason: str = ""
    started_at: str = ""
    ended_at: str = ""
    mark: str = ""
    logs: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, int]:
        return self.level, self.step, self.number

    @property
    def name(self) -> str:
        """What it is called in its level."""
        return f"{self.step}#{self.number}"

    @property
    def below(self) -> str:
        """The level of the workflow that this step runs."""
        return f"{self.level}/{self.name}" if self.level else self.name


@dataclass(frozen=True, slots=True)
class Level:
    """`progress` is read by `progress.from_json`, which needs the workflow."""

    workflow: str
    progress: Mapping[str, Any]
    last: str = ""


@dataclass(frozen=True, slots=True)
class RunState:
    """`rows` are those of the key-value store, which lie in `kv.json`."""

    workflow: str
    attempt: str
    definitions: Mapping[str, str]
    levels: Mapping[str, Level] = field(default_factory=dict)
    visits: Mapping[tuple[str, str, int], Visited] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    outcome: str = Outcome.NONE
    reason: str = ""

    def at(
        self,
        level: str,
        found: Level,
        visit: Visited,
        rows: Mapping[str, str] | None = None,
    ) -> "RunState":
        """The same with a level where it stands now, what is known of a visit, and the
        rows of the key-value store, if they are others now."""
        return replace(
            self,
            levels={**self.levels, level: found},
            visits={**self.visits, visit.key: visit},
            rows=self.rows if rows is None else rows,
        )

    def unfinished(self, level: str = "") -> list[Visited]:
        """The visits under way, at `level` and below: started, and nobody saw the end.

        What was under way below a visit that has ended since is cut off for good.
        """
        found = self.levels.get(level)
        running = found.progress.get("running") if found else None
        visits = []
        for one in running if isinstance(running, list) else ():
            row = one if isinstance(one, dict) else {}
            key = (level, row.get("step", ""), row.get("number", 0))
            if visit := self.visits.get(key):
                visits += [visit, *self.unfinished(visit.below)]
        return visits


def to_json(state: RunState) -> bytes:
    return canonical_json(
        {
            "version": VERSION,
            "workflow": state.workflow,
            "attempt": state.attempt,
            "outcome": state.outcome,
            "reason": state.reason,
            "definitions": dict(state.definitions),
            "levels": {name: asdict(level) for name, level in state.levels.items()},
            "visits": [visit_json(visit) for visit in state.visits.values()],
        }
    )


def visit_json(visit: Visited) -> dict[str, Any]:
    return {**asdict(visit), "logs": list(visit.logs)}


def from_json(data: bytes) -> RunState:
    """What `to_json` made; raises IntentError with a JSON pointer for all else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise _wrong("/", "is no JSON") from None
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise _wrong("/version", f"expected {VERSION}")
    levels = _object(value.get("levels"), "/levels")
    visits = value.get("visits")
    if not isinstance(visits, list):
        raise _wrong("/visits", "expected a list")
    found = [visit_of(one, f"/visits/{at}") for at, one in enumerate(visits)]
    definitions = _object(value.get("definitions"), "/definitions")
    return RunState(
        workflow=_text(value, "workflow", ""),
        attempt=_text(value, "attempt", ""),
        definitions={
            path: _text(definitions, path, "/definitions") for path in definitions
        },
        levels={name: level_of(one, f"/levels/{name}") for name, one in levels.items()},
        visits={visit.key: visit for visit in found},
        outcome=_text(value, "outcome", ""),
        reason=_text(value, "reason", ""),
    )


def level_of(value: object, at: str) -> Level:
    found = _object(value, at)
    progress = _object(found.get("progress"), f"{at}/progress")
    return Level(_text(found, "workflow", at), progress, _text(found, "last", at))


_TEXTS = tuple(
    f.name for f in fields(Visited) if f.name not in ("number", "code", "logs")
)


def visit_of(value: object, at: str) -> Visited:
    found = _object(value, at)
    number, code, logs = (found.get(key) for key in ("number", "code", "logs"))
    if type(number) is not int or number < 1:
        raise _wrong(f"{at}/number", "expected a whole number from 1 up")
    if code is not None and type(code) is not int:
        raise _wrong(f"{at}/code", "expected a whole number or null")
    if not isinstance(logs, list) or not all(isinstance(one, str) for one in logs):
        raise _wrong(f"{at}/logs", "expected a list of texts")
    texts = {key: _text(found, key, at) for key in _TEXTS}
    return Visited(**texts, number=number, code=code, logs=tuple(logs))


def _object(value: object, at: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(at, "expected an object")
    return value


def _text(value: Mapping[str, Any], key: str, at: str) -> str:
    found = value.get(key)
    if not isinstance(found, str):
        raise _wrong(f"{at}/{key}", "expected a text")
    return found


def _wrong(pointer: str, problem: str) -> IntentError:
    return IntentError(
        f"the record of the run: {FILE}: {pointer}: {problem}",
        "it was not written by this program, or is damaged: start a new run",
    )
