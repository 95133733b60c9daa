"""The format checks of single files, as pre-commit and editors ask for them.

Nothing here looks at a second file, so a list of files can be split over processes. A
file that is in no store, or that no reader of the store reads, is passed over.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_intent import secrets
from git_intent.errors import IntentError
from git_intent.store.check import check_file
from git_intent.store.check_text import Finder
from git_intent.store.intent_dir import STORE, read_file, refuse_links
from git_intent.store.issue import Issue

_INSIDE = f"/{STORE}/"


@dataclass(frozen=True, slots=True)
class Given:
    """A file of a store: the project's root, and the path from there."""

    root: Path
    path: str


def in_stores(names: Iterable[str], folder: Path) -> Iterator[Given]:
    """Those of the files named in `folder` that belong to a store, each once."""
    seen: set[str] = set()
    for name in names:
        whole = os.path.normpath(folder / name)
        before, inside, rest = whole.rpartition(_INSIDE)
        if inside and whole not in seen:
            seen.add(whole)
            yield Given(Path(before or "/"), f"{STORE}/{rest}")


def from_work_tree(given: Given) -> bytes:
    """The bytes of the file; raises IntentError for a link, or if it is not there."""
    refuse_links(given.root)
    data = read_file(given.root, given.path)
    if data is None:
        raise IntentError(f"{given.path}: no such file")
    return data


def check_given(
    given: Iterable[Given],
    read: Callable[[Given], bytes],
    prefix: Callable[[Path], str],
    finders: Sequence[Finder] = (secrets.find,),
) -> list[Issue]:
    """What is wrong with each file; `prefix` is the project's folder in front."""
    found: set[Issue] = set()
    for one in given:
        for issue in check_file(one.path, read(one), finders=finders):
            found.add(replace(issue, path=prefix(one.root) + issue.path))
    return sorted(found)
