"""Durable, atomic writes; canonical JSON; hashes.

A file is written aside, synced, and renamed over the old one: a reader sees the old
bytes or the new ones, and so does the next boot. Where the system can (Linux), what
lies aside has no name until the moment of the rename, so that a process killed in the
middle leaves nothing behind. Elsewhere it is `.NAME.tmp-PID` in the same folder, and
the next write there removes what dead processes left.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)
_ASIDE = re.compile(r"\..+\.tmp-(\d+)")


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
    return _CANONICAL.encode(value).encode("ascii") + b"\n"


def write_atomic(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Replace `path` by `data`, wholly or not at all; an old file's mode stays.

    `mode` is for a new file, less the user's umask. Raises IntentError if the disk is
    full, the folder read-only, or `path` a symlink.
    """
    if path.is_symlink():
        raise IntentError(f"{path}: is a symbolic link", "replace it by a regular file")
    with _failing_whole(path), _written_aside(path, data, mode) as (aside, name_it):
        effect(f"rename {path.name}")
        name_it(aside)
        aside.replace(path)
        sync_folder(path.parent)


def publish(path: Path, data: bytes, mode: int = 0o666) -> bool:
    """Make the file `path` with all its bytes at once, unless something has its name.

    `mode` is less the user's umask. Needs a file system with hard links; raises
    IntentError without.
    """
    with _failing_whole(path), _written_aside(path, data, mode) as (_, name_it):
        effect(f"publish {path.name}")
        try:
            name_it(path)
        except FileExistsError:
            return False
        sync_folder(path.parent)
        return True


@contextmanager
def _failing_whole(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise IntentError(
            f"{path}: {error.strerror}", "the file is as it was before"
        ) from error


@contextmanager
def _written_aside(
    path: Path, data: bytes, mode: int
) -> Iterator[tuple[Path, Callable[[Path], None]]]:
    """Write and sync `data` near `path`.

    Gives the name that it may take there, and a function that gives it a name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path.parent)
    effect(f"write {path.name}")
    aside = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    aside.unlink(missing_ok=True)  # of a dead process that had our id
    handle, named = _open_aside(aside, mode)
    try:
        with suppress(FileNotFoundError):
            os.fchmod(handle, path.stat().st_mode & 0o777)
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
        yield aside, partial(_name, aside if named else handle)
    finally:
        os.close(handle)
        aside.unlink(missing_ok=True)


def _open_aside(aside: Path, mode: int) -> tuple[int, bool]:
    """A file to write to, and whether it has a name already."""
    unnamed = getattr(os, "O_TMPFILE", 0)
    if unnamed and Path("/proc/self/fd").is_dir():
        try:
            return os.open(aside.parent, os.O_WRONLY | unnamed, mode), False
        except OSError:  # not on this file system
            pass
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    return os.open(aside, flags, mode), True


def _name(written: Path | int, to: Path) -> None:
    if isinstance(written, int):
        # `src_dir_fd` makes os.link follow the link to the open file
        os.link(f"/proc/self/fd/{written}", to, src_dir_fd=written)
    elif written != to:
        os.link(written, to)


def _sweep(folder: Path) -> None:
    """Remove what processes that were killed while writing left in `folder`."""
    for path in folder.iterdir():
        match = _ASIDE.fullmatch(path.name)
        if match and not lives(int(match[1])):
            path.unlink(missing_ok=True)


def lives(pid: int) -> bool:
    """Whether a process has this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


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
