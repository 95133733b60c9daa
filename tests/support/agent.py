"""A fake agent: a real process that answers with queued replies."""

import json
import sys
from pathlib import Path
from typing import Any

NONCE = "5f1c9e"

# Answers with the queued replies, one a call; keeps each prompt it was given.
AGENT = """\
import pathlib, sys
home = pathlib.Path(sys.argv[1])
turn = len(list(home.glob("prompt-*")))
(home / f"prompt-{turn}").write_bytes(sys.stdin.buffer.read())
reply = home / f"reply-{turn}"
if not reply.exists():
    reply = home / "reply"
sys.stdout.buffer.write(reply.read_bytes())
"""


class FakeAgent:
    """A fake agent: a real process with queued replies."""

    def __init__(self, home: Path) -> None:
        self.home = home / "agent"
        self.home.mkdir(parents=True, exist_ok=True)
        self.logs = home / "run"
        self.script = self.home / "agent.py"
        self.script.write_text(AGENT)

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "command": [sys.executable, "-IS", str(self.script), str(self.home)],
            "cwd": self.home,
            "log_dir": self.logs,
            "timeout": 60,
            "nonce": NONCE,
        }

    def reply(self, *replies: str | bytes | dict) -> "FakeAgent":
        """The replies to the first calls; the last one also to all later ones."""
        for turn, reply in enumerate(replies):
            if isinstance(reply, dict):
                reply = f"answer {NONCE}\n{json.dumps(reply)}\n"
            data = reply.encode() if isinstance(reply, str) else reply
            (self.home / f"reply-{turn}").write_bytes(data)
            (self.home / "reply").write_bytes(data)
        return self

    def runs(self, code: str) -> "FakeAgent":
        """Let it do something else than answer."""
        self.script.write_text(code)
        return self

    @property
    def prompts(self) -> list[str]:
        count = len(list(self.home.glob("prompt-*")))
        return [(self.home / f"prompt-{i}").read_text() for i in range(count)]
