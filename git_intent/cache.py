"""The hot cache: what paths that must be fast read instead of YAML and TOML.

A slow path takes the stamps of its sources, reads them, and saves what it worked out; a
hot path reads that back and compares the stamps. A stamp is size, times and inode, so
an edit that keeps size and time is still seen. Whoever saves refuses sources that
changed within a tick before they were looked at, since the clock of a file system ticks
slowly; only the saver knows when it looked.

A file `<git common dir>/intent/cache/NAME` holds a header line with the form and the
Python it is for, the CRC-32 of the rest in eight hex digits, and the rest: `marshal` of
`(stamps, value)`. Values are plain: dict, list, tuple, str, bytes, int, float, None.
Whatever is wrong with the file, it counts as absent. This module loads nothing that
Python has not loaded when it starts.
"""

from __future__ import annotations

import binascii
import marshal
import os
import sys

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

Stamp = tuple[int, int, int, int]
Stamps = dict[str, Stamp | None]

_HEADER = f"git-intent cache 1 {sys.implementation.cache_tag}\n".encode()
_CRC = 8


def stamps(paths: list[str]) -> Stamps:
    """The stamp of each path as it is now; None for one that is not there."""
    return {path: _stamp(path) for path in paths}


def _stamp(path: str) -> Stamp | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib would cost the hot paths
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def read(common_dir: str, name: str) -> tuple[Stamps, object] | None:
    """The stamps and the value saved for them; whether the stamps still hold is the
    caller's to find out."""
    path = f"{common_dir}/intent/cache/{name}"
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    start = len(_HEADER) + _CRC
    body = memoryview(data)[start:]
    if not data.startswith(_HEADER) or data[len(_HEADER) : start] != _sum(body):
        return None
    taken, value = marshal.loads(body)
    return taken, value


def save(common_dir: str, name: str, taken: Stamps, value: Any) -> None:
    """Keep `value` for sources whose stamps were `taken` before they were read.

    A cache that cannot be written is no cache; nothing is raised for that.
    """
    from pathlib import Path

    from git_intent.errors import IntentError
    from git_intent.files import write_atomic

    body = marshal.dumps((taken, value))
    try:
        write_atomic(
            Path(common_dir, "intent", "cache", name), _HEADER + _sum(body) + body
        )
    except IntentError:
        return


def _sum(body: bytes | memoryview) -> bytes:
    return b"%08x" % binascii.crc32(body)
