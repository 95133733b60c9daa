"""A prompt that a hook keeps in a chat that exists, against `python -c pass`.

    python -m benchmarks ledger_capture

The bars: the whole process, whose prompt is synced and answered, takes at most four
times as long as the bare interpreter; and 16 hooks at once get through at least a
quarter as many prompts in a time as 16 workers get through starts of the interpreter.
Every prompt must be in the journal in the end.
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.process import FLOOR, INTENT, Cost, environment, medians, ratio_detail
from git_intent.ledger.home import open_home
from git_intent.ledger.ledger import Ledger

BAR, SHARE = 4.0, 0.25
RUNS, WRITERS, ROUNDS = 25, 16, 6
HOOK = (*INTENT, "hook", "--host", "claude", "--event", "UserPromptSubmit")


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        chat = Chat(Path(folder))
        chat.say()
        chat.settle()
        pairs = [(chat.timed(), chat.floor()) for _ in range(RUNS)]
        ours, floor = (medians(costs) for costs in zip(*pairs, strict=True))
        detail = ratio_detail(ours, floor, "python")
        yield Figure(
            "capture in a hook",
            ours.wall / floor.wall,
            "times python",
            BAR,
            detail=detail,
        )
        turns = [(chat.burst(), chat.floors()) for _ in range(ROUNDS)]
        chat.settle()
        chat.check()
    took, bare = (sum(times) for times in zip(*turns, strict=True))
    prompts = WRITERS * ROUNDS
    yield Figure(
        f"{WRITERS} hooks at once",
        bare / took,
        f"of {WRITERS} workers starting python",
        SHARE,
        at_least=True,
        detail=f"{prompts / took:.0f} prompts and {prompts / bare:.0f} starts a second",
    )


class Chat:
    """One chat of a session; `sent` prompts were given to hooks."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.environ = environment(folder)
        self.sent = 0
        for args in (
            ("init", "-q", str(self.root)),
            ("-C", str(self.root), "config", "intent.ledgerHome", str(self.root)),
            ("-C", str(self.root), "config", "intent.namespace", "bench"),
        ):
            subprocess.run(["git", *args], env=self.environ, check=True)
        self.ledger = Ledger(open_home(str(self.root), ""), "bench", "s-1")

    def start(self) -> "subprocess.Popen[bytes]":
        """A hook at work, its payload in a file as hosts' pipes hold it."""
        self.sent += 1
        payload = {
            "session_id": "s-1",
            "prompt_id": f"turn-{self.sent}",
            "prompt": f"Prompt {self.sent}: keep every outcome that is open. " * 10,
        }
        with tempfile.TemporaryFile() as stdin:
            stdin.write(json.dumps(payload).encode())
            stdin.seek(0)
            return self.process(HOOK, stdin.fileno())

    def process(
        self, command: Sequence[str], stdin: int = subprocess.DEVNULL
    ) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            cwd=self.root,
            env=self.environ,
            stdin=stdin,
            stdout=subprocess.DEVNULL,
        )

    def say(self) -> None:
        if self.start().wait():
            raise SystemExit("a hook failed")

    def timed(self) -> Cost:
        """One hook, with nothing else at work."""
        self.settle()
        return cost(self.start)

    def floor(self) -> Cost:
        self.settle()
        return cost(lambda: self.process(FLOOR))

    def burst(self) -> float:
        """Seconds that as many hooks take as there are writers."""
        self.settle()
        begun = time.perf_counter()
        for writer in [self.start() for _ in range(WRITERS)]:
            writer.wait()
        return time.perf_counter() - begun

    def floors(self) -> float:
        self.settle()
        begun = time.perf_counter()
        for worker in [self.process(FLOOR) for _ in range(WRITERS)]:
            worker.wait()
        return time.perf_counter() - begun

    def settle(self) -> None:
        """Wait until no drainer is at work."""
        for _ in range(3000):
            if not self.ledger.waiting() and self.ledger.journal.lock.read() is None:
                break
            time.sleep(0.01)
        else:
            raise SystemExit("the prompts were not drained")
        time.sleep(0.1)  # the drainer ends

    def check(self) -> None:
        held = self.ledger.read().view["counts"]["sources"]
        if held != self.sent:
            raise SystemExit(f"{self.sent} prompts were sent, {held} are kept")


def cost(start: Callable[[], "subprocess.Popen[bytes]"]) -> Cost:
    begun = time.perf_counter()
    child = start()
    _, status, used = os.wait4(child.pid, 0)
    took = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit("a process failed")
    return Cost(took, used.ru_utime + used.ru_stime)
