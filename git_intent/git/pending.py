"""Move a branch to a commit made aside, and bring the user's index along.

While the branch moves, a git process of ours holds the index by git's own lock, so no
`git commit` can run between the two. It waits for its input: what the index is to hold
is told it once the branch has moved. If we are killed first, it sees the end of its
input, lets go of the lock and changes nothing.

For that case there is a note, `<git dir>/intent/pending` (canonical JSON: commit,
parent, paths), written before the branch moves and removed after the index is written:
`settle` finishes what it tells of. Only entries that are still the parent's are
touched; whatever the user staged stays.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json, effect, write_atomic
from git_intent.git.objects import Entry, index_entries, tree
from git_intent.git.process import open_git
from git_intent.git.repository import Repository

_WAIT = 5.0  # seconds until a lock of somebody else's is an error
_TICK = 0.01


@contextmanager
def moving(
    repo: Repository, commit: str, parent: str, paths: Iterable[str]
) -> Iterator[None]:
    """Hold the index while the `with` block moves the branch to `commit`.

    Afterwards the index holds the `paths` as the commit does. Raises IntentError before
    the block if another program holds the index. If the block raises, it stays.
    """
    names = sorted(paths)
    note = {"commit": commit, "parent": parent, "paths": names, "version": 1}
    write_atomic(_note(repo), canonical_json(note))
    try:
        with _held_index(repo) as tell:
            rows = _rows(repo, commit, parent, names)
            yield
            effect("index")
            tell(rows)
    finally:
        # The commit is made or it is not; what is left to do, the next command does.
        with suppress(IntentError):
            settle(repo)


def settle(repo: Repository) -> None:
    """Finish the last commit's work on the index, if it is not; safe to call always.

    Raises IntentError if another program holds the index for seconds; the note stays.
    """
    try:
        told: Any = json.loads(_note(repo).read_bytes())
        commit, parent, paths = told["commit"], told["parent"], told["paths"]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError):
        _note(repo).unlink()
        return
    if repo.resolve("HEAD") == commit:
        rows = _rows(repo, commit, parent, paths)
        if rows:
            with _held_index(repo) as tell:
                tell(rows)
        _refresh(repo, paths)
    effect("settled")
    _note(repo).unlink(missing_ok=True)


def _note(repo: Repository) -> Path:
    return repo.git_dir / "intent" / "pending"


@contextmanager
def _held_index(repo: Repository) -> Iterator[Callable[[bytes], object]]:
    """Hold the index; gives a function that says what it is to hold afterwards."""
    lock = repo.index_file.with_name(f"{repo.index_file.name}.lock")
    _wait(lambda: not lock.exists(), lock)
    args = ["update-index", "-z", "--index-info"]
    with open_git(args, cwd=repo.root, env=repo.exports) as child:
        assert child.stdin is not None
        _wait(lambda: lock.exists() or child.poll() is not None, lock)
        yield child.stdin.write


def _wait(until: Callable[[], bool], lock: Path) -> None:
    end = time.monotonic() + _WAIT
    while not until():
        if time.monotonic() > end:
            raise IntentError(
                f"{lock}: another git process holds the index",
                "wait for it; if none runs, a crashed one left the file: remove it",
            )
        time.sleep(_TICK)


def _rows(repo: Repository, commit: str, parent: str, paths: list[str]) -> bytes:
    """What to tell `update-index` so that the index holds the commit's entries."""
    folder = os.path.commonpath(paths)
    new = _by_path(tree(repo, commit, folder))
    old = _by_path(tree(repo, parent, folder)) if parent else {}
    now = {(e.path, e.mode, e.oid, e.stage) for e in index_entries(repo, folder)}
    present = {path for path, *_ in now}
    rows = b""
    for path in paths:
        was, will = old.get(path), new.get(path)
        untouched = _key(was) in now if was else path not in present
        if untouched and will:
            rows += os.fsencode(f"{will.mode} {will.oid}\t{repo.to_top(path)}\0")
        elif untouched and was:
            rows += os.fsencode(f"0 {repo.zero}\t{repo.to_top(path)}\0")
    return rows


def _by_path(entries: list[Entry]) -> dict[str, Entry]:
    return {entry.path: entry for entry in entries}


def _key(entry: Entry) -> tuple[str, str, str, int]:
    return entry.path, entry.mode, entry.oid, 0


def _refresh(repo: Repository, paths: list[str]) -> None:
    """Let the index know size and times of the files, as after `git add`."""
    there = [path for path in paths if (repo.root / path).exists()]
    asked = b"\0".join(os.fsencode(path) for path in there)
    args = ("--refresh", "--pathspec-from-file=-", "--pathspec-file-nul")
    if there:  # it complains of those the index does not hold; the rest is done
        repo.git("add", *args, input=asked, check=False)
