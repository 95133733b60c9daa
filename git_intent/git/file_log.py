"""The history of one file: what each commit made of it, and the way it came in by.

Paths are literal and renames are not followed. Blob ids are empty where the file was
not there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from git_intent.git.repository import Repository
from git_intent.git.stream import stream_git


@dataclass(frozen=True, slots=True)
class Step:
    """The blob that a commit left, and that of each of its parents; a root has one."""

    commit: str
    before: tuple[str, ...]
    after: str


def file_log(repo: Repository, path: str, rev: str = "HEAD") -> list[Step]:
    """The commits that `git log REV -- PATH` lists, in its order."""
    args = ["log", "-z", "--format=tformat:%H", "-c", "--raw", "--no-abbrev"]
    args += ["--no-renames", "--no-show-signature", "--no-ext-diff", rev, "--", path]
    return list(_steps(repo, stream_git(args, cwd=repo.root, env=repo.exports)))


def _steps(repo: Repository, pieces: Iterator[bytes]) -> Iterator[Step]:
    commit = ""
    for piece in pieces:
        row = piece.lstrip(b"\n")
        if not row.startswith(b":"):
            commit = row.decode() or commit
            continue
        next(pieces)  # the path
        parents = len(row) - len(row.lstrip(b":"))
        blobs = row.decode().split(" ")[parents + 1 : 2 * parents + 2]
        *before, after = ("" if blob == repo.zero else blob for blob in blobs)
        yield Step(commit, tuple(before), after)


def merged_by(repo: Repository, path: str, rev: str = "HEAD") -> dict[str, str]:
    """Commits that changed the file on another line than that of the first parents →
    the merge by which they came in."""
    args = ("rev-list", "--first-parent", "--merges", rev, "--", path)
    found: dict[str, str] = {}
    for merge in repo.git(*args).decode().split():
        inside = repo.git("rev-list", merge, f"^{merge}^1", "--", path)
        found |= {oid: merge for oid in inside.decode().split() if oid != merge}
    return found


def file_graph(repo: Repository, path: str, rev: str = "HEAD") -> dict[str, list[str]]:
    """Each commit that changed the file or joined lines of history → those before it,
    as far as they are listed too. The newest, which has the file as `rev` has it, is
    first."""
    args = ("rev-list", "--parents", "--full-history", "--topo-order", rev, "--", path)
    rows = (row.split() for row in repo.git(*args).decode().splitlines())
    return {commit: before for commit, *before in rows}
