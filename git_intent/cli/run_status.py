"""How far a run is: a line for each step that ends, on a terminal also those that run.

On a terminal the lines of running steps stand below all others and are drawn anew every
second, with the time they have taken. Elsewhere each start and each end is a line.
"""

import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

from git_intent.cli import output
from git_intent.cli.run_steps import name, took
from git_intent.workflow.run_state import Seen, Visited

_PERIOD = 1.0


class RunStatus:
    """Told of every visit, from any thread. `quiet` prints nothing."""

    def __init__(
        self, quiet: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._quiet = quiet
        self._clock = clock
        self._live = output.is_terminal() and not quiet
        self._running: dict[tuple[str, str, int], tuple[Visited, float]] = {}
        self._drawn = 0
        self._turn = threading.Lock()
        self._over = threading.Event()
        self._exits = ExitStack()

    def __enter__(self) -> "RunStatus":
        if self._live:
            self._exits.enter_context(output.notes_through(self._note))
            ticker = threading.Thread(target=self._tick, daemon=True)
            self._exits.callback(ticker.join)
            ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._exits.close()
        with self._turn:
            self._clear()

    def tell(self, visit: Visited) -> None:
        with self._turn:
            self._clear()
            if visit.state == Seen.STARTED:
                self._running[visit.key] = visit, self._clock()
                if not self._live:
                    self._say(f"{name(visit)}: started")
            else:
                _, since = self._running.pop(visit.key, (visit, self._clock()))
                self._say(self._ended(visit, self._clock() - since))
            self._draw()

    def _note(self, text: str) -> None:
        """A line that somebody else has to say, above those of running steps."""
        with self._turn:
            self._clear()
            output.note_below(text)
            self._draw()

    def _ended(self, visit: Visited, seconds: float) -> str:
        if visit.state == Seen.UNKNOWN:
            return f"{name(visit)}: nobody saw its end; it runs again"
        words = visit.result
        if visit.state != Seen.FINISHED:
            words = f"{visit.state} {visit.result}".strip()
        reason = f", {output.one_line(visit.reason)}" if visit.reason else ""
        return f"{name(visit)}: {words} ({took(seconds)}{reason})"

    def _say(self, line: str) -> None:
        if not self._quiet:
            output.note_below(line)

    def _tick(self) -> None:
        while not self._over.wait(_PERIOD):
            with self._turn:
                self._clear()
                self._draw()

    def _clear(self) -> None:
        """Take away the lines of running steps."""
        if self._drawn:
            sys.stderr.write(f"\x1b[{self._drawn}A\x1b[J")
            sys.stderr.flush()
            self._drawn = 0

    def _draw(self) -> None:
        if not self._live or self._over.is_set():
            return
        now = self._clock()
        for visit, since in self._running.values():
            line = f"{name(visit)}: running {took(now - since)}"
            output.note_below(output.fitting(line))
            self._drawn += 1
