"""Where a run under way stands, kept before anything follows from it.

Steps that run side by side report here one at a time. Everything goes to the journal at
once, and to the run's record now and then (`save` takes git several processes).
"""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.workflow.progress import Progress, to_json
from git_intent.workflow.run_journal import RunJournal
from git_intent.workflow.run_state import Level, RunState, Visited

#: Seconds between two writings of the record while steps run.
_BETWEEN = 5.0


class Keeper:
    """`state` is all that is known of the run."""

    def __init__(
        self, state: RunState, journal: RunJournal, save: Callable[[RunState], None]
    ) -> None:
        self.state = state
        self._journal = journal
        self._save = save
        self._saved = time.monotonic()
        #: Held by who reads the state and notes what follows from it.
        self.turn = threading.RLock()
        self._older: dict[str, str] = {}

    def note(
        self,
        level: str,
        workflow: str,
        progress: Progress,
        visit: Visited,
        rows: Mapping[str, str] | None = None,
        said: bytes | None = None,
    ) -> None:
        """Keep where a level stands, and what is known of a visit.

        If it has ended: the rows that the key-value store has now, and what it said.
        """
        with self.turn:
            before = self.last(level)
            last = before if said is None else visit.name
            found = Level(workflow, to_json(progress), last)
            if said is not None:
                self._journal.keep_output(level, last, said)
            self._journal.note(level, found, visit, rows)
            self.state = self.state.at(level, found, visit, rows)
            if last != before:  # a power loss may take us one visit back, not two
                self._journal.drop_output(level, self._older.get(level, ""))
                self._older[level] = before
            if time.monotonic() - self._saved > _BETWEEN:
                with suppress(IntentError):  # the journal has all of it
                    self._save(self.state)
                self._saved = time.monotonic()

    def rows_file(self, visit: Visited) -> Path:
        """Where a visit may write rows for the key-value store."""
        return self._journal.rows_file(visit)

    def rows_of(self, visit: Visited) -> bytes:
        """What it has written there, which is read once."""
        return self._journal.take_rows(visit)

    def last(self, level: str) -> str:
        """The visit of a level that ended last."""
        found = self.state.levels.get(level)
        return found.last if found else ""

    def last_said(self, level: str) -> bytes:
        """What that visit said."""
        return self._journal.output(level, self.last(level))
