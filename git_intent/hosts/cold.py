"""The requirements for a hook whose record is out of date: git-intent itself is run.

It reads the whole store, and brings the record up to date on the way. A hook waits WAIT
seconds for it at most: what is not there by then goes on in the background, and then
the next hook has a record. Not light, and only loaded in that case.
"""

import os
import tempfile
import time
from collections.abc import Mapping
from typing import Any

from git_intent.git.detached import start_with
from git_intent.inject.render import block, fitting_bytes
from git_intent.ledger.light_json import loads

WAIT, _PAUSE = 3.0, 0.01
#: Lines of what it has to say against the store that are passed on.
_LINES = 3


class Run:
    """What it printed: `out` is the block, `notes` are lines for stderr."""

    __slots__ = ("notes", "out")

    def __init__(self, out: str, notes: list[str]) -> None:
        self.out, self.notes = out, notes


def preview(task: str, folder: str, environ: Mapping[str, str]) -> Run:
    """The block for a task, if it comes in time. Raises OSError."""
    words = ["-C", folder, "preview", "--json", "--task-file", "-"]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with tempfile.TemporaryFile() as given:
            given.write(task.encode())
            given.seek(0)
            streams = given.fileno(), out.fileno(), err.fileno()
            pid = start_with("git_intent", words, environ, streams)
        code = _waited(pid)
        if code is None:
            return Run("", ["the requirements are being read, for the next prompt"])
        out.seek(0)
        err.seek(0)
        lines = err.read().decode("utf-8", "replace").splitlines()
        notes = [line for line in lines if line and not line.startswith("note:")]
        return Run(_block(out.read()) if code == 0 else "", notes[:_LINES])


def _waited(pid: int) -> int | None:
    """The exit code, or None if it takes too long."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_PAUSE)
    return None


def _block(data: bytes) -> str:
    try:
        found: Any = loads(data)
    except (ValueError, RecursionError):
        return ""
    text = found.get("block") if isinstance(found, dict) else None
    return text if isinstance(text, str) else ""


def fitted(text: str, room: int) -> str:
    """A block within so many bytes, its last requirements left out and counted."""
    if len(text.encode()) <= room:
        return text
    lines = [line for line in text.split("\n") if line.startswith("- [req-")]
    tail = text.rstrip("\n").rpartition("\n")[2]
    number = tail.removeprefix("(").partition(" ")[0]
    of = len(lines) + (int(number) if number.isdigit() else 0)
    shown = fitting_bytes(lines, of, room)
    return block(lines[:shown], of - shown)
