"""The run directory of one scan: `<git common dir>/intent/runs/<id>/`, mode 0700.

It holds the artifacts that the steps hand to one another (`domains.json`,
`sources.json`, `candidates.json`, `decisions.json`), `state.json`, and the change set
while it is being written. Run ids sort by the time they began. Whatever is written here
has its secrets removed first. Runs are kept for 14 days, and at most 20 of them.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from secrets import token_hex
from typing import Any

from git_intent import files
from git_intent.errors import IntentError

KEPT_RUNS = 20
KEPT_DAYS = 14
_ID = re.compile(r"(\d{8}T\d{6}Z)-(\d{4,})-[0-9a-f]+")
_STAMP = "%Y%m%dT%H%M%SZ"

DOMAINS = "domains.json"
SOURCES = "sources.json"
CANDIDATES = "candidates.json"
DECISIONS = "decisions.json"
#: Which step writes an artifact, so that a missing one can be told how to get it.
WRITER = {
    DOMAINS: "discover-domains",
    SOURCES: "collect-sources",
    CANDIDATES: "extract",
    DECISIONS: "reconcile",
}


class Stage(StrEnum):
    """How far a run got."""

    OPEN = "open"
    APPLIED = "applied"  # the store is written, the commit is still to come
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class State:
    """What is remembered of a run besides its artifacts.

    `project` is the project's root, `head` the commit that was checked out when the run
    began (empty on an unborn branch), `branch` its ref (empty if detached), `steps` the
    result of each step so far. `task` names the one completed run that is scanned.
    """

    project: str
    head: str
    branch: str = ""
    full: bool = False
    stage: Stage = Stage.OPEN
    steps: tuple[tuple[str, str], ...] = ()
    commit: str = ""
    error: str = ""
    task: str = ""

    def with_step(self, name: str, result: str) -> "State":
        kept = tuple(s for s in self.steps if s[0] != name)
        return replace(self, steps=(*kept, (name, result)))


@dataclass(frozen=True, slots=True)
class Run:
    """One run directory."""

    id: str
    folder: Path

    def has(self, name: str) -> bool:
        return (self.folder / name).is_file()

    def read(self, name: str) -> Any:
        """The JSON value of an artifact; IntentError if it is missing or broken."""
        path = self.folder / name
        try:
            return json.loads(path.read_bytes())
        except FileNotFoundError:
            step = WRITER.get(name)
            hint = f"run `git intent scan-step {step}` first" if step else ""
            raise IntentError(f"{path}: no such artifact", hint) from None
        except (ValueError, OSError) as error:
            raise IntentError(f"{path}: {error}", "start a new scan") from error

    def write(self, name: str, value: Any) -> None:
        files.write_atomic(
            self.folder / name, files.canonical_json(_scrubbed(value)), 0o600
        )

    def state(self) -> State:
        raw = self.read("state.json")
        if not isinstance(raw, dict):
            raise IntentError(f"{self.folder / 'state.json'}: expected an object")
        try:
            return State(
                project=str(raw["project"]),
                head=str(raw["head"]),
                branch=str(raw["branch"]),
                full=raw["full"] is True,
                stage=Stage(raw["stage"]),
                steps=tuple((str(n), str(r)) for n, r in raw["steps"]),
                commit=str(raw["commit"]),
                error=str(raw["error"]),
                task=str(raw.get("task", "")),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise IntentError(
                f"{self.folder / 'state.json'}: not a run state", "start a new scan"
            ) from error

    def save(self, state: State) -> State:
        self.write(
            "state.json",
            {
                "version": 1,
                "project": state.project,
                "head": state.head,
                "branch": state.branch,
                "full": state.full,
                "stage": state.stage.value,
                "steps": [list(step) for step in state.steps],
                "commit": state.commit,
                "error": state.error,
                "task": state.task,
            },
        )
        return state


def folder(common_dir: Path) -> Path:
    return common_dir / "intent" / "runs"


def start(
    common_dir: Path,
    state: State,
    now: datetime,
    token: Callable[[], str] = lambda: token_hex(2),
) -> Run:
    """Make a new run directory; its id sorts after every id of the same second."""
    place = folder(common_dir)
    stamp = now.strftime(_STAMP)
    taken = [m for m in map(_ID.fullmatch, _names(place)) if m and m[1] == stamp]
    number = 1 + max((int(m[2]) for m in taken), default=0)
    run = Run(f"{stamp}-{number:04d}-{token()}", Path())
    run = replace(run, folder=place / run.id)
    try:
        for path in (place.parent, place):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        run.folder.mkdir(mode=0o700)
    except OSError as error:
        raise IntentError(
            f"{run.folder}: {error.strerror}", "nothing was changed"
        ) from error
    run.save(state)
    return run


def all_runs(common_dir: Path) -> list[Run]:
    """Every run, oldest first; a folder with a foreign name is none."""
    place = folder(common_dir)
    return [Run(n, place / n) for n in _names(place) if _ID.fullmatch(n)]


def unfinished(common_dir: Path, project: Path) -> list[tuple[Run, State]]:
    """The runs of one project that did not end well, oldest first."""
    found = []
    for run in all_runs(common_dir):
        state = _state_or_none(run)
        if state and state.project == str(project) and state.stage != Stage.DONE:
            found.append((run, state))
    return found


def current(common_dir: Path, project: Path) -> tuple[Run, State] | None:
    """The newest run of a project, unless it went through.

    What scans a completed run is none that anybody goes on with: it begins anew.
    """
    for run in reversed(all_runs(common_dir)):
        state = _state_or_none(run)
        if state and state.project == str(project) and not state.task:
            return None if state.stage == Stage.DONE else (run, state)
    return None


def newest_open(common_dir: Path, project: Path) -> Run:
    """The run that a single step goes on with."""
    found = current(common_dir, project)
    if not found:
        raise IntentError(
            f"{folder(common_dir)}: no run under way, so no {DOMAINS}",
            "begin with `git intent scan-step discover-domains`",
        )
    return found[0]


def prune(common_dir: Path, now: datetime, keep: Run) -> None:
    """Remove the runs that are too old or too many; never an unfinished change set."""
    runs = [run for run in all_runs(common_dir) if run.id != keep.id]
    oldest = now - timedelta(days=KEPT_DAYS)
    spare = len(runs) - (KEPT_RUNS - 1)
    for position, run in enumerate(runs):
        begun = datetime.strptime(run.id.split("-")[0], _STAMP)
        late = begun.replace(tzinfo=now.tzinfo) < oldest
        state = _state_or_none(run)
        if state and state.stage == Stage.APPLIED:
            continue
        if late or position < spare:
            files.effect(f"prune {run.id}")
            shutil.rmtree(run.folder, ignore_errors=True)


def _state_or_none(run: Run) -> State | None:
    """A run killed before its first write has no state and nothing to tell."""
    try:
        return run.state()
    except IntentError:
        return None


def _names(folder: Path) -> Sequence[str]:
    try:
        return sorted(path.name for path in folder.iterdir() if path.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _scrubbed(value: Any) -> Any:
    """`value` without secrets; nearly always there are none, which one look tells."""
    from git_intent.secrets import scrub

    whole = "\n".join(_texts(value))
    return value if scrub(whole) == whole else _each(value, scrub)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _each(value: Any, scrub: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {scrub(str(key)): _each(item, scrub) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_each(item, scrub) for item in value]
    return value
