"""Bring the user's index up to a commit that was made aside, now or after a kill.

Between the move of the branch and the write of the index, a killed process would leave
the committed files looking changed. So a note `<git dir>/intent/pending` (canonical
JSON: commit, parent, paths) is written before the branch moves and removed after the
index is written; `settle` finishes what a note tells of. Only entries that are still
the parent's are touched: whatever the user staged stays.
"""

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json, effect, write_atomic
from git_intent.git.objects import Entry, index_entries, tree
from git_intent.git.process import GitError
from git_intent.git.repository import Repository

_TRIES = 20
_PAUSE = 0.25


def _note(repo: Repository) -> Path:
    return repo.git_dir / "intent" / "pending"


def announce(repo: Repository, commit: str, parent: str, paths: Iterable[str]) -> None:
    """Note what `settle` is to do once the branch stands at `commit`."""
    note = {"commit": commit, "parent": parent, "paths": sorted(paths), "version": 1}
    write_atomic(_note(repo), canonical_json(note))


def settle(repo: Repository) -> None:
    """Finish the last commit's work on the index, if it is not; safe to call always.

    Raises IntentError if another program holds the index for seconds; the note stays.
    """
    note = _note(repo)
    try:
        told: Any = json.loads(note.read_bytes())
        commit, parent, paths = told["commit"], told["parent"], told["paths"]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError):
        note.unlink()
        return
    if repo.resolve("HEAD") == commit:
        _update(repo, commit, parent, paths)
    effect("settled")
    note.unlink(missing_ok=True)


def _update(repo: Repository, commit: str, parent: str, paths: list[str]) -> None:
    folder = os.path.commonpath(paths)
    new = _regular(tree(repo, commit, folder))
    old = _regular(tree(repo, parent, folder)) if parent else {}
    now = {(e.path, e.mode, e.oid, e.stage) for e in index_entries(repo, folder)}
    present = {path for path, *_ in now}
    rows = b""
    for path in paths:
        was, will = old.get(path), new.get(path)
        untouched = _key(was) in now if was else path not in present
        if untouched and will:
            rows += os.fsencode(f"{will.mode} {will.oid}\t{repo.to_top(path)}\0")
        elif untouched:
            rows += os.fsencode(f"0 {repo.zero}\t{repo.to_top(path)}\0")
    if rows:
        effect("index")
        _patiently(repo, "update-index", "-z", "--index-info", input=rows)
        _refresh(repo, [path for path in paths if path in new])


def _regular(entries: list[Entry]) -> dict[str, Entry]:
    return {entry.path: entry for entry in entries}


def _key(entry: Entry) -> tuple[str, str, str, int]:
    return entry.path, entry.mode, entry.oid, 0


def _refresh(repo: Repository, paths: list[str]) -> None:
    """Let the index know size and times of the files, as after `git add`."""
    asked = b"\0".join(os.fsencode(path) for path in paths)
    args = ("--refresh", "--pathspec-from-file=-", "--pathspec-file-nul")
    if paths:  # fails for a file that is not there; then nothing is to be known
        repo.git("add", *args, input=asked, check=False)


def _patiently(repo: Repository, *args: str, input: bytes) -> None:
    """Run git as soon as nobody else holds the index."""
    for attempt in range(_TRIES):
        try:
            repo.git(*args, input=input)
            return
        except GitError as error:
            if "index.lock" not in error.stderr or attempt == _TRIES - 1:
                raise
            time.sleep(_PAUSE)


def wait_for_index(repo: Repository) -> None:
    """Wait until no other program holds the index; raises IntentError if it stays."""
    lock = repo.index_file.with_name(f"{repo.index_file.name}.lock")
    for _ in range(_TRIES):
        if not lock.exists():
            return
        time.sleep(_PAUSE)
    raise IntentError(
        f"{lock}: another git process holds the index",
        "wait for it; if none runs, a crashed one left the file: remove it",
    )
