"""Scans: beginning one, and watching whichever is at work.

A scan is a process of its own: it outlives the page and the console. What it does is
read from its run directory and from the lock of the repository, so that a scan which
somebody else began is seen just as well. There is never a second one: whoever asks for
one while one is at work gets that one.
"""

import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.lock import ProjectLock
from git_intent.scan import after_tasks
from git_intent.scan import run as runs
from git_intent.scan.apply import LISTS
from git_intent.scan.pipeline import STEPS
from git_intent.scan.repair import PLAN
from git_intent.scan.run import Run, Stage, State
from git_intent.store.stamps import instant
from git_intent.web.console import Console
from git_intent.web.given import Given
from git_intent.web.served import Answer, Asked, Refused
from git_intent.web.sources import instant as stamped

#: Seconds that a scan gets to say which run it is, and between two looks.
PATIENCE, PAUSE = 30.0, 0.05
_NONE = "none"
_STOPPED = "it was stopped before its end"
_SUMMARY = (*LISTS, "deferred", "reported")


@dataclass(slots=True)
class _Child:
    """A scan that we began: its process, the open file that it prints to, and the runs
    that there were before."""

    pid: int
    out: int
    known: frozenset[str]
    code: int | None = None

    def ended(self) -> bool:
        if self.code is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                pid, status = self.pid, 0
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def answer(self) -> dict[str, str]:
        """What it printed in the end; asked once."""
        with open(self.out, "rb") as out:
            out.seek(0)
            try:
                value = json.loads(out.read())
            except ValueError:
                value = {}
        found = value if isinstance(value, dict) else {}
        error = str(found.get("error") or f"the scan ended with code {self.code}")
        return {"error": error, "hint": str(found.get("hint") or "")}


