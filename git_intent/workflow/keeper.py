"""Where a run under way stands, kept before anything follows from it.

Steps that run side by side report here one at a time. Everything goes to the journal at
once, and to the run's record now and then (`save` takes git several processes).
"""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

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
        self._turn = threading.RLock()

    def note(
        self,
        level: str,
        workflow: str,
        progress: Progress,
        visit: Visited,
        rows: Mapping[str, str] | None,
    ) -> None:
        """Keep where a level stands, what is known of a visit, and the rows that the
        key-value store has now, if it has changed."""
        found = Level(workflow, to_json(progress))
        with self._turn:
            self._journal.note(level, found, visit, rows)
            self.state = self.state.at(level, found, visit, rows)
            if time.monotonic() - self._saved > _BETWEEN:
                self._save(self.state)
                self._saved = time.monotonic()

    def said(self, level: str, output: bytes) -> None:
        """Keep what the last step of a level said."""
        with self._turn:
            self._journal.keep_output(level, output)

    def rows_file(self, visit: Visited) -> Path:
        """Where a visit may write rows for the key-value store."""
        return self._journal.rows_file(visit)

    def rows_of(self, visit: Visited) -> bytes:
        """What it has written there, which is read once."""
        return self._journal.take_rows(visit)

    def last_said(self, level: str) -> bytes:
        return self._journal.output(level)
