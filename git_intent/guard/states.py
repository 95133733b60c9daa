"""What differs between some commits and what is to become of them.

Compared are one, several (a merge) or no commits with another commit, with the index,
or with the work tree. Only the store's files that differ from any of the commits are
read: the cost follows the change. All others are alike everywhere, so whatever more has
to be known of them is read from the first of the commits (`Rest`).
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.diff import empty_tree
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.store.intent_dir import (
    DOMAINS,
    REQUIREMENTS,
    STORE,
    is_requirement,
    refuse_links,
)

#: What a comparison may aim at besides a commit.
INDEX = "the index"
WORK_TREE = "the work tree"

_OPTIONS = ("--raw", "--no-abbrev", "--no-renames", "--ignore-submodules", "-z")
#: In place of an object's id: the bytes lie in the work tree, git may not know them.
_ON_DISK = "on disk"
#: More paths than this and all are listed: a command line has its limits.
_MANY = 200


@dataclass(frozen=True, slots=True)
class Sides:
    """`target` is the id of a commit, `INDEX`, or `WORK_TREE`."""

    parents: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Place:
    """A project's place in its repository: `prefix` is empty, or like `svc/`.

    Paths are relative to the project. Its folder may be gone from the work tree, so git
    is always asked from the top.
    """

    repo: Repository
    prefix: str

    @classmethod
    def of(cls, root: Path) -> "Place":
        start = root
        while not start.is_dir() and start != start.parent:
            start = start.parent
        repo = Repository.discover(start)
        if repo.worktree is None:
            return cls(repo, "")
        inside = root.resolve().relative_to(repo.worktree.resolve()).as_posix()
        prefix = "" if inside == "." else f"{inside}/"
        return cls(replace(repo, root=repo.worktree), prefix)

    @property
    def store(self) -> str:
        """The store's folder, as git is asked for it."""
        return f"{self.prefix}{STORE}"

    @property
    def root(self) -> Path:
        return self.repo.root / self.prefix

    def path(self, row: bytes) -> str:
        """A path that git printed."""
        return os.fsdecode(row).removeprefix(self.prefix)


@dataclass(frozen=True, slots=True)
class Rest:
    """The files that do not differ, as the first of the commits has them."""

    place: Place
    commit: str
    differing: frozenset[str]

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Those of `paths` that are there."""
        asked = sorted(set(paths) - self.differing)
        if not asked or not self.commit:
            return {}
        found = listing(self.place, self.commit, asked)
        return read_objects(self.place.repo, found)

    def requirements(self) -> dict[str, bytes]:
        """All of them."""
        if not self.commit:
            return {}
        found = listing(self.place, self.commit, [f"{REQUIREMENTS}/"])
        wanted = filter(is_requirement, found.keys() - self.differing)
        return read_objects(self.place.repo, {path: found[path] for path in wanted})


@dataclass(frozen=True, slots=True)
class Delta:
    """The files that differ: their bytes in each of the commits, and what they become.

    Where a file is in no mapping, that side does not have it.
    """

    before: tuple[dict[str, bytes], ...]
    after: dict[str, bytes]
    rest: Rest

    @property
    def empty(self) -> bool:
        return not self.rest.differing


def read_delta(place: Place, sides: Sides) -> Delta:
    """Raises IntentError for what is not merged yet, and for objects that are not
    here (a partial clone)."""
    olds, new = _differing(place, sides)
    wanted = {oid for side in (*olds, new) for oid in side.values() if oid}
    blobs = _blobs(place.repo, wanted - {_ON_DISK})
    after = _contents(place, new, blobs)
    before = tuple(
        {
            path: after[path] if oid == _ON_DISK else blobs[oid]
            for path, oid in side.items()
            if oid and (oid != _ON_DISK or path in after)
        }
        for side in olds
    )
    first = sides.parents[0] if sides.parents else ""
    return Delta(before, after, Rest(place, first, frozenset(new)))


def listing(place: Place, commit: str, paths: Sequence[str]) -> dict[str, str]:
    """Path → id of the regular files of a commit; a folder ends in `/`."""
    asked = paths if len(paths) <= _MANY else [f"{STORE}/"]
    wanted = [place.prefix + path for path in asked]
    out = place.repo.git("ls-tree", "-z", "-r", commit, "--", *wanted)
    found = {}
    for row in out.split(b"\0"):
        head, _, path = row.partition(b"\t")
        if head.startswith(b"100"):
            found[place.path(path)] = head.split(b" ")[2].decode()
    if asked is not paths:
        return {path: found[path] for path in paths if path in found}
    return found


def read_objects(repo: Repository, found: Mapping[str, str]) -> dict[str, bytes]:
    """Path → bytes for path → id."""
    blobs = _blobs(repo, found.values())
    return {path: blobs[oid] for path, oid in found.items()}


def _differing(
    place: Place, sides: Sides
) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The ids of the files that differ from any of the commits: on the side of each of
    these, and on that of the target. Empty is a file that is not there."""
    rows = [
        dict(_rows(place, parent, sides.target))
        for parent in sides.parents or (empty_tree(place.repo),)
    ]
    new = {path: ids[1] for found in rows for path, ids in found.items()}
    strange = set(_untracked(place)) if sides.target == WORK_TREE else set()
    new |= dict.fromkeys(strange, _ON_DISK)
    if not sides.parents:
        return [], new
    # A commit without a row has the file as the target has it; but one that the index
    # does not have is in such a commit neither.
    alike = {path: "" if path in strange else oid for path, oid in new.items()}
    return [
        {path: found[path][0] if path in found else alike[path] for path in new}
        for found in rows
    ], new


