"""What a commit, the index and the work tree hold.

A snapshot maps paths to bytes. Symbolic links and submodules have no bytes of their own
and are left out of it.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_intent.git.process import git_result
from git_intent.git.repository import Repository

#: More pathspecs than this and git is asked about everything instead.
_MANY = 200


class Entry(NamedTuple):
    """`mode` is git's (`100644`, `120000`, `160000`); `type` blob or commit."""

    path: str
    mode: str
    type: str
    oid: str
    stage: int = 0

    @property
    def regular(self) -> bool:
        return self.mode.startswith("100")


def tree(repo: Repository, rev: str, prefix: str = "") -> list[Entry]:
    """The files of a commit, below the folder or at the file `prefix`."""
    wanted = ["--", prefix] if prefix else []
    out = repo.git("ls-tree", "-r", "-z", rev, *wanted)
    return [_tree_entry(row) for row in os.fsdecode(out).split("\0")[:-1]]


def _tree_entry(row: str) -> Entry:
    head, _, path = row.partition("\t")
    mode, kind, oid = head.split(" ")
    return Entry(path, mode, kind, oid)


def index_entries(repo: Repository, prefix: str = "") -> list[Entry]:
    """The entries of the index, conflict stages included."""
    wanted = ["--", prefix] if prefix else []
    out = repo.git("ls-files", "-s", "-z", *wanted)
    return [_index_entry(row) for row in os.fsdecode(out).split("\0")[:-1]]


def _index_entry(row: str) -> Entry:
    head, _, path = row.partition("\t")
    mode, oid, stage = head.split(" ")
    kind = "commit" if mode == "160000" else "blob"
    return Entry(path, mode, kind, oid, int(stage))


def read_blobs(repo: Repository, oids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of each object; one that is not here (partial clone) is left out."""
    wanted = list(dict.fromkeys(oids))
    found: dict[str, bytes] = {}
    while wanted:
        out = _cat_file(repo, "--batch", wanted)
        answered = 0
        for oid, data in _objects(out):
            answered += 1
            if data is not None:
                found[oid] = data
        wanted = wanted[answered + 1 :]  # see _cat_file: it may have died at one
    return found


def read_names(repo: Repository, names: Sequence[str]) -> list[bytes | None]:
    """What each of `names` (like `refs/x:path`) means, None for what is not there."""
    out = _cat_file(repo, "--batch", list(names))
    found = [data for _, data in _objects(out)]
    return [*found, *[None] * (len(names) - len(found))]


def sizes(repo: Repository, oids: Iterable[str]) -> dict[str, int]:
    """The size of each object that is here."""
    wanted = list(dict.fromkeys(oids))
    found: dict[str, int] = {}
    while wanted:
        rows = _cat_file(repo, "--batch-check", wanted).decode().splitlines()
        for row in rows:
            oid, _, rest = row.partition(" ")
            if not rest.endswith("missing"):
                found[oid] = int(rest.split(" ")[1])
        wanted = wanted[len(rows) + 1 :]  # as in read_blobs
    return found


def _cat_file(repo: Repository, mode: str, oids: list[str]) -> bytes:
    """git before 2.45 dies at the first object that it would have to fetch. It is asked
    again without its promisors; where that does not help, the answer ends there."""
    asked = "".join(f"{oid}\n" for oid in oids).encode()
    code, out, _ = git_result(
        ["cat-file", "--buffer", mode], cwd=repo.root, input=asked, env=repo.exports
    )
    if not code:
        return out
    return repo.git(
        *_alone(repo), "cat-file", "--buffer", mode, input=asked, check=False
    )


def _alone(repo: Repository) -> list[str]:
    """Options that make git forget where missing objects could be fetched from."""
    out = repo.git(
        "config", "-z", "--name-only", "--get-regexp", r"\.promisor$", check=False
    )
    names = {os.fsdecode(name) for name in out.split(b"\0") if name}
    return [part for name in sorted(names) for part in ("-c", f"{name}=false")]


def _objects(out: bytes) -> Iterator[tuple[str, bytes | None]]:
    at = 0
    while at < len(out):
        end = out.index(b"\n", at)
        oid, *rest = out[at:end].decode().split(" ")
        at = end + 1
        if len(rest) < 2:  # "<id> missing", else "<id> <type> <size>"
            yield oid, None
            continue
        length = int(rest[1])
        yield oid, out[at : at + length]
        at += length + 1


def snapshot(repo: Repository, rev: str, prefix: str = "") -> dict[str, bytes]:
    """Path → bytes of the regular files of a commit below `prefix`."""
    return _contents(repo, tree(repo, rev, prefix))


def index_snapshot(repo: Repository, prefix: str = "") -> dict[str, bytes]:
    """Path → bytes of the regular files of the index below `prefix`."""
    return _contents(repo, [e for e in index_entries(repo, prefix) if e.stage == 0])


def _contents(repo: Repository, entries: list[Entry]) -> dict[str, bytes]:
    regular = [entry for entry in entries if entry.regular]
    blobs = read_blobs(repo, (entry.oid for entry in regular))
    return {e.path: blobs[e.oid] for e in regular if e.oid in blobs}


def dirty(repo: Repository, paths: Iterable[str]) -> list[str]:
    """The files at or below `paths` that differ between HEAD, index and work tree.

    Untracked files count, ignored ones do not.
    """
    asked = sorted(set(paths))
    if not asked or repo.worktree is None:
        return []
    spec = ["--", *asked] if len(asked) <= _MANY else []
    out = repo.git(
        "status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", *spec
    )
    changed = (repo.from_top(path) for path in _status_paths(out))
    if spec:
        return sorted(changed)
    return sorted(path for path in changed if _covered(path, set(asked)))


def _status_paths(out: bytes) -> Iterator[str]:
    """Paths of `status --porcelain=v2`; the last field of each record."""
    fields = {b"1": 8, b"u": 10, b"?": 1}
    for row in out.split(b"\0"):
        if row:
            yield os.fsdecode(row.split(b" ", fields[row[:1]])[-1])


def _covered(path: str, asked: set[str]) -> bool:
    while path:
        if path in asked:
            return True
        path = path.rpartition("/")[0]
    return False


def blob_id(data: bytes, object_format: str = "sha1") -> str:
    """The id that git would give these bytes."""
    header = f"blob {len(data)}\0".encode()
    return hashlib.new(object_format, header + data, usedforsecurity=False).hexdigest()


def filtered(repo: Repository, path: str) -> tuple[str, bytes]:
    """A file of the work tree as git would store it: its id and its bytes.

    Line ends, encodings and clean filters (LFS) apply. The repository gains no object.
    """
    import tempfile  # hooks read objects too, and do without it

    data = (repo.root / path).read_bytes()
    with tempfile.TemporaryDirectory(prefix="git-intent-") as aside:
        env = _objects_aside(repo, Path(aside))
        args = ["hash-object", "--stdin", "--path", path]
        oid = repo.git(*args, input=data).decode().strip()
        if oid == blob_id(data, repo.object_format):
            return oid, data
        repo.git(*args, "-w", input=data, env=env)
        return oid, repo.git("cat-file", "blob", oid, env=env)


def _objects_aside(repo: Repository, folder: Path) -> Mapping[str, str]:
    """Let git write objects into `folder` and still find those of the repository."""
    return {
        "GIT_OBJECT_DIRECTORY": str(folder),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(repo.common_dir / "objects"),
    }
