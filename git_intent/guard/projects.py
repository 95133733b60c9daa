"""Which projects a repository holds, and what the store of each says at some state.

Every folder with a store is a project, and a check is about all of them: a commit
touches whatever it touches. A project that is gone from the state looked at still
counts if a commit that it is compared with has it.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from git_intent.errors import IntentError
from git_intent.git.differing import WITH_MAGIC
from git_intent.git.objects import (
    Entry,
    blob_id,
    index_entries,
    tree,
)
from git_intent.git.repository import Repository
from git_intent.guard.stored import Stored
from git_intent.store.intent_dir import (
    DOMAINS,
    REQUIREMENTS,
    SCAN_STATE,
    STORE,
    is_requirement,
    read_snapshot,
)
from git_intent.store.rules_view import Snapshot

#: Every file of every store, asked from wherever in the repository.
_STORES = f":(top,glob)**/{STORE}/**"


class State(StrEnum):
    """Which bytes of the store are meant."""

    WORK_TREE = "work tree"
    INDEX = "index"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True)
class Side:
    """One state of the repository; `rev` names the commit if it is one."""

    state: State
    rev: str = ""


def projects(
    repo: Repository, side: Side, compared: Iterable[str] = ()
) -> list[Repository]:
    """The repository once for each project, with its root; sorted by path.

    `compared` are commits whose projects count as well. The project that the command
    was started in is among them if it has a store, tracked or not.
    """
    top = repo.worktree
    if top is None:
        return [repo]
    folders = {_folder(path) for path in _paths(repo, side, compared)}
    if side.state is State.WORK_TREE and (repo.root / STORE).is_dir():
        folders.add(repo.project)
    return [replace(repo, root=top / folder) for folder in sorted(folders)]


def _paths(repo: Repository, side: Side, compared: Iterable[str]) -> Iterator[str]:
    """Store files of the index, and those in which it differs from other states."""
    yield from _ask(repo, "ls-files", "-z", "--full-name", "--", _STORES)
    if side.state is State.WORK_TREE:
        words = ("-o", "--exclude-standard", "-z", "--full-name")
        yield from _ask(repo, "ls-files", *words, "--", _STORES)
    revs = [*compared, *([side.rev] if side.rev else [])]
    for rev in dict.fromkeys(revs):
        words = ("--cached", "--name-only", "--no-renames", "-z")
        yield from _ask(repo, "diff-index", *words, rev, "--", _STORES)


def _ask(repo: Repository, *words: str) -> list[str]:
    # Asked from the top: a list of names may be limited to the folder it is asked in.
    out = from_top(repo).git(*words, env=WITH_MAGIC)
    return os.fsdecode(out).split("\0")[:-1]


def _folder(path: str) -> str:
    """The project's folder of a store file: empty, or like `svc/`."""
    return path[: path.rindex(f"{STORE}/")]


def store_at(repo: Repository, side: Side) -> Snapshot:
    """The store of one project; raises IntentError for a symbolic link in it."""
    if side.state is State.WORK_TREE:
        return read_snapshot(repo.root)
    entries = _entries(repo, side, STORE)
    for entry in entries:
        if not entry.regular and _is_ours(entry.path):
            raise IntentError(
                f"{entry.path}: is a symbolic link; the store holds regular files only",
                "replace it by what it points at",
            )
    known = {e.path: e.oid for e in entries if not e.stage and e.regular}
    return Stored(from_top(repo), known)


def _entries(repo: Repository, side: Side, path: str) -> list[Entry]:
    """The files at or below a path of the project, as the index or a commit has them.

    The project's folder may be missing from the work tree, so git is asked at the top.
    """
    top, folder = from_top(repo), repo.project
    if side.state is State.COMMIT:
        found = tree(top, side.rev, folder + path)
    else:
        found = staged_entries(top, folder + path)
    if not folder:
        return found
    return [e._replace(path=e.path.removeprefix(folder)) for e in found]


def staged_entries(repo: Repository, path: str) -> list[Entry]:
    """The entries of the index at or below a path that a commit would have.

    A file that is only intended to be added (`git add -N`) stands there as empty.
    """
    found = index_entries(repo, path)
    empty = blob_id(b"", repo.object_format)
    if all(entry.oid != empty for entry in found):
        return found
    words = ("--name-only", "--diff-filter=A", "-z")
    where = f":(literal){repo.to_top(path)}"
    intended = set(_ask(repo, "diff-files", *words, "--", where))
    return [e for e in found if repo.to_top(e.path) not in intended]


def from_top(repo: Repository) -> Repository:
    """The same repository, with the project at its top."""
    return replace(repo, root=repo.worktree or repo.root)


def _is_ours(path: str) -> bool:
    """Whether the store would read the file; its folders may be links as well."""
    folders = (".cloche", STORE, REQUIREMENTS)
    return is_requirement(path) or path in (DOMAINS, SCAN_STATE, *folders)


def tracked(repo: Repository, side: Side) -> list[str]:
    """The project's paths that git knows at that state, for patterns to match."""
    if side.state is State.COMMIT:
        return [entry.path for entry in _entries(repo, side, "")]
    below = ["--", repo.project] if repo.project else []
    found = _ask(repo, "ls-files", "-z", *below)
    return [path.removeprefix(repo.project) for path in found]
