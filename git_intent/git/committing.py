"""Whether somebody is in the middle of `git commit` in a work tree.

git remembers where the branch stood before it opened the editor, and refuses to commit
if it stands elsewhere afterwards: whoever moves the branch then costs the user the
commit. No file tells this for certain, so the process table is asked. Where there is
none to read, a commit message that is newer than the last move of HEAD is taken for one
that is being written, for an hour.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from git_intent.git.repository import Repository

_PROCESSES = Path("/proc")
_LONGEST = 3600  # seconds
#: Options of git itself that take the next word.
_WITH_WORD = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path")


def committing(repo: Repository, now: float, processes: Path = _PROCESSES) -> bool:
    """Whether a commit is under way here at `now`, in seconds since 1970."""
    if repo.worktree is None:
        return False
    if (processes / "self" / "cmdline").exists():
        top = os.path.realpath(repo.worktree)
        return any(os.path.realpath(cwd) == top for cwd in _commits(processes))
    return _message_is_new(repo.git_dir, now)


def is_commit(words: Sequence[bytes]) -> bool:
    """Whether a command line is one of `git commit`."""
    if not words or words[0].rpartition(b"/")[2] not in (b"git", b"git-commit"):
        return False
    if words[0].endswith(b"git-commit"):
        return True
    rest = iter(words[1:])
    for word in rest:
        if os.fsdecode(word) in _WITH_WORD:
            next(rest, None)
        elif not word.startswith(b"-"):
            return word == b"commit"
    return False


def _commits(processes: Path) -> Iterator[str]:
    """The current folder of each `git commit`: git goes to the top of the work tree."""
    for entry in processes.iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # it has ended meanwhile, or is somebody else's
            if is_commit((entry / "cmdline").read_bytes().split(b"\0")[:-1]):
                yield str((entry / "cwd").readlink())


def _message_is_new(git_dir: Path, now: float) -> bool:
    try:
        written = (git_dir / "COMMIT_EDITMSG").stat().st_mtime
    except OSError:
        return False
    try:
        moved = (git_dir / "logs" / "HEAD").stat().st_mtime
    except OSError:
        moved = 0.0
    return written > moved and now - written < _LONGEST
