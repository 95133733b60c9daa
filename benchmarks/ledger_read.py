"""Reading the objective of a ledger of 10,000 events, against one of 10.

    python -m benchmarks ledger_read

Whole processes, in turns: `show`, the hook of a prompt, `preflight`.
"""

import fcntl
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from benchmarks.figure import Figure
from benchmarks.ledger_history import HOST, NAMESPACE, SHORT, WORDS, pair
from benchmarks.process import INTENT, Cost, environment, medians, run
from git_intent.hosts.draining import GUARD
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.spool import inbox

RUNS, BAR = 25, 1.3
ADDRESS = ("--host", HOST, "--session", "s-1")
COMMANDS: dict[str, tuple[str, ...]] = {
    "show": ("ledger", "show", *ADDRESS),
    "the hook of a prompt": ("hook", "--host", HOST, "--event", "UserPromptSubmit"),
    "preflight": ("ledger", "preflight", *ADDRESS, "--tool", "Read"),
}


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        short, long = (
            _Chat(ledger, Path(folder, name))
            for ledger, name in zip(pair(), ("short", "long"), strict=True)
        )
        for name, words in COMMANDS.items():
            costs = [(long.cost(words), short.cost(words)) for _ in range(RUNS)]
            yield _figure(f"{name}, 10,000 events over {SHORT}", costs)


def _figure(name: str, costs: Sequence[tuple[Cost, Cost]]) -> Figure:
    many, few = (medians(some) for some in zip(*costs, strict=True))
    detail = f"{1000 * many.wall:.1f} ms and {1000 * few.wall:.1f} ms"
    return Figure(name, many.wall / few.wall, "times", BAR, detail=detail)


class _Chat:
    """A session that is at work on a ledger."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger, self.folder = ledger, folder
        folder.mkdir()
        self.environ = environment(folder)
        self._said = 0
        settings = {"ledgerHome": ledger.home.path, "namespace": NAMESPACE}
        for key, value in settings.items():
            args = ("git", "config", "--global", f"intent.{key}", value)
            subprocess.run(args, env=self.environ, check=True)

    def cost(self, words: Sequence[str]) -> Cost:
        """What a command costs, with nothing else at work."""
        with self._payload() as payload, self._undrained():
            return run((*INTENT, *words), self.folder, self.environ, stdin=payload)

    @contextmanager
    def _payload(self) -> Iterator[IO[bytes]]:
        self._said += 1
        told = {
            "session_id": "s-1",
            "prompt_id": f"measured-{self._said}",
            "prompt": f"Measured {self._said}: {WORDS}",
        }
        with tempfile.TemporaryFile() as payload:
            payload.write(json.dumps(told).encode())
            payload.seek(0)
            yield payload

    @contextmanager
    def _undrained(self) -> Iterator[None]:
        """Let no drainer start, and take away what a hook leaves in the inbox."""
        with Path(self.ledger.folder, GUARD).open("wb") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            yield
        for path in Path(inbox(self.ledger.folder)).glob("*"):
            path.unlink()
