"""One child process, an agent or a script: input in, bounded output out, none left.

The child gets a session of its own, its input on stdin, and an environment without the
caller's repository variables (a hook exports them). When it ends, or its time is over,
everything it started is ended too: SIGTERM to the group, a short grace, SIGKILL. What
left the group (a daemon) is found by a mark in its environment where `/proc` exists.

Output is read to a bound: more than `OUTPUT_CAP` on stdout ends the child, more than
`ERROR_CAP` on stderr is drained and forgotten. Whatever comes after the time limit is
not an answer. Somebody who follows the child hears all of its output as it comes, and
may stop it; then there is no bound but on what is kept of stdout: its last lines.
"""

import contextlib
import os
import selectors
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from git_intent.errors import IntentError
from git_intent.git.process import callers_environment
from git_intent.workflow.descendants import CHILD_VARIABLE, PAUSE, Family, fresh_mark

__all__ = ["CHILD_VARIABLE", "Follower", "Outcome", "run"]

OUTPUT_CAP = 16 << 20
ERROR_CAP = 1 << 20
GRACE = 1.0
_CHUNK = 1 << 16
_TICK = 0.05


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the child ended. `code` is negative for a signal; without an answer (`late`,
    `overflowed`, `stopped`) `out` is empty."""

    code: int
    out: bytes
    err: bytes
    late: bool = False
    overflowed: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Follower:
    """Who hears of a child while it runs: what it prints, and moments of silence.

    The child is ended as soon as `stop` says so.
    """

    out: Callable[[bytes], None]
    err: Callable[[bytes], None]
    idle: Callable[[], None]
    stop: Callable[[], bool]


def run(
    command: Sequence[str],
    *,
    stdin: bytes,
    cwd: Path,
    timeout: float,
    grace: float = GRACE,
    output_cap: int = OUTPUT_CAP,
    env: Mapping[str, str] | None = None,
    mark: str = "",
    follower: Follower | None = None,
) -> Outcome:
    """Run `command` to its end, at most `timeout` seconds long.

    `env` is put over the caller's environment. `mark` is what descendants are found by,
    one of its own for each child. Raises IntentError if it cannot be started.
    """
    family = Family(mark or fresh_mark())
    child = _start(command, cwd, env or {}, family.mark)
    traffic = _Traffic(child, stdin, output_cap, follower)
    try:
        traffic.flow(time.monotonic() + timeout)
        cut_off = traffic.overflowed or traffic.stopped
        late = not _ended(child) and not cut_off
    finally:
        family.end(child.pid, lambda: _ended(child), grace)
        child.wait()
        traffic.close()
    answered = not late and not cut_off
    return Outcome(
        code=child.returncode,
        out=bytes(traffic.out) if answered else b"",
        err=bytes(traffic.err),
        late=late,
        overflowed=traffic.overflowed,
        stopped=traffic.stopped,
    )


def _start(
    command: Sequence[str], cwd: Path, extra: Mapping[str, str], mark: str
) -> subprocess.Popen[bytes]:
    env = {**callers_environment(), **extra}
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

    def __init__(
        self,
        child: subprocess.Popen[bytes],
        stdin: bytes,
        cap: int,
        follower: Follower | None,
    ) -> None:
        self.child = child
        self.waiting = memoryview(stdin)
        self.cap = cap
        self.follower = follower
        self.out = bytearray()
        self.err = bytearray()
        self.overflowed = False
        self.stopped = False
        self.selector = selectors.DefaultSelector()
        self._watch(child.stdin, selectors.EVENT_WRITE, self._write)
        self._watch(child.stdout, selectors.EVENT_READ, self._read_out)
        self._watch(child.stderr, selectors.EVENT_READ, self._read_err)
        self.end = _Alarm(child.pid)

    def flow(self, deadline: float) -> None:
        """Until the child ended and its output is read, too much came, or time is up.

        A descendant may hold the pipes open for ever, or chatter on, so the child's own
        end counts: after it one quiet tick means that all was read.
        """
        over = False
        while not self._cut_off() and (left := deadline - time.monotonic()) > 0:
            if not over and _ended(self.child):
                over, deadline = True, min(deadline, time.monotonic() + GRACE)
            if over and not self.selector.get_map():
                return
            if not self._pass_on(min(_TICK, left)) and over:
                return

    def _cut_off(self) -> bool:
        if self.follower is not None and self.follower.stop():
            self.stopped = True
        return self.overflowed or self.stopped

    def _pass_on(self, wait: float) -> bool:
        """Move what can be moved; whether anything could be read."""
        if not self.selector.get_map():
            self.end.wait(wait)
            return False
        ready = [key for key, _ in self.selector.select(wait)]
        for key in ready:
            key.data(key.fileobj)
        if not ready and self.follower is not None:
            self.follower.idle()
        return any(key.fileobj is not self.child.stdin for key in ready)

    def close(self) -> None:
        self.end.close()
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
        data = self._read(stream)
        self.out += data
        if self.follower is not None:
            self.follower.out(data)
            if len(self.out) > 2 * self.cap:
                line = self.out.find(b"\n", len(self.out) - self.cap) + 1
                del self.out[: line or -self.cap]
        elif len(self.out) > self.cap:
            self.overflowed = True

    def _read_err(self, stream: IO[bytes]) -> None:
        data = self._read(stream)
        self.err += data[: ERROR_CAP - len(self.err)]
        if self.follower is not None:
            self.follower.err(data)

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


@dataclass(slots=True)
class _Alarm:
    """Wakes us at once when a process ends, where the system can (Linux)."""

    pid: int
    handle: int = field(init=False, default=-1)

    def wait(self, seconds: float) -> None:
        """Until the process ends, or for so long; elsewhere for a moment."""
        if self.handle < 0 and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self.handle = os.pidfd_open(self.pid)
        if self.handle < 0:
            time.sleep(min(PAUSE, seconds))
            return
        with selectors.DefaultSelector() as selector:
            selector.register(self.handle, selectors.EVENT_READ)
            selector.select(seconds)

    def close(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)


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
