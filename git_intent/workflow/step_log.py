"""The logs of a run's steps, where Cloche and every scan look for them.

    .cloche/logs/<run>/<attempt>/full.log            every step, with time and kind
                                 <workflow>-<step>.log       what a script printed, or
                                                             an agent on stderr
                                 <workflow>-llm-<step>.log   an agent's own stream
                                 <workflow>/<step>.prompt.md the exact prompt
                                 step.<step>.skip.log        output of a skip command
                                 <step>/…         the same, of the workflow it runs

A line of full.log is `[RFC 3339 time] [status|script|llm] text`. Another visit of a
step goes on in the same file. What is written holds no secrets, and no file grows
beyond `CAP`. A log that cannot be written is no reason to end a step: the first problem
is kept, and told at the end. The folder ignores itself: nothing of it is committed.
"""

import os
import re
import threading
from collections.abc import Callable
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.secrets import scrub
from git_intent.workflow.masking import Masked
from git_intent.workflow.run_names import escape

LOGS = ".cloche/logs"
#: No log grows beyond this; the rest of what a step prints is not kept in it.
CAP = 16 << 20
_CUT = b"\n[more was printed; it is not kept]\n"
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


class RunLogs:
    """The logs of one attempt of a run. `now` gives the time as a stamp."""

    def __init__(self, root: Path, run: str, attempt: str, now: Callable[[], str]):
        self.folder = root / LOGS / path_part(run) / path_part(attempt)
        self.problem = ""
        self._now = now
        self._files: dict[str, _File] = {}
        self._turn = threading.Lock()
        for shared in (root / ".cloche", root / LOGS):
            if shared.is_symlink():
                raise IntentError(
                    f"{shared}: is a symbolic link", "replace it by a folder"
                )

    def status(self, text: str) -> None:
        self.mixed("status", text)

    def mixed(self, kind: str, text: str) -> None:
        """Lines for full.log."""
        stamp = self._now()
        lines = (f"[{stamp}] [{kind}] {line}\n" for line in text.splitlines())
        self.append("full.log", "".join(lines).encode("utf-8", "surrogateescape"))

    def append(self, name: str, data: bytes) -> None:
        with self._turn:
            try:
                self._file(name).append(data)
            except OSError as error:
                self.problem = self.problem or f"{name}: {error.strerror}"

    def replace(self, name: str, data: bytes) -> None:
        with self._turn:
            try:
                self._file(name).replace(data)
            except OSError as error:
                self.problem = self.problem or f"{name}: {error.strerror}"

    def close(self) -> None:
        with self._turn:
            for file in self._files.values():
                file.close()
            self._files.clear()

    def _file(self, name: str) -> "_File":
        if name not in self._files:
            if not self._files:
                _ignore(self.folder.parents[1])
            self._files[name] = _File(self.folder / name)
        return self._files[name]


class StepLog:
    """The logs of one visit of a step. `above` are the steps that its workflow is run
    by, outermost first; `names` are the files that were written to."""

    def __init__(
        self, logs: RunLogs, above: tuple[str, ...], workflow: str, step: str
    ) -> None:
        self._logs = logs
        self._folder = "".join(f"{path_part(one)}/" for one in above)
        self._workflow, self._step = path_part(workflow), path_part(step)
        self.names: list[str] = []

    def script(self) -> "Channel":
        """For what a script prints, or an agent on stderr."""
        return self._channel(f"{self._workflow}-{self._step}.log", "script")

    def agent(self) -> "Channel":
        """For an agent's own stream."""
        return self._channel(f"{self._workflow}-llm-{self._step}.log", "llm")

    def skip(self) -> "Channel":
        """For what a skip command prints."""
        return self._channel(f"step.{self._step}.skip.log", "script")

    def prompt(self, prompt: bytes) -> None:
        """Keep the prompt of an agent."""
        name = self._named(f"{self._workflow}/{self._step}.prompt.md")
        text = scrub(prompt.decode("utf-8", "surrogateescape"))
        self._logs.replace(name, text.encode("utf-8", "surrogateescape"))

    def _channel(self, name: str, kind: str) -> "Channel":
        return Channel(self._logs, self._named(name), kind)

    def _named(self, name: str) -> str:
        name = self._folder + name
        if name not in self.names:
            self.names.append(name)
        return name


class Channel:
    """One stream of a step: masked, into its log and into full.log."""

    def __init__(self, logs: RunLogs, name: str, kind: str) -> None:
        self._logs, self._name, self._kind = logs, name, kind
        self._left = CAP
        self._masked = Masked(self._write)

    def feed(self, data: bytes) -> None:
        # beyond what is kept, nothing has to be looked at either
        if self._left > 0:
            self._masked.feed(data)

    def idle(self) -> None:
        self._masked.idle()

    def close(self) -> None:
        self._masked.close()

    def _write(self, data: bytes) -> None:
        self._left -= len(data)
        self._logs.append(self._name, data)
        self._logs.mixed(self._kind, data.decode("utf-8", "surrogateescape"))


class _File:
    """A log that grows to `CAP` and no further; opened at its first byte."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = -1
        self._size = 0

    def append(self, data: bytes) -> None:
        if not data:
            return
        if self._handle < 0:
            self._open(0)
        if self._size > CAP:  # and says so
            return
        room = CAP - self._size
        kept = data if len(data) <= room else data[:room] + _CUT
        self._size += len(kept)
        while kept:
            kept = kept[os.write(self._handle, kept) :]

    def replace(self, data: bytes) -> None:
        self.close()
        self._open(os.O_TRUNC)
        self._size = 0
        self.append(data)

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _open(self, more: int) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        self._handle = os.open(self.path, flags | more, 0o600)
        self._size = os.fstat(self._handle).st_size


def path_part(name: str) -> str:
    """The name of a run or step as a part of a path. One that is odd is written so
    that it reads as no step's name: its log is not mined."""
    return name if _SAFE.fullmatch(name) and ".." not in name else escape(name)[:100]


def _ignore(folder: Path) -> None:
    """Have git pass the folder over, unless somebody has said what it does."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ".gitignore"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        handle = os.open(path, flags, 0o644)
    except FileExistsError:
        return
    try:
        os.write(handle, b"*\n")
    finally:
        os.close(handle)