def _rows(
    place: Place, commit: str, target: str
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path → ids of the file on both sides, for each that differs."""
    if target == INDEX:
        command = ["diff-index", "--cached", "--ita-invisible-in-index", *_OPTIONS]
        out = place.repo.git(*command, commit, "--", place.store)
    elif target == WORK_TREE:
        out = place.repo.git("diff-index", *_OPTIONS, commit, "--", place.store)
    else:
        out = place.repo.git(
            "diff-tree", "-r", *_OPTIONS, commit, target, "--", place.store
        )
    fields = iter(out.split(b"\0"))
    for field in fields:
        if not field:
            continue
        path = place.path(next(fields))
        old_mode, new_mode, old, new, status = field[1:].decode().split(" ")
        if not _concerns(path):
            continue
        if status == "U" and target == INDEX:
            raise IntentError(
                f"{path}: is not merged yet", f"resolve it, then `git add {path}`"
            )
        now = new if new.strip("0") or target != WORK_TREE else _ON_DISK
        old_id = old if old_mode.startswith("100") else ""
        yield path, (old_id, now if new_mode.startswith("100") else "")


def _untracked(place: Place) -> Iterator[str]:
    """Files of the work tree that the index does not have, ignored ones as well."""
    out = place.repo.git("ls-files", "-o", "-z", "--", place.store)
    yield from filter(_concerns, (place.path(row) for row in out.split(b"\0")))


def _contents(
    place: Place, new: Mapping[str, str], blobs: Mapping[str, bytes]
) -> dict[str, bytes]:
    found = {}
    if _ON_DISK in new.values():
        refuse_links(place.root)
    for path, oid in new.items():
        file = place.root / path
        if oid == _ON_DISK and file.is_file() and not file.is_symlink():
            found[path] = file.read_bytes()
        elif oid and oid != _ON_DISK:
            found[path] = blobs[oid]
    return found


def _concerns(path: str) -> bool:
    """Whether the hard rules speak about a file."""
    return path == DOMAINS or is_requirement(path)


def _blobs(repo: Repository, oids: Iterable[str]) -> dict[str, bytes]:
    wanted = set(oids)
    found = read_blobs(repo, wanted)
    if missing := wanted - found.keys():
        raise IntentError(
            f"{len(missing)} of the store's files are not in this clone: it is a "
            "partial one",
            "clone without --filter, or `git fetch --refetch --no-filter`",
        )
    return found
