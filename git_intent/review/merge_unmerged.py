"""The files of the store that a merge left undone, and both versions of each.

They are taken from the index as long as it holds them. Once a file was added with its
markers in it, the markers tell. A person who has begun to choose is not undone: where
the work tree's file is neither what git nor what the merge driver leaves, what it says
counts.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_intent.git.objects import Entry, index_entries, read_blobs
from git_intent.git.process import git_result
from git_intent.git.repository import Repository
from git_intent.review.merge import is_mergeable
from git_intent.review.merge_markers import Sides, sides
from git_intent.store.intent_dir import (
    ATTRIBUTES,
    STORE,
    is_requirement,
    requirement_path,
)
from git_intent.store.issue import Issue
from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.rules_view import Reader
from git_intent.store.strict_yaml import decode, refuse_conflict

#: git's numbers for the versions of a file in conflict.
_BASE, _OURS, _THEIRS = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Unmerged:
    """One file. A version is None where that side does not have the file.

    `current` is the work tree's. `staged` is whether the index holds the conflict.
    `line` is where the markers begin; 0 without.
    """

    path: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    current: bytes | None
    staged: bool = True
    line: int = 0

    @property
    def versions(self) -> list[bytes]:
        found = (self.ours, self.theirs, self.base)
        return [data for data in found if data is not None]


def find_unmerged(repo: Repository, files: Mapping[str, bytes]) -> list[Unmerged]:
    """What is undone, by path; `files` is the store in the work tree."""
    stages: dict[str, dict[int, Entry]] = {}
    for entry in index_entries(repo, STORE):
        known = is_mergeable(entry.path) or entry.path == ATTRIBUTES
        if entry.stage and known and entry.regular:
            stages.setdefault(entry.path, {})[entry.stage] = entry
    blobs = read_blobs(repo, (e.oid for held in stages.values() for e in held.values()))
    found = []
    for path, held in stages.items():
        base, ours, theirs = (
            blobs[held[stage].oid] if stage in held else None
            for stage in (_BASE, _OURS, _THEIRS)
        )
        found.append(Unmerged(path, base, ours, theirs, files.get(path)))
    for path, data in files.items():
        if path not in stages and (line := marker_line(data, path)):
            found.append(_from_markers(path, data, line))
    return sorted(found, key=lambda one: one.path)


def gathered(undone: Sequence[Unmerged]) -> tuple[list[Unmerged], list[str]]:
    """With the versions of a renamed requirement at the path of its id, and the others.

    Where both sides renamed a file, git tells of three: of the old path it has what
    both came from, and of each new path one side. A requirement is known by its id.
    """
    found = {one.path: one for one in undone}
    strays = []
    for one in undone:
        home = _home(one)
        there = found.get(home)
        if home == one.path or there is None or one.base is not None:
            continue
        if one.ours is not None and there.ours is None:
            found[home] = replace(there, ours=one.ours)
        elif one.theirs is not None and there.theirs is None:
            found[home] = replace(there, theirs=one.theirs)
        else:
            continue
        strays.append(one.path)
    return [one for path, one in found.items() if path not in strays], strays


def _home(one: Unmerged) -> str:
    """Where a file that only one side has belongs by its id."""
    if not is_requirement(one.path) or (one.ours is None) == (one.theirs is None):
        return one.path
    (data,) = (d for d in (one.ours, one.theirs) if d is not None)
    entry = Reader().read(one.path, data)
    return (
        one.path if isinstance(entry, Issue) else requirement_path(entry.requirement.id)
    )


def _from_markers(path: str, data: bytes, line: int) -> Unmerged:
    read = sides(data)
    if read is None:
        return Unmerged(path, None, None, None, data, staged=False, line=line)
    return Unmerged(path, read.base, read.ours, read.theirs, data, False, line)


def marker_line(data: bytes, path: str) -> int:
    """The line of the first conflict marker, 0 if there is none."""
    try:
        refuse_conflict(decode(data, path), path)
    except MalformedFile as error:
        return error.line if error.code == Code.CONFLICT else 0
    return 0


def by_lines(
    base: bytes | None, ours: bytes, theirs: bytes, repo: Repository
) -> tuple[bytes, bool]:
    """What git makes of three versions, and whether that is without a conflict."""
    with tempfile.TemporaryDirectory(prefix="git-intent-") as folder:
        names = []
        for name, data in (("ours", ours), ("base", base or b""), ("theirs", theirs)):
            names.append(str(Path(folder) / name))
            Path(names[-1]).write_bytes(data)
        args = ["merge-file", "-p", "-q", *names]
        code, out, _ = git_result(args, cwd=repo.root, env=repo.exports)
        return out, code == 0


def begun(current: bytes, left: list[bytes]) -> Sides | None:
    """What a person has made of a file with markers, None if nobody touched it.

    `left` is what the merge may have left there.
    """
    now = sides(current)
    if now is None:
        return None
    told = _told(now)
    return None if any(_told(sides(data)) == told for data in left) else now


def _told(found: Sides | None) -> tuple[bytes, ...]:
    """Both versions, line ends and a missing last one aside."""
    if found is None:
        return ()
    pair = (found.ours, found.theirs)
    return tuple(data.replace(b"\r\n", b"\n").rstrip(b"\n") for data in pair)
