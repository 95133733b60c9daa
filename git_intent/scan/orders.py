"""What a scan by a workflow tells its steps: `orders.json` in the run's directory.

    {"version": 1, "source", "writer", "no_commit", "max_commits", "resume"}

Such a scan holds the project's lock from its first step to its last. Each
`git intent scan-step NAME` that the workflow starts works under this lock: it finds the
run and the lock's nonce in its environment, and the same nonce in the lock, whose owner
lives (`lock.borrow`). Steps that run at the same time take turns.
"""

import fcntl
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.lock import ProjectLock
from git_intent.scan import run as runs
from git_intent.scan.job import Options
from git_intent.scan.run import Run
from git_intent.store.commit_actor import SCAN_VARIABLE
from git_intent.workflow.model import Workflow

NAME = "orders.json"
#: The nonce of the lock that a scan holds for its steps.
LOCK_VARIABLE = "GIT_INTENT_SCAN_LOCK"
_APPLY = re.compile(r"\bscan-step\s+apply-reconcile\b")


@dataclass(frozen=True, slots=True)
class Orders:
    """`source` is the place of the workflow. `writer` says that it has an apply step of
    its own: then what is written into the store is its work."""

    source: str
    writer: bool = False
    no_commit: bool = False
    max_commits: int | None = None
    resume: bool = False

    def over(self, options: Options) -> Options:
        """The options of a step that follows these orders."""
        return replace(
            options,
            no_commit=self.no_commit,
            max_commits=self.max_commits,
            resume=self.resume,
        )

    def write(self, run: Run) -> None:
        run.write(NAME, {"version": 1, **asdict(self)})


def read(run: Run) -> Orders | None:
    """The orders of a run; None if its steps are called one by one."""
    if not run.has(NAME):
        return None
    value: Any = run.read(NAME)
    most = value.get("max_commits")
    return Orders(
        source=str(value.get("source", "")),
        writer=value.get("writer") is True,
        no_commit=value.get("no_commit") is True,
        max_commits=most if type(most) is int else None,
        resume=value.get("resume") is True,
    )


def has_writer(workflows: Iterable[Workflow]) -> bool:
    """Whether these workflows write the store by something else than our step."""
    return not any(
        _APPLY.search(step.text("run")) for one in workflows for step in one.steps
    )


def environment(run: Run, nonce: str) -> dict[str, str]:
    """What the steps of a scan find their run by."""
    return {SCAN_VARIABLE: run.id, LOCK_VARIABLE: nonce}


@dataclass(frozen=True, slots=True)
class Lent:
    """The run that a step belongs to, and the lock that it works under."""

    run: Run
    lock: ProjectLock
    nonce: str

    @contextmanager
    def held(self) -> Iterator[None]:
        """Work on the run while no other step of it does; whoever dies gives it up."""
        with (
            self.lock.borrow(self.nonce),
            open(self.run.folder / "turn", "wb") as turn,
        ):
            fcntl.flock(turn, fcntl.LOCK_EX)
            yield


def lent(repo: Repository, environ: Mapping[str, str]) -> Lent | None:
    """What a scan has lent us; None if none has started us."""
    nonce, id = environ.get(LOCK_VARIABLE), environ.get(SCAN_VARIABLE)
    if not nonce or not id:
        return None
    run = next((r for r in runs.all_runs(repo.common_dir) if r.id == id), None)
    if run is None:
        raise IntentError(
            f"there is no scan {id!r} for this step to belong to",
            "start one: git intent scan",
        )
    return Lent(run, ProjectLock(repo.common_dir), nonce)
