"""Start the process that works off the queue of completed runs, unless one is started.

A lock on `<git common dir>/intent/queue.start` says that one is: a burst of runs starts
one process. It inherits the open file, and lets go of it before its last look.
"""

import fcntl
import os

from git_intent.errors import IntentError
from git_intent.git import detached
from git_intent.git.process import callers_environment
from git_intent.git.repository import Repository

MODULE = "git_intent.cli.drainer"
#: Where the repository lies, if its files do not tell; not which index a hook is given.
_KEPT = ("GIT_DIR", "GIT_WORK_TREE")


def start(repo: Repository) -> None:
    """Begin with the queue of a repository. Raises IntentError."""
    path = repo.common_dir / "intent" / "queue.start"
    exports = {name: repo.exports[name] for name in _KEPT if name in repo.exports}
    environ = {**callers_environment(), **exports}
    try:
        guard = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.set_inheritable(guard, True)
            detached.start(MODULE, [str(guard), str(repo.root)], environ)
        except BlockingIOError:
            return
        finally:
            os.close(guard)
    except OSError as error:
        raise IntentError(
            f"{path}: no scan was started: {error.strerror}",
            "the run is queued; `git intent scan --queued` scans it",
        ) from error
