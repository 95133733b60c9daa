"""Differences line by line: hunks through renames, patch ids, who brought a line."""

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from git_intent.git.repository import Repository

_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv")
_HUNK = re.compile(rb"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines, without their ends, that gave way to others. A start counts from 1;
    where a side has no lines, it is the line after which they would stand."""

    old_start: int
    old_lines: tuple[str, ...]
    new_start: int
    new_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileDiff:
    """`old_path` is empty for a new file, `new_path` for a deleted one."""

    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    status: str
    old_path: str
    new_path: str

    @property
    def sections(self) -> int:
        """A file that became a link is shown as one patch that ends it and one that
        starts it."""
        return 2 if self.status == "T" else 1


def diff_hunks(
    repo: Repository, old: str, new: str, paths: Collection[str] = ()
) -> list[FileDiff]:
    """What changed between two commits (`old` may be empty) in `paths`, or everywhere.

    A path counts by its old or its new name: renames are found in the whole tree.
    """
    wanted = set(paths)
    sides = (old or empty_tree(repo), new)
    out = repo.git("diff-tree", "-r", "-M", "-z", "--raw", *sides)
    changes = [
        change
        for change in _changes(repo, out.split(b"\0"))
        if not wanted or wanted & {change.old_path, change.new_path}
    ]
    if not changes:
        return []
    asked = sorted({p for c in changes for p in (c.old_path, c.new_path) if p})
    spec = ["--", *asked] if wanted else []
    out = repo.git(
        "diff-tree", "-r", "-M", "-z", "--raw", "-p", "-U0", *_PLAIN, *sides, *spec
    )
    raw, _, patch = out.partition(b"\0\0")
    return list(_file_diffs(_changes(repo, raw.split(b"\0")), patch))


def empty_tree(repo: Repository) -> str:
    """The id of the tree without files."""
    return hashlib.new(
        repo.object_format, b"tree 0\0", usedforsecurity=False
    ).hexdigest()


def _changes(repo: Repository, fields: list[bytes]) -> Iterator[_Change]:
    rest = iter(fields)
    for field in rest:
        if not field.startswith(b":"):
            continue
        status = field.decode().split(" ")[4][0]
        path = repo.from_top(os.fsdecode(next(rest)))
        if status in "RC":
            yield _Change(status, path, repo.from_top(os.fsdecode(next(rest))))
        else:
            yield _Change(
                status, "" if status == "A" else path, "" if status == "D" else path
            )


def _file_diffs(changes: Iterable[_Change], patch: bytes) -> Iterator[FileDiff]:
    sections = iter(re.split(rb"^diff --git .*\n", patch, flags=re.M)[1:])
    for change in changes:
        texts = [next(sections) for _ in range(change.sections)]
        hunks = tuple(hunk for text in texts for hunk in _hunks(text))
        yield FileDiff(change.old_path, change.new_path, hunks)


def _hunks(section: bytes) -> Iterator[Hunk]:
    """The hunks of one file's patch, written without context."""
    starts: tuple[int, int] | None = None
    old: list[str] = []
    new: list[str] = []
    for line in section.split(b"\n"):
        if match := _HUNK.match(line):
            if starts:
                yield Hunk(starts[0], tuple(old), starts[1], tuple(new))
            starts, old, new = (int(match[1]), int(match[2])), [], []
        elif starts and line[:1] in (b"-", b"+"):
            side = old if line.startswith(b"-") else new
            side.append(line[1:].rstrip(b"\r").decode(errors="replace"))
    if starts:
        yield Hunk(starts[0], tuple(old), starts[1], tuple(new))


def patch_ids(repo: Repository, oids: Iterable[str]) -> dict[str, str]:
    """For each commit the id of its change, equal wherever that change is replayed.

    Merges and commits without a change have none.
    """
    asked = "".join(f"{oid}\n" for oid in dict.fromkeys(oids)).encode()
    if not asked:
        return {}
    patches = repo.git(
        "diff-tree", "--stdin", "--root", "-p", "--no-renames", *_PLAIN, input=asked
    )
    out = repo.git("patch-id", "--stable", input=patches)
    rows = (row.split(" ") for row in out.decode().splitlines())
    return {oid: patch for patch, oid in rows}


def patch_id(repo: Repository, oid: str) -> str:
    """The id of one commit's change, or nothing."""
    return patch_ids(repo, [oid]).get(oid, "")


def introduced(repo: Repository, path: str, line: int, rev: str = "HEAD") -> str:
    """The commit that brought a line (counted from 1) of a file in `rev`."""
    span = f"-L{line},{line}"
    out = repo.git("blame", "--porcelain", span, rev, "--", path)
    return out.split(b" ", 1)[0].decode()
