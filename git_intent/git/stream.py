"""Read what git prints while it prints it, piece by NUL-terminated piece."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from git_intent.git.process import GitError, start_git

CHUNK = 1 << 18
_PIPE = CHUNK  # a larger pipe saves changes between the two processes


def stream_git(
    args: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    input: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> Iterator[bytes]:
    """The NUL-terminated pieces of what git prints, while it prints them."""
    for chunk in _chunks(args, cwd, input, env):
        yield from chunk.split(b"\0")


def stream_columns(
    args: Sequence[str],
    width: int,
    *,
    cwd: str | os.PathLike[str],
    input: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> Iterator[list[list[str]]]:
    """What git gives in UTF-8, in rows of `width` pieces: many rows at a time, column
    by column. What is not UTF-8 becomes U+FFFD."""
    rest: list[str] = []
    for chunk in _chunks(args, cwd, input, env):
        pieces = rest + chunk.decode(errors="replace").split("\0")
        whole = len(pieces) - len(pieces) % width
        rest = pieces[whole:]
        yield [pieces[at:whole:width] for at in range(width)]
    assert not rest, f"git printed {len(rest)} pieces of a row of {width}"


def _chunks(
    args: Sequence[str],
    cwd: str | os.PathLike[str],
    input: bytes,
    env: Mapping[str, str] | None,
) -> Iterator[bytes]:
    """What git prints, in chunks that end before a NUL, which is left out."""
    # Files instead of pipes: neither side can block the other.
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(input)
        stdin.seek(0)
        child = start_git(
            args,
            cwd,
            {**(env or {}), "GIT_FLUSH": "0"},  # else git writes out each commit alone
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pipesize=_PIPE,
        )
        with child:
            try:
                yield from _cut_at_nul(child)
            except GeneratorExit:
                child.kill()
                raise
        if child.returncode:
            raise GitError(args, child.returncode, _text_of(stderr))


def _cut_at_nul(child: subprocess.Popen[bytes]) -> Iterator[bytes]:
    assert child.stdout is not None
    parts: list[bytes] = []
    while chunk := child.stdout.read(CHUNK):
        end = chunk.rfind(b"\0")
        if end < 0:
            parts.append(chunk)
            continue
        yield b"".join((*parts, chunk[:end]))
        parts = [chunk[end + 1 :]]
    if rest := b"".join(parts):
        yield rest


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
