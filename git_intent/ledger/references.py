"""What evidence and a scope point at outside of the ledger.

`git:OBJECT` is an object of the home by its full id, and its bytes are what git keeps.
`file:PATH` is a file in the home's work tree; the path is relative, and neither the
file nor a folder on the way is a symbolic link: what a link points at can change
without the path. A reference is always recorded with the sha256 of its bytes.

Light: nothing is loaded.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable


class References:
    """Reads what references of one home point at; None where nothing is to be had."""

    __slots__ = ("_read_object", "_root")

    def __init__(
        self, root: str | None, read_object: Callable[[str], bytes | None]
    ) -> None:
        """`root` is the top of the work tree; a bare home has none."""
        self._root = root
        self._read_object = read_object

    def __call__(self, ref: str) -> bytes | None:
        kind, _, name = ref.partition(":")
        if kind == "git":
            return self._read_object(name)
        return None if self._root is None else read_file(self._root, name)


def read_file(root: str, path: str) -> bytes | None:
    """The bytes of a regular file below `root`, reached without a symbolic link."""
    *folders, name = path.split("/")
    try:
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for folder in folders:
                inner = os.open(
                    folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle
                )
                os.close(handle)
                handle = inner
            # Without O_NONBLOCK, opening a pipe would wait for its writer.
            inner = os.open(
                name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=handle
            )
        finally:
            os.close(handle)
        with open(inner, "rb") as file:
            regular = stat.S_ISREG(os.fstat(inner).st_mode)
            return file.read() if regular else None
    except (OSError, ValueError):
        return None
