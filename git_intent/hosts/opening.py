"""One at a time may open a chat: of two hosts with one session id, the first.

Who opened a chat is told by its first prompt. Until that is there, a session that may
open it holds a lock on a file in the chat's folder, and looks again with the lock held.
The system drops the lock of a process that dies, so nothing is ever left behind.
"""

import fcntl
import os

from git_intent.ledger import durable

#: In the chat's folder.
GUARD = "open.guard"


class Opening:
    """A context with the lock held, where the file system has locks."""

    __slots__ = ("_folder", "_guard")

    def __init__(self, folder: str) -> None:
        """Without a folder, nothing is held."""
        self._folder, self._guard = folder, -1

    def __enter__(self) -> None:
        if not self._folder:
            return
        try:
            durable.make_folder(self._folder)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._guard = os.open(f"{self._folder}/{GUARD}", flags, 0o600)
            fcntl.flock(self._guard, fcntl.LOCK_EX)
        except OSError:
            return  # whether the prompt can be kept is seen when that is tried

    def __exit__(self, *_: object) -> None:
        if self._guard >= 0:
            os.close(self._guard)
