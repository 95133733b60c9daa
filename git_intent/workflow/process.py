"""One child process, an agent or a script: input in, bounded output out, none left.

The child gets a session of its own, its input on stdin, and an environment without the
caller's repository variables (a hook exports them). When it ends, or its time is over,
everything it started is ended too: SIGTERM to the group, a short grace, SIGKILL. What
left the group (a daemon) is found by a mark in its environment where `/proc` exists.

Output is read to a bound: more than `OUTPUT_CAP` on stdout ends the child, more than
`ERROR_CAP` on stderr is drained and forgotten. Whatever comes after the time limit is
not an answer.
"""

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from git_intent.errors import IntentError
from git_intent.git.process import callers_environment

OUTPUT_CAP = 16 << 20
ERROR_CAP = 1 << 20
GRACE = 1.0
#: In the environment of everything that is started here.
CHILD_VARIABLE = "GIT_INTENT_CHILD"
_CHUNK = 1 << 16
_TICK = 0.05
_PAUSE = 0.01
_KILLING = 5.0  # how long to go on with SIGKILL while new processes keep appearing


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the child ended. `code` is negative for a signal; without an answer (`late`,
    `overflowed`) `out` is empty."""

    code: int
    out: bytes
    err: bytes
    late: bool = False
    overflowed: bool = False


def run(
    command: Sequence[str],
    *,
    stdin: bytes,
    cwd: Path,
    timeout: float,
    grace: float = GRACE,
    output_cap: int = OUTPUT_CAP,
) -> Outcome:
    """Run `command` to its end, at most `timeout` seconds long.

    Raises IntentError if it cannot be started.
    """
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    child = _start(command, cwd, mark)
    traffic = _Traffic(child, stdin, output_cap)
    try:
        traffic.flow(time.monotonic() + timeout)
        late = not _ended(child) and not traffic.overflowed
    finally:
        _end(child, mark, grace)
        traffic.close()
    answered = not late and not traffic.overflowed
    return Outcome(
        code=child.returncode,
        out=bytes(traffic.out) if answered else b"",
        err=bytes(traffic.err),
        late=late,
        overflowed=traffic.overflowed,
    )


def _start(command: Sequence[str], cwd: Path, mark: str) -> subprocess.Popen[bytes]:
    env = callers_environment()
    # we may be what another run of this has started
    outer = env.get(CHILD_VARIABLE, "")
    if "/" in command[0]:
        program: str | None = str(cwd / command[0])
    else:
        program = shutil.which(command[0], path=env.get("PATH"))
    try:
        return subprocess.Popen(
            [program or command[0], *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**env, CHILD_VARIABLE: f"{outer}{mark}:"},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise IntentError(
            f"cannot start {command[0]!r}: {reason}",
            "install it, or name another command",
        ) from error


class _Traffic:
    """Moves bytes between us and the child without ever waiting on one pipe."""

    def __init__(self, child: subprocess.Popen[bytes], stdin: bytes, cap: int) -> None:
        self.child = child
        self.waiting = memoryview(stdin)
        self.cap = cap
        self.out = bytearray()
        self.err = bytearray()
        self.overflowed = False
        self.selector = selectors.DefaultSelector()
        self._watch(child.stdin, selectors.EVENT_WRITE, self._write)
        self._watch(child.stdout, selectors.EVENT_READ, self._read_out)
        self._watch(child.stderr, selectors.EVENT_READ, self._read_err)

    def flow(self, deadline: float) -> None:
        """Until the child ended and its output is read, too much came, or time is up.

        A descendant may hold the pipes open for ever, or chatter on, so the child's own
        end counts: after it one quiet tick means that all was read.
        """
        over = False
        while not self.overflowed and (left := deadline - time.monotonic()) > 0:
            if not over and _ended(self.child):
                over, deadline = True, min(deadline, time.monotonic() + GRACE)
            if over and not self.selector.get_map():
                return
            if not self._pass_on(min(_TICK, left)) and over:
                return

    def _pass_on(self, wait: float) -> bool:
        """Move what can be moved; whether anything could be read."""
        if not self.selector.get_map():
            time.sleep(min(_PAUSE, wait))
            return False
        ready = [key for key, _ in self.selector.select(wait)]
        for key in ready:
            key.data(key.fileobj)
        return any(key.fileobj is not self.child.stdin for key in ready)

    def close(self) -> None:
        self.selector.close()
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            if stream is not None and not stream.closed:
                _close(stream)

    def _watch(
        self, stream: IO[bytes] | None, event: int, act: Callable[[IO[bytes]], None]
    ) -> None:
        if stream is not None:
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, event, act)

    def _write(self, stream: IO[bytes]) -> None:
        try:
            sent = os.write(stream.fileno(), self.waiting[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not want to read more
            sent = len(self.waiting)
        self.waiting = self.waiting[sent:]
        if not self.waiting:
            self._drop(stream)

    def _read_out(self, stream: IO[bytes]) -> None:
        self.out += self._read(stream)
        if len(self.out) > self.cap:
            self.overflowed = True

    def _read_err(self, stream: IO[bytes]) -> None:
        data = self._read(stream)
        self.err += data[: ERROR_CAP - len(self.err)]

    def _read(self, stream: IO[bytes]) -> bytes:
        try:
            data = os.read(stream.fileno(), _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._drop(stream)
        return data

    def _drop(self, stream: IO[bytes]) -> None:
        self.selector.unregister(stream)
        _close(stream)


def _close(stream: IO[bytes]) -> None:
    with contextlib.suppress(BrokenPipeError):
        stream.close()


def _ended(child: subprocess.Popen[bytes]) -> bool:
    """Whether the child ended. It is not reaped yet: while it is a zombie, no other
    process can get its id, so signals to its group hit nobody else."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return child.poll() is not None
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, child.pid, options) is not None


def _end(child: subprocess.Popen[bytes], mark: str, grace: float) -> None:
    """End the child and all that it started, then reap it."""
    _signal_all(child.pid, mark, signal.SIGTERM)
    deadline = time.monotonic() + grace
    while _alive(child, mark) and time.monotonic() < deadline:
        time.sleep(_PAUSE)
    deadline = time.monotonic() + _KILLING
    _signal_all(child.pid, mark, signal.SIGKILL)
    while _alive(child, mark) and time.monotonic() < deadline:
        time.sleep(_PAUSE)
        _signal_all(child.pid, mark, signal.SIGKILL)
    child.wait()


def _alive(child: subprocess.Popen[bytes], mark: str) -> bool:
    return not _ended(child) or bool(_marked(mark))


def _signal_all(group: int, mark: str, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
    for process in _marked(mark):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _marked(mark: str) -> list[int]:
    """Living processes that inherited the mark; none where there is no `/proc`."""
    name, wanted = f"{CHILD_VARIABLE}=".encode(), mark.encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            entries = (folder / "environ").read_bytes().split(b"\0")
        except OSError:  # ended meanwhile, or another user's
            continue
        marks = [e.removeprefix(name) for e in entries if e.startswith(name)]
        if any(wanted in chain.split(b":") for chain in marks):
            found.append(int(folder.name))
    return found
