"""Start git: clean environment in, bytes out, failures as `GitError`.

What the caller exported about *its* repository (`GIT_DIR` and the like, set in every
hook) never reaches a child by inheritance: `Repository` reads it once and hands it on.
No child fetches missing objects, writes the index as a side effect, or speaks another
language than English.

This module loads without `subprocess`: `spawn_git` serves paths that must start fast.
"""

from __future__ import annotations

import errno
import os

from git_intent.errors import IntentError

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence
    from typing import Any

_SCRUBBED = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)

_SET = {
    "GIT_ALLOW_PROTOCOL": "none",  # git before 2.45 knows no GIT_NO_LAZY_FETCH
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

_CHUNK = 1 << 16


class GitError(IntentError):
    """git ended with another code than 0; `stderr` holds its words."""

    def __init__(self, args: Sequence[str], code: int, stderr: str) -> None:
        words = stderr.strip() or f"ended with code {code}"
        super().__init__(f"git {' '.join(args[:3])}: {words}")
        self.code = code
        self.stderr = stderr


class GitTimeoutError(IntentError):
    """git, or a program it started, did not end in time and was stopped."""


def callers_environment() -> dict[str, str]:
    """The caller's environment without its repository."""
    return {k: v for k, v in os.environ.items() if k not in _SCRUBBED}


def child_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """What git gets to see: no repository but that in `extra`."""
    return {**callers_environment(), **_SET, **(extra or {})}


def network_environment(
    extra: Mapping[str, str] | None, *, terminal: bool
) -> dict[str, str]:
    """The same for a git that talks to a remote which the user named: the user's own
    rules say by which protocols. Without `terminal` it asks nobody anything."""
    own = callers_environment()
    kept = {"LC_ALL": "C"} if terminal else {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    return {**own, **kept, **(extra or {})}


def run_git(
    args: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    input: bytes = b"",
    env: Mapping[str, str] | None = None,
    check: bool = True,
) -> bytes:
    """Run git to its end and give what it printed.

    With `check`, any code but 0 raises `GitError`; without, the output is given as is.
    """
    code, out, err = git_result(args, cwd=cwd, input=input, env=env)
    if check and code:
        raise GitError(args, code, err)
    return out


def git_result(
    args: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    input: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> tuple[int, bytes, str]:
    """Run git to its end and give code, output and error text."""
    import subprocess

    pipe = subprocess.PIPE
    with start_git(args, cwd, env, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        out, err = child.communicate(input)
    return child.returncode, out, err.decode(errors="replace")


def start_git(
    args: Sequence[str],
    cwd: str | os.PathLike[str],
    env: Mapping[str, str] | None,
    *,
    environ: Mapping[str, str] | None = None,
    **options: Any,
) -> subprocess.Popen[bytes]:
    """Start git with the options of Popen; `environ` is its whole environment."""
    import subprocess

    environ = child_environment(env) if environ is None else environ
    try:
        return subprocess.Popen(["git", *args], cwd=cwd, env=environ, **options)
    except FileNotFoundError as error:
        raise _not_started(cwd) from error


def run_hook(
    command: Sequence[str], *, cwd: str | os.PathLike[str], env: Mapping[str, str]
) -> tuple[int, str]:
    """Run a hook of the user as git would, and give its code and its words.

    Its environment is the user's own: hooks may use the network and other languages.
    """
    import subprocess
    import tempfile

    # A file, since what a hook leaves running in the background would keep a pipe open.
    with tempfile.TemporaryFile() as said:

        def run(words: Sequence[str]) -> int:
            return subprocess.run(
                words,
                cwd=cwd,
                env={**callers_environment(), **env},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                check=False,
            ).returncode

        try:
            code = run(command)
        except OSError as error:
            if error.errno != errno.ENOEXEC:
                return 126, f"{command[0]}: {error.strerror}"
            code = run(["sh", *command])  # as git does without a `#!` line
        said.seek(0)
        return code, said.read().decode(errors="replace")


def git_in_time(
    args: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    input: bytes = b"",
    env: Mapping[str, str] | None = None,
    seconds: float,
    terminal: bool,
    network: bool = False,
) -> bytes:
    """Run git where it may ask somebody something: a passphrase, a touch of a key.

    Without `terminal` nothing below it can reach one. Whatever still runs at the end of
    the time is stopped, and GitTimeoutError raised. Only with `network` it may talk to
    a remote.
    """
    import signal
    import subprocess

    if not terminal:
        env = {**(env or {}), "GPG_TTY": ""}  # its agent is none of our children
    with start_git(
        args,
        cwd,
        env,
        environ=network_environment(env, terminal=terminal) if network else None,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=not terminal,
    ) as child:
        try:
            out, err = child.communicate(input, timeout=seconds)
        except subprocess.TimeoutExpired as error:
            if terminal:
                child.kill()
            else:
                os.killpg(child.pid, signal.SIGKILL)
            raise GitTimeoutError(
                f"git {args[0]}: no answer within {seconds:g} seconds"
            ) from error
    if child.returncode:
        raise GitError(args, child.returncode, err.decode(errors="replace"))
    return out


def open_git(
    args: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    env: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start git to read what is written to it; use it in a `with` block.

    It sees the end of its input also when this process is killed, alone or with its
    group, and then ends in order.
    """
    import subprocess

    return start_git(
        args,
        cwd,
        env,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def spawn_git(
    args: Sequence[str],
    cwd: str | os.PathLike[str],
    env: Mapping[str, str] | None = None,
) -> tuple[int, bytes]:
    """Run git without `subprocess`: its code and output; error text is dropped."""
    return begin_git(args, cwd, env).end()


class Begun:
    """A git at work, which `end` waits for: several can be at work at once."""

    __slots__ = ("_pid", "_reading")

    def __init__(self, pid: int, reading: int) -> None:
        self._pid, self._reading = pid, reading

    def end(self) -> tuple[int, bytes]:
        """Its code and output."""
        try:
            pieces = []
            while piece := os.read(self._reading, _CHUNK):
                pieces.append(piece)
        finally:
            os.close(self._reading)
            _, status = os.waitpid(self._pid, 0)
        return os.waitstatus_to_exitcode(status), b"".join(pieces)


def begin_git(
    args: Sequence[str],
    cwd: str | os.PathLike[str],
    env: Mapping[str, str] | None = None,
) -> Begun:
    """As `spawn_git`, without waiting."""
    reading, writing = os.pipe()
    try:
        pid = os.posix_spawnp(
            "git",
            ["git", "-C", os.fspath(cwd), *args],
            child_environment(env),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, writing, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
        )
    except FileNotFoundError as error:
        os.close(reading)
        raise _not_started(cwd) from error
    finally:
        os.close(writing)
    return Begun(pid, reading)


def _not_started(cwd: str | os.PathLike[str]) -> IntentError:
    if not os.path.isdir(cwd):  # noqa: PTH112 - pathlib would cost the fast paths
        return IntentError(f"{os.fspath(cwd)}: no such folder")
    return IntentError("git is not installed, or not on the PATH", "install git")
