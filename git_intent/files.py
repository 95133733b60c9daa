"""Durable, atomic writes; canonical JSON; hashes.

A file is written aside (`.NAME.tmp-…` in the same folder), synced, and renamed over the
old one: a reader sees the old bytes or the new ones, and so does the next boot.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError


def _nothing(name: str) -> None:
    pass


#: Called with a name right before each effect on disk or refs. The fault tests put a
#: callback here that ends the process; nothing else may.
on_effect: Callable[[str], None] = _nothing


def effect(name: str) -> None:
    """Mark a point at which a kill would leave a different state than before."""
    on_effect(name)


def sha256(data: bytes) -> str:
    """The lower-case hex digest."""
    return hashlib.sha256(data).hexdigest()


def canonical_json(value: Any) -> bytes:
    """ASCII, sorted keys, no blanks, one newline at the end; no NaN."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii") + b"\n"


def write_atomic(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace `path` by `data`, wholly or not at all.

    Raises IntentError if the disk is full, the folder read-only, or `path` a symlink.
    """
    if path.is_symlink():
        raise IntentError(f"{path}: is a symbolic link", "replace it by a regular file")
    aside = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        effect(f"write {path.name}")
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        effect(f"rename {path.name}")
        aside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise IntentError(f"{path}: {error.strerror}", "nothing was changed") from error


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power loss, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # some file systems refuse to open a folder
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
