"""The format checks of single files, as pre-commit and editors ask for them.

Nothing here looks at a second file, so a list of files can be split over processes. A
file that is in no store, or that no reader of the store reads, is passed over; so is
one that is no longer there while git makes a commit.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_intent import config, secrets
from git_intent.config import CONFIG
from git_intent.errors import IntentError
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.guard.fix import fix_formats
from git_intent.guard.projects import staged_entries
from git_intent.guard.quick import reads_index
from git_intent.guard.report import Report, setting
from git_intent.store.check import check_file
from git_intent.store.intent_dir import STORE, read_file, refuse_links
from git_intent.store.issue import Issue


@dataclass(frozen=True, slots=True)
class Asked:
    """What to do with the files: `staged` asks for their bytes in the index."""

    staged: bool = False
    fix: bool = False
    thorough: bool = False


def check_given(
    folder: Path, names: Iterable[str], asked: Asked, environ: Mapping[str, str]
) -> Report:
    """What is wrong with each of the files that are named in `folder`."""
    staged = asked.staged or reads_index(environ)
    finder = secrets.thorough if asked.thorough else secrets.find
    found: set[Issue] = set()
    repaired: list[str] = []
    for root, paths in _by_project(folder, names).items():
        prefix = _prefix(root)
        if CONFIG in paths:
            found.update(_of_settings(root, prefix, environ))
        for path, data in _contents(root, paths, staged).items():
            if asked.fix and (fixed := _fix(root, path, data)):
                repaired.append(prefix + path)
                data = fixed
            for issue in check_file(path, data, finders=(finder,)):
                found.add(replace(issue, path=prefix + issue.path))
    return Report(tuple(sorted(found)), repaired=tuple(repaired))


def _by_project(folder: Path, names: Iterable[str]) -> dict[Path, list[str]]:
    """The files that belong to a store or are settings, each once, below the root of
    their project."""
    found: dict[Path, list[str]] = {}
    whole = {os.path.normpath(folder / name): name for name in names}
    for path, name in sorted(whole.items()):
        if Path(path).is_dir():
            hint = "name files, or no file at all to check the whole store"
            raise IntentError(f"{name}: is a folder", hint)
        root, inside, rest = path.rpartition(f"/{STORE}/")
        if inside:
            found.setdefault(Path(root or "/"), []).append(f"{STORE}/{rest}")
        elif path.endswith(f"/{CONFIG}"):
            root = path.removesuffix(f"/{CONFIG}")
            found.setdefault(Path(root or "/"), []).append(CONFIG)
        elif not os.path.lexists(path):
            raise IntentError(f"{name}: no such file")
    return found


def _prefix(root: Path) -> str:
    """The project's folder from the top of the work tree: empty, or like `svc/`."""
    for top in (root, *root.parents):
        if os.path.lexists(top / ".git"):
            return "" if top == root else f"{root.relative_to(top).as_posix()}/"
    return ""


def _contents(root: Path, paths: Sequence[str], staged: bool) -> dict[str, bytes]:
    """What is to be checked. A file that is not staged, or no longer, is none."""
    asked = [path for path in paths if path != CONFIG]
    if staged:
        repo = Repository.discover(root)
        repo = replace(repo, root=root)
        entries = {e.path: e.oid for e in staged_entries(repo, STORE) if e.regular}
        known = {path: entries[path] for path in asked if path in entries}
        blobs = read_blobs(repo, known.values())
        return {path: blobs[oid] for path, oid in known.items() if oid in blobs}
    refuse_links(root)
    found = {}
    for path in asked:
        data = read_file(root, path)
        if data is None:
            raise IntentError(f"{path}: no such file")
        found[path] = data
    return found


def _fix(root: Path, path: str, data: bytes) -> bytes | None:
    """Repair the file in the work tree, if it holds what is checked; its new bytes."""
    if read_file(root, path) != data or not fix_formats(root, {path: data}):
        return None
    return read_file(root, path)


def _of_settings(
    root: Path, prefix: str, environ: Mapping[str, str]
) -> Iterator[Issue]:
    for found in config.load(None, root, environ, {}).issues:
        if found.line:
            yield setting(prefix, found)
