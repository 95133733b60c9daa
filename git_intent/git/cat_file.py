"""Read objects through one `git cat-file --batch`, asked object by object.

git finds them wherever they lie: loose, packed, in alternates, and also while a gc
moves them. What it gives is not checked against the object's id; `matches` does that.
"""

import hashlib
import subprocess
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from git_intent.git.process import start_git

_BATCH = ("cat-file", "--batch")


@dataclass(frozen=True, slots=True)
class Found:
    """An object as git gave it."""

    oid: str
    kind: str
    data: bytes

    def matches(self) -> bool:
        """Whether the bytes are those that the id stands for."""
        return object_id(self.kind, self.data, len(self.oid)) == self.oid


def object_id(kind: str, data: bytes, digits: int) -> str:
    """The id of an object in a repository whose ids have 40 or 64 digits."""
    digest = hashlib.sha256() if digits == 64 else hashlib.sha1()
    digest.update(f"{kind} {len(data)}\0".encode())
    digest.update(data)
    return digest.hexdigest()


class CatFile:
    """In a `with` block one process answers all; outside of it, one each question."""

    def __init__(self, cwd: str, env: Mapping[str, str]) -> None:
        self._cwd, self._env = cwd, env
        self._child: subprocess.Popen[bytes] | None = None
        self._kept = False

    def __enter__(self) -> "CatFile":
        self._kept = True
        return self

    def __exit__(self, *_: object) -> None:
        self._kept = False
        self._close()

    def ask(self, name: str) -> Found | None:
        """The object that `name` means; None if git does not have it, or not whole."""
        child = self._child = self._child or self._started()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(f"{name}\n".encode())
            child.stdin.flush()
            return _next(child.stdout)
        except (EOFError, BrokenPipeError):
            self._close()  # it dies at an object that is damaged
            return None
        finally:
            if not self._kept:
                self._close()

    def _close(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            child.kill()
            child.communicate()

    def _started(self) -> "subprocess.Popen[bytes]":
        return start_git(
            _BATCH,
            self._cwd,
            self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


def stream_objects(
    oids: Iterable[str], cwd: str, env: Mapping[str, str]
) -> Generator[tuple[str, Found | None], None, None]:
    """Each id with its object, in order; None for those that cannot be read."""
    wanted = list(oids)
    done = 0
    while done < len(wanted):
        for found in _streamed(wanted[done:], cwd, env):
            yield wanted[done], found
            done += 1
        if done < len(wanted):  # it died at this one
            yield wanted[done], None
            done += 1


def _streamed(
    oids: list[str], cwd: str, env: Mapping[str, str]
) -> Iterator[Found | None]:
    # a file instead of a pipe: neither side can block the other
    with tempfile.TemporaryFile() as asked:
        asked.write("".join(f"{oid}\n" for oid in oids).encode())
        asked.seek(0)
        child = start_git(
            (*_BATCH, "--buffer"),
            cwd,
            env,
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with child:
            assert child.stdout is not None
            try:
                for _ in oids:
                    yield _next(child.stdout)
            except EOFError:
                return
            finally:
                child.kill()


def _next(stream: IO[bytes]) -> Found | None:
    """What git answers to one name. Raises EOFError if it does not."""
    head = stream.readline()
    if not head.endswith(b"\n"):
        raise EOFError
    fields = head[:-1].decode(errors="replace").rsplit(" ", 2)
    if len(fields) != 3 or not fields[2].isdigit():
        return None  # "<name> missing" or "ambiguous"
    data = stream.read(int(fields[2]))
    if len(data) < int(fields[2]) or stream.read(1) != b"\n":
        raise EOFError
    return Found(fields[0], fields[1], data)
