"""Which two states of the store are compared, and the files in which they differ.

A side is a commit (or no commit at all, which holds nothing), the index or the work
tree. Commits and index are read from objects; what differs in the work tree is git's
to say, so that line ends and filters count for nothing. A bare repository, and a
folder inside of `.git`, have commits only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from git_intent.errors import IntentError
from git_intent.git.history import merge_base
from git_intent.git.objects import Entry, index_entries, read_blobs, tree
from git_intent.git.repository import Repository
from git_intent.review.changes import File, Unread, read_file
from git_intent.store.intent_dir import (
    DOMAINS,
    SCAN_STATE,
    STORE,
    is_requirement,
    read_snapshot,
    requirement_path,
)
from git_intent.store.requirement import Requirement


class Place(StrEnum):
    COMMIT = "commit"
    INDEX = "index"
    WORKTREE = "worktree"


@dataclass(frozen=True, slots=True)
class Side:
    """`commit` is an id, empty for the index, the work tree and an unborn branch."""

    place: Place
    commit: str = ""

    def __str__(self) -> str:
        if self.place is Place.COMMIT:
            return self.commit or "nothing"
        return "the index" if self.place is Place.INDEX else "the work tree"


@dataclass(frozen=True, slots=True)
class Range:
    """`commits` is what `git log` is asked for those between, empty for none."""

    old: Side
    new: Side
    commits: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """Path → bytes of the files that differ, on both sides, and those not to be read.

    `known` gives a requirement of the new side, changed or not.
    """

    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    unread: tuple[Unread, ...]
    known: Callable[[str], Requirement | None]


def read_range(repo: Repository, revs: Sequence[str], *, staged: bool) -> Range:
    """What `A..B`, `A...B`, `A`, `A B` or nothing at all stand for, as in `git diff`.

    Raises IntentError that names the revision which is no commit here.
    """
    words = [*revs]
    if len(words) == 1 and "..." in words[0]:
        one, _, other = words[0].partition("...")
        old, new = _commit(repo, one or "HEAD"), _commit(repo, other or "HEAD")
        base = merge_base(repo, old, new)
        if base is None:
            hint = "fetch more history" if repo.shallow else "compare them with `..`"
            raise IntentError(f"{words[0]}: the two have no common commit here", hint)
        old = base
    elif len(words) == 1 and ".." in words[0]:
        one, _, other = words[0].partition("..")
        old, new = _commit(repo, one or "HEAD"), _commit(repo, other or "HEAD")
    elif len(words) == 2:
        old, new = _commit(repo, words[0]), _commit(repo, words[1])
    else:
        return _uncommitted(repo, words[0] if words else "", staged)
    if staged:
        raise IntentError(
            "--staged compares the index with one commit", "name one, or none for HEAD"
        )
    return Range(Side(Place.COMMIT, old), Side(Place.COMMIT, new), f"{old}..{new}")


def _uncommitted(repo: Repository, rev: str, staged: bool) -> Range:
    if repo.worktree is None:
        raise IntentError(
            f"{repo.root}: there is no work tree here", "name two commits: A..B"
        )
    head = repo.head().oid
    old = _commit(repo, rev) if rev else head
    commits = f"{old}..{head}" if rev and head else ""
    place = Place.INDEX if staged else Place.WORKTREE
    return Range(Side(Place.COMMIT, old), Side(place), commits)


def _commit(repo: Repository, rev: str) -> str:
    found = repo.resolve(rev)
    if found:
        return found
    hint = "fetch it, or look for its name with `git branch -a`"
    if repo.shallow:
        hint = "this clone is shallow: fetch more history"
    raise IntentError(f"{rev}: names no commit here", hint)


def difference(repo: Repository, range: Range) -> Difference:
    """The files of the store that differ between the two sides."""
    old, unread = _listed(repo, range.old)
    if range.new.place is Place.WORKTREE:
        return _against_worktree(repo, range.old, old)
    new, conflicts = _listed(repo, range.new)
    paths = [p for p in {*old, *new} if old.get(p) != new.get(p)]
    before, gone = _contents(repo, old, paths, "before")
    after, missing = _contents(repo, new, paths, "after")
    unread = [*unread, *conflicts, *gone, *missing]
    lost = {found.path for found in unread}
    for snapshot in (before, after):
        for path in lost & snapshot.keys():
            del snapshot[path]

    def known(id: str) -> Requirement | None:
        oid = new.get(requirement_path(id), "")
        return _requirement(read_blobs(repo, [oid]).get(oid) if oid else None, id)

    return Difference(before, after, tuple(unread), known)


def _against_worktree(
    repo: Repository, side: Side, old: Mapping[str, str]
) -> Difference:
    present = {p: data for p, data in read_snapshot(repo.root).items() if _ours(p)}
    paths = _changed(repo, side.commit) | (present.keys() - old.keys())
    before, unread = _contents(repo, old, [p for p in paths if p in old], "before")
    lost = {found.path for found in unread}
    after = {path: present[path] for path in paths - lost if path in present}

    def known(id: str) -> Requirement | None:
        return _requirement(present.get(requirement_path(id)), id)

    return Difference(before, after, tuple(unread), known)


def _changed(repo: Repository, commit: str) -> set[str]:
    """The tracked files of the store that git sees a difference in."""
    if not commit:
        return set()
    args = ("--name-only", "--no-renames", "--no-ext-diff", "--no-relative", "-z")
    out = repo.git("diff", *args, commit, "--", STORE)
    names = (name.decode(errors="surrogateescape") for name in out.split(b"\0"))
    return {path for name in names if name and _ours(path := repo.from_top(name))}


def _listed(repo: Repository, side: Side) -> tuple[dict[str, str], list[Unread]]:
    """The files of the store and their blobs; those in conflict are named."""
    if side.place is Place.INDEX:
        entries = index_entries(repo, STORE)
    else:
        entries = tree(repo, side.commit, STORE) if side.commit else []
    which = "after" if side.place is Place.INDEX else "before"
    ours = [entry for entry in entries if _ours(entry.path)]
    unread = {
        Unread(entry.path, which, f"{entry.path}: {why}")
        for entry in ours
        if (why := _unreadable(entry))
    }
    listed = {entry.path: entry.oid for entry in ours if not _unreadable(entry)}
    return listed, sorted(unread, key=lambda found: found.path)


def _unreadable(entry: Entry) -> str:
    if entry.stage:
        return "is in conflict"
    return "" if entry.regular else "is no regular file"


def _ours(path: str) -> bool:
    return is_requirement(path) or path in (DOMAINS, SCAN_STATE)


def _contents(
    repo: Repository, listed: Mapping[str, str], paths: Sequence[str], side: str
) -> tuple[dict[str, bytes], list[Unread]]:
    wanted = {path: listed[path] for path in sorted(paths) if path in listed}
    blobs = read_blobs(repo, wanted.values())
    unread = [
        Unread(path, side, f"{path}: this clone does not have it (git fetch gets it)")
        for path, oid in wanted.items()
        if oid not in blobs
    ]
    found = {path: blobs[oid] for path, oid in wanted.items() if oid in blobs}
    return found, unread


def _requirement(data: bytes | None, id: str) -> Requirement | None:
    if data is None:
        return None
    found = read_file(data, requirement_path(id))
    return found.requirement if isinstance(found, File) else None
