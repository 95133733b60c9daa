"""What evidence and a scope point at outside of the ledger.

`git:OBJECT` is an object of the home by its full id, and its bytes are what git keeps.
`file:PATH` is a file in the home's work tree; the path is relative, and neither the
file nor a folder on the way is a symbolic link: what a link points at can change
without the path. A reference is always recorded with the sha256 of its bytes.

Light: nothing but `fields` is loaded.
"""

from __future__ import annotations

import os
import stat

from git_intent.ledger.fields import digest, invalid, text

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_HEX = frozenset("0123456789abcdef")
_line = text(4_096, line=True)


def reference(value: Any, pointer: str) -> None:
    """Check the spelling of a reference."""
    _line(value, pointer)
    kind, _, name = value.partition(":")
    if kind == "git":
        if len(name) not in (40, 64) or not _HEX.issuperset(name):
            raise invalid(pointer, "git: is followed by an object's full id")
    elif kind == "file":
        steps = name.split("/")
        if "" in steps or "." in steps or ".." in steps:
            raise invalid(
                pointer, "file: is followed by a plain path from the top of the home"
            )
    else:
        raise invalid(pointer, "must be git:OBJECT or file:PATH")


FIELDS = {"ref": reference, "sha256": digest}


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
