"""One call of a tool: the command runs in a process of its own, as for a person.

So nothing of one call is left for the next, whatever happens in it, and nothing that is
printed gets between the messages of the protocol. The command starts no scan of runs
that wait: who asks to read gets nothing written.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_intent.cli.mcp_tool import Call, Tool
from git_intent.errors import IntentError
from git_intent.workflow.process import run

#: Seconds that a command may take.
PATIENCE = 120.0
_NAME = "git intent: "


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is what the command printed, `value` the same if it is a JSON object, and
    `notes` what it said beside it. One that `failed` says why in `notes`."""

    text: str
    value: dict[str, Any] | None = None
    notes: str = ""
    failed: bool = False


def answer(tool: Tool, call: Call, directory: str) -> Answer:
    """Let the command run. Raises IntentError if it cannot be started or ended."""
    command = [sys.executable, "-P", "-m", "git_intent", "--no-queue", *call.words]
    done = run(command, stdin=call.stdin, cwd=Path(directory), timeout=PATIENCE)
    if done.late:
        raise IntentError(
            f"{tool.name}: no answer within {PATIENCE:.0f} seconds",
            f"try `git intent {' '.join(tool.command)}` in a terminal",
        )
    if done.overflowed:
        raise IntentError(f"{tool.name}: too much to answer", "ask for less of it")
    text = done.out.decode("utf-8", "replace")
    notes = done.err.decode("utf-8", "replace").rstrip("\n").replace(_NAME, "")
    value = None if tool.text else _object(text)
    answered = tool.answers and value is not None and tool.answers in value
    failed = done.code != 0 and not (done.code == 1 and answered)
    if failed and not notes:
        notes = f"ended with {done.code}"
    return Answer(text, value, notes, failed)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
