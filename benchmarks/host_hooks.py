"""What a coding agent waits for: its hooks, against `python -c pass`.

    python -m benchmarks host_hooks

Whole processes in a project with 1,000 requirements, of sessions whose ledger has 1,000
events. A prompt is synced, and answered with what waits and the requirements that bear
on it; git is asked for changed files on the way. The start of a session is answered
with what waits and what holds in the whole project. Before a tool that is a mutation,
the ledger is looked at. The end of a turn is read back; that of a chat starts the
process that records it, which is not waited for. The bars: at most five times the bare
interpreter, before a tool and at an end three times. And nothing grows with the chat:
with 10,000 events, each takes at most 1.3 times as long as with ten.
"""

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cold_inject import make_project
from benchmarks.figure import Figure
from benchmarks.ledger_capture import cost
from benchmarks.ledger_history import LONG, NAMESPACE, SHORT, History
from benchmarks.process import (
    FLOOR,
    INTENT,
    Cost,
    environment,
    medians,
    ratio_detail,
    run,
)
from git_intent.hosts.reply import LONGEST
from git_intent.ledger.ledger import Ledger

REQUIREMENTS, EVENTS, RUNS = 1000, 1000, 25
GROWS = 1.3
#: Event -> what it is called, and the most times a bare interpreter.
BARS = {
    "UserPromptSubmit": ("a prompt", 5.0),
    "SessionStart": ("start of a session", 5.0),
    "PreToolUse": ("before a tool", 3.0),
    "Stop": ("end of a turn", 3.0),
    "SessionEnd": ("end of a chat", 3.0),
}
#: What is answered to each, in part; to an end, nothing.
WANTED = {
    "UserPromptSubmit": ("objective.txt", "[req-"),
    "SessionStart": ("objective.txt", "[req-"),
    "PreToolUse": ("deny",),
}
#: Seconds until the process that records a chat has seen that it is not there.
RECORDS = 1.0
TOOL = "Edit"


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        project = Project(Path(folder))
        chats = {name: project.chat(name, size) for name, size in SIZES.items()}
        for event in BARS:
            project.check(event)
        for event, (what, bar) in BARS.items():
            turns = [_turn(project, chats, event) for _ in range(RUNS)]
            found = {name: medians([turn[name] for turn in turns]) for name in turns[0]}
            yield Figure(
                f"hook: {what}",
                found["middle"].wall / found["floor"].wall,
                "times python",
                bar,
                detail=ratio_detail(found["middle"], found["floor"], "python"),
            )
            yield Figure(
                f"hook: {what}, 10,000 events",
                found["long"].wall / found["short"].wall,
                "times one with 10",
                GROWS,
                detail=ratio_detail(found["long"], found["short"], "with 10"),
            )


SIZES = {"short": SHORT, "middle": EVENTS, "long": LONG}


def _turn(project: "Project", chats: dict[str, Ledger], event: str) -> dict[str, Cost]:
    """The event once in each chat, and once the bare interpreter."""
    found = {}
    for name, ledger in chats.items():
        found[name] = project.timed(event, name)
        _settle(ledger)
        if event == "SessionEnd":
            time.sleep(RECORDS)
    return {**found, "floor": cost(lambda: project.process(FLOOR))}


def _settle(ledger: Ledger) -> None:
    """Wait until no drainer is at work."""
    for _ in range(3000):
        if not ledger.waiting() and ledger.journal.lock.read() is None:
            break
        time.sleep(0.01)
    else:
        raise SystemExit("the prompts were not drained")
    time.sleep(0.05)  # the drainer ends


class Project:
    """A project that is its own home, with the store known from the last time."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.environ = environment(folder)
        self.task = make_project(self.root, self.environ, REQUIREMENTS)
        for key, value in (
            ("intent.ledgerHome", str(self.root)),
            ("intent.namespace", NAMESPACE),
            ("intent.ledger.tools.claude.mutation", TOOL),
        ):
            git = ("git", "-C", str(self.root), "config", key, value)
            subprocess.run(git, env=self.environ, check=True)
        time.sleep(0.1)  # what changed a moment ago is not recorded
        run((*INTENT, "preview", "--task", self.task), self.root, self.environ)
        self.sent = 0

    def chat(self, name: str, size: int) -> Ledger:
        with History.begin(self.root, name) as history:
            history.work(size)
        return history.ledger

    def payload(self, event: str, session: str) -> bytes:
        self.sent += 1
        return json.dumps(
            {
                "session_id": session,
                "hook_event_name": event,
                "prompt_id": f"turn-{self.sent}",
                "prompt": self.task,
                "source": "compact",
                "tool_name": TOOL,
                "tool_input": {},
            }
        ).encode()

    def timed(self, event: str, session: str) -> Cost:
        words = (*INTENT, "hook", "--host", "claude", "--event", event)
        with tempfile.TemporaryFile() as stdin:
            stdin.write(self.payload(event, session))
            stdin.seek(0)
            return cost(lambda: self.process(words, stdin.fileno()))

    def process(
        self, command: tuple[str, ...], stdin: int = subprocess.DEVNULL
    ) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            cwd=self.root,
            env=self.environ,
            stdin=stdin,
            stdout=subprocess.DEVNULL,
        )

    def check(self, event: str) -> None:
        """What is measured must be the whole answer."""
        words = (*INTENT, "hook", "--host", "claude", "--event", event)
        out = subprocess.run(
            words,
            cwd=self.root,
            env=self.environ,
            input=self.payload(event, "middle"),
            stdout=subprocess.PIPE,
            check=True,
        ).stdout.decode()
        wanted = WANTED.get(event, ())
        whole = all(word in out for word in wanted) and bool(out) == bool(wanted)
        if not whole or len(out) > LONGEST + 1000:
            raise SystemExit(f"{event}: the answer is not what it should be: {out!r}")