@dataclass(slots=True)
class Scans:
    """Threads may share it; one of them at a time begins a scan."""

    console: Console
    _starting: threading.Lock = field(default_factory=threading.Lock)
    _looking: threading.Lock = field(default_factory=threading.Lock)
    _child: _Child | None = None
    #: Why the scan that we began last came to no run, and the newest run then.
    _failure: dict[str, str] = field(default_factory=dict)
    _failed_after: str = ""

    def start(self, asked: Asked) -> Answer:
        """Begin a scan, unless one is at work; give its run."""
        full = Given(asked.body, ("full",)).flag("full")
        self.console.may_write()
        with self._starting:
            if self.at_work():
                return self._told(self._wait_for_run(), already=True)
            known = frozenset(run.id for run in self._all())
            with self._looking:
                self._child = self._scan(["--full"] if full else [], known)
                self._failure = {}
            return self._begun(known)

    def _scan(self, options: list[str], known: frozenset[str]) -> _Child:
        try:
            out, name = tempfile.mkstemp(prefix="git-intent-")
            Path(name).unlink()
            return _Child(self.console.services.scan(options, out), out, known)
        except OSError as error:
            raise IntentError(f"no scan was started: {error.strerror}") from error

    def state(self, asked: Asked | None = None) -> Answer:
        return Answer(self.now())

    def now(self) -> dict[str, Any]:
        """What the scan at work is doing, or how the last one ended."""
        told = self._at_work() if self.at_work() else self._last()
        return {**told, "last_scan_at": self._last_done()}

    def _at_work(self) -> dict[str, Any]:
        found = self._running()
        if found is not None:
            return _told(*found, running=True)
        ended = self._just_ended()  # its process has only to go
        return _told(*ended) if ended else _nothing("running")

    def _last(self) -> dict[str, Any]:
        found = self._newest()
        if self._failure and _id(found) == self._failed_after:
            return {**_nothing("failed"), **self._failure}
        return _told(*found) if found else _nothing("idle")

    def listed(self, asked: Asked) -> Answer:
        """The scans of this project, the newest first."""
        current = self._running() if self.at_work() else None
        rows = [
            _row(run, state, running=bool(current and current[0].id == run.id))
            for run, state in self._mine()
        ]
        return Answer({"scans": rows})

    def one(self, asked: Asked) -> Answer:
        current = self._running() if self.at_work() else None
        for run, state in self._known():
            if run.id == asked.path["run"]:
                running = bool(current and current[0].id == run.id)
                return Answer(_told(run, state, running=running))
        raise Refused(404, "there is no scan of that name any more")

    def at_work(self) -> bool:
        """Whether a scan is at work in this repository, ours or another's."""
        with self._looking:
            child = self._child
            if child is not None and not child.ended():
                return True
            if child is not None:
                self._note(child)
            self._child = None
        holder = ProjectLock(self.console.repo.common_dir).holder()
        return holder is not None and _scans(holder.purpose)

    def _note(self, child: _Child) -> None:
        """Keep why it failed, if it came to no run that could tell."""
        told = child.answer()
        newest = self._newest()
        error = newest[1].error if newest else ""
        if child.code and not (error and error in told["error"]):
            self._failure, self._failed_after = told, _id(newest)

    def _begun(self, known: frozenset[str]) -> Answer:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for run in self._all():
                if run.id not in known:
                    return self._told(run.id, already=False)
            if not self.at_work():
                if self._failure:
                    raise Refused(422, self._failure["error"], self._failure["hint"])
                break
            child = self._child
            if child is None:  # another one was faster
                self._failure = {}
                return self._told(self._wait_for_run(), already=True)
            time.sleep(PAUSE)
        newest = self._newest()
        return self._told(newest[0].id if newest else None, already=False)

    def _wait_for_run(self) -> str | None:
        """The run of the scan at work; it makes its directory a little later."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self._running()
            if found is not None:
                return found[0].id
            if not self.at_work():
                newest = self._newest()
                return newest[0].id if newest else None
            time.sleep(PAUSE)
        return None

    def _told(self, run: str | None, *, already: bool) -> Answer:
        return Answer({"run": run, "already": already}, 202)

    def _running(self) -> tuple[Run, State] | None:
        """The run at work. One that was killed lies there too, untouched since."""
        for run, state in self._known():
            if state.stage in (Stage.OPEN, Stage.APPLIED) and self._is_now(run):
                return run, state
        return None

    def _just_ended(self) -> tuple[Run, State] | None:
        """The newest run, if it is of the scan whose process is still there."""
        found = next(self._known(), None)
        return found if found and self._is_now(found[0]) else None

    def _is_now(self, run: Run) -> bool:
        """Whether a run is of the scan at work: of the one that holds the lock, or of
        ours before and after it does."""
        holder = ProjectLock(self.console.repo.common_dir).holder()
        since = instant(holder.since) if holder else None
        if since is not None:
            return _touched(run) >= int(since.timestamp())
        child = self._child
        return child is not None and run.id not in child.known

    def _newest(self) -> tuple[Run, State] | None:
        return next(self._mine(), None)

    def _last_done(self) -> str | None:
        done = (run for run, state in self._mine() if state.stage is Stage.DONE)
        newest = next(done, None)
        return stamped(_touched(newest)) if newest else None

    def _mine(self) -> Iterator[tuple[Run, State]]:
        root = str(self.console.root)
        return (one for one in self._known() if one[1].project == root)

    def _known(self) -> Iterator[tuple[Run, State]]:
        """Every run that can be read, the newest first."""
        for run in reversed(self._all()):
            try:
                yield run, run.state()
            except IntentError:  # it is just being made, or pruned
                continue

    def _all(self) -> list[Run]:
        return runs.all_runs(self.console.repo.common_dir)


def _id(found: tuple[Run, State] | None) -> str:
    return found[0].id if found else ""


def _scans(purpose: str) -> bool:
    return purpose.startswith("scan") or purpose == after_tasks.PURPOSE


def _nothing(state: str) -> dict[str, Any]:
    return {
        "state": state,
        "run": None,
        "step": None,
        "steps": [],
        "started_at": None,
        "ended_at": None,
        "commit": "",
        "error": None,
        "hint": "",
        "summary": None,
    }


def _row(run: Run, state: State, *, running: bool) -> dict[str, Any]:
    word, error = "done", state.error
    if running:
        word, error = "running", ""
    elif state.stage is not Stage.DONE:
        word, error = "failed", state.error or _STOPPED
    return {
        "run": run.id,
        "state": word,
        "steps": [list(step) for step in state.steps],
        "started_at": _begun_at(run),
        "commit": state.commit,
        "error": error or None,
    }


def _told(run: Run, state: State, *, running: bool = False) -> dict[str, Any]:
    row = _row(run, state, running=running)
    ended = None if running else stamped(_touched(run))
    done = row["state"] == "done"
    return {
        **_nothing(row["state"]),
        **row,
        "step": _step(state) if running else None,
        "ended_at": ended,
        "summary": _summary(run) if done else None,
    }


def _step(state: State) -> str:
    """The step that is at work."""
    done = dict(state.steps)
    if _NONE in done.values():
        return list(STEPS)[-1]
    return next((name for name in STEPS if name not in done), list(STEPS)[-1])


def _summary(run: Run) -> dict[str, Any]:
    """How many of each; nothing at all if the scan found nothing new."""
    try:
        plan = run.read(PLAN) if run.has(PLAN) else {}
    except IntentError:
        plan = {}
    found = plan if isinstance(plan, dict) else {}
    counts = {name: len(found.get(name) or ()) for name in _SUMMARY}
    told = {
        name: [str(x) for x in found.get(name) or ()] for name in ("domains", "remarks")
    }
    return {**counts, **told}


def _begun_at(run: Run) -> str:
    day, time_ = run.id.partition("-")[0].rstrip("Z").split("T")
    return f"{day[:4]}-{day[4:6]}-{day[6:]}T{time_[:2]}:{time_[2:4]}:{time_[4:6]}Z"


def _touched(run: Run) -> int:
    """When the run wrote down its state last."""
    try:
        return int((run.folder / "state.json").stat().st_mtime)
    except OSError:
        return 0
