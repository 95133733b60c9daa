"""A run under way, on disk: who runs it, and what it did since the record was written.

    <git common dir>/intent/running/<run>/lock      held (flock) by whoever runs it
                                          journal   what was noted since, a line each
                                          output-…  what the last step of a level said
                                          rows-…    what a step adds to the key-values

A line of the journal is canonical JSON: a level's name, where it stands now, what is
known of one visit, and all rows of the key-value store if one has changed. It is
written before anything follows from it: `started` before the step starts, `finished`
before the next one does. The first is synced, so that no power loss hides that a step
was begun; where it hides an end, that is not known, and reported so. A line that was
cut short was not noted. The record in `refs/intent/runs/` is written when the run
begins and ends and now and then between, as that takes git several processes; whoever
reads a run that is under way puts both together.

The lock ends with its process, whatever ends that. The folder goes with the run's end.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json, effect, sha256, sync_folder
from git_intent.workflow.run_names import escape
from git_intent.workflow.run_state import (
    Level,
    RunState,
    Seen,
    Visited,
    level_of,
    visit_json,
    visit_of,
)

_LONGEST = 200
_JOURNAL, _LOCK, _OUTPUT, _ROWS = "journal", "lock", "output-", "rows-"
_ROWS_CAP = 1 << 20
#: More of what a step said is not handed on to the next.
OUTPUT_CAP = 1 << 20


class RunJournal:
    """The journal of `run`; `common_dir` is the repository's."""

    def __init__(self, common_dir: Path, run: str) -> None:
        self.run = run
        self.folder = common_dir / "intent" / "running" / _name(run)
        self._handle = -1

    @contextmanager
    def held(self) -> Iterator[None]:
        """Be the one who runs it. Raises IntentError if somebody else does."""
        lock = self._locked()
        if lock is None:
            raise IntentError(
                f"run {self.run!r} is under way in another process",
                "wait for its end, or interrupt it there",
            )
        try:
            yield
        finally:
            if self._handle >= 0:
                os.close(self._handle)
                self._handle = -1
            if not (self.folder / _JOURNAL).exists():
                self._forget()
            os.close(lock)

    def is_held(self) -> bool:
        """Whether somebody runs it now."""
        try:
            handle = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(handle)
        return False

    def note(
        self,
        level: str,
        found: Level,
        visit: Visited,
        rows: Mapping[str, str] | None = None,
    ) -> None:
        """Keep where a level stands, what is known of a visit, and the rows of the
        key-value store, if they are others now."""
        if self._handle < 0:
            self._open()
        row: dict[str, Any] = {
            "level": level,
            "workflow": found.workflow,
            "progress": dict(found.progress),
            "last": found.last,
            "visit": visit_json(visit),
        }
        if rows is not None:
            row["rows"] = dict(rows)
        effect(f"note {visit.state} {visit.step}")
        data = memoryview(canonical_json(row))
        while data:
            data = data[os.write(self._handle, data) :]
        if visit.state == Seen.STARTED:
            os.fdatasync(self._handle)

    def replayed(self, state: RunState) -> RunState:
        """`state` with everything that was noted since."""
        try:
            data = (self.folder / _JOURNAL).read_bytes()
        except FileNotFoundError:
            return state
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            try:
                row = json.loads(line)
            except ValueError:
                raise IntentError(
                    f"{self.folder / _JOURNAL}:{number}: is damaged",
                    "remove the file to go on from what is on record",
                ) from None
            visit = visit_of(row["visit"], "/visit")
            state = state.at(row["level"], level_of(row, ""), visit, row.get("rows"))
        return state

    def rows_file(self, visit: Visited) -> Path:
        """Where a visit may write rows for the key-value store."""
        return self.folder / f"{_ROWS}{visit.mark}"

    def take_rows(self, visit: Visited) -> bytes:
        """What it has written there; the file is gone then."""
        path = self.rows_file(visit)
        try:
            with open(path, "rb", opener=_reading) as stream:
                data = stream.read(_ROWS_CAP)
            path.unlink()
        except OSError:  # most write none, and what is no file holds none
            return b""
        return data

    def keep_output(self, level: str, last: str, data: bytes) -> None:
        """What a visit said, for the next one after a kill."""
        if data:
            with open(self._output(level, last), "wb", opener=_private) as stream:
                stream.write(data[-OUTPUT_CAP:])

    def drop_output(self, level: str, last: str) -> None:
        """Another visit has ended since: nobody asks for this one's words."""
        if last:
            self._output(level, last).unlink(missing_ok=True)

    def output(self, level: str, last: str) -> bytes:
        try:
            return self._output(level, last).read_bytes() if last else b""
        except FileNotFoundError:
            return b""

    def end(self) -> None:
        """The run is over, and its record says so: nothing is left to remember."""
        effect("end journal")
        (self.folder / _JOURNAL).unlink(missing_ok=True)

    def _output(self, level: str, last: str) -> Path:
        return self.folder / f"{_OUTPUT}{sha256(f'{level}/{last}'.encode())[:20]}"

    def _open(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        self._handle = os.open(self.folder / _JOURNAL, flags, 0o600)
        data = (self.folder / _JOURNAL).read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            os.ftruncate(self._handle, whole)
        sync_folder(self.folder)

    def _locked(self) -> int | None:
        """A descriptor that holds the lock; None if somebody else holds it."""
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                handle = os.open(self.folder / _LOCK, flags, 0o600)
            except (FileExistsError, FileNotFoundError):
                if os.path.lexists(self.folder) and not self.folder.is_dir():
                    raise IntentError(
                        f"{self.folder}: is no folder", "remove it"
                    ) from None
                continue  # whoever held it has just cleaned up
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                return None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), (self.folder / _LOCK).stat()):
                    return handle
            os.close(handle)

    def _forget(self) -> None:
        with suppress(OSError):
            for kind in (_OUTPUT, _ROWS):
                for path in self.folder.glob(f"{kind}*"):
                    path.unlink()
            (self.folder / _LOCK).unlink()
            self.folder.rmdir()


def _name(run: str) -> str:
    """A file name that belongs to this run alone."""
    name = escape(run)
    return name if len(name) <= _LONGEST else f"+{sha256(os.fsencode(run))}"


def _reading(path: str, flags: int) -> int:
    # a pipe in the place of the file would hold us for ever
    return os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
