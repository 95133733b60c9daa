"""What earlier checks learned of the files of a store, kept by path and blob id.

So that a check reads only what changed, `<git common dir>/intent/cache/check…` holds a
row for each requirement file: `(id of the blob, sound, fact)`. `fact` is that of
`store.facts`, None for a broken file; `sound` says that the format checks, the search
for secrets included, found nothing. Only the default search counts.

The file is derived and may be deleted. It counts as absent if it is damaged, or if any
module that facts and findings depend on has changed since. A row counts only for the
same bytes at the same path, so branches and work trees share the file. It is written
only when so much had to be read that it is worth it.
"""

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from git_intent import cache, secrets, store
from git_intent.guard.stored import Stored
from git_intent.store.check import examine_file
from git_intent.store.check_text import Finder
from git_intent.store.facts import Fact, fact
from git_intent.store.intent_dir import DOMAINS, SCAN_STATE, is_requirement
from git_intent.store.issue import Issue
from git_intent.store.rules_view import Reader, Snapshot

#: Reading fewer files than this costs less than writing the cache.
_WORTH = 50
_USUAL = (None, secrets.find)

Row = tuple[str, bool, tuple[Any, ...] | None]


class Known:
    """The rows of one project, by path."""

    def __init__(self, common_dir: Path, project: str) -> None:
        digest = blake2b(os.fsencode(project), digest_size=8).hexdigest()
        self._name = f"check-{digest}" if project else "check"
        self._common_dir = str(common_dir)
        self._stamps = cache.stamps(_modules())
        self.rows: dict[str, Row] = {}
        found = cache.read(self._common_dir, self._name)
        if found is not None and found[0] == self._stamps:
            self.rows = cast("dict[str, Row]", found[1])

    def keep(self, rows: dict[str, Row]) -> None:
        cache.save(self._common_dir, self._name, self._stamps, rows)


def examine(
    files: Snapshot, finder: Finder | None, known: Known | None, reader: Reader
) -> tuple[list[Fact], list[Issue]]:
    """The facts of the files, sorted, and what is wrong with each of them.

    Without a `finder` of secrets only facts are wanted. Of a `Stored` only what is not
    `known` is read; files of the work tree have no ids to know them by.
    """
    if known is None or not isinstance(files, Stored):
        return _examined(sorted(filter(_is_read, files)), files, finder, reader)
    rows = _valid(files, finder, known)
    fresh = files.load([p for p in files if p not in rows and _is_read(p)])
    facts, issues = _examined(fresh, files, finder, reader)
    faulty = {found.path for found in issues}
    read = {one.path: tuple(one) for one in facts}
    facts += (Fact._make(row[2]) for row in rows.values() if row[2] is not None)
    for path in filter(is_requirement, fresh):
        sound = finder is not None and path not in faulty
        rows[path] = files.oids[path], sound, read.get(path)
    if len(fresh) > _WORTH and finder in _USUAL:
        known.keep(rows)
    return sorted(facts), issues


def _valid(files: Stored, finder: Finder | None, known: Known) -> dict[str, Row]:
    """The rows that tell all that is asked about files that are still the same."""
    if finder not in _USUAL:
        return {}
    oids, formats = files.oids, finder is not None
    return {
        path: row
        for path, row in known.rows.items()
        if oids.get(path) == row[0] and (row[1] or not formats)
    }


def _examined(
    paths: Iterable[str], files: Snapshot, finder: Finder | None, reader: Reader
) -> tuple[list[Fact], list[Issue]]:
    facts: list[Fact | None] = []
    issues: list[Issue] = []
    for path in paths:
        if finder is None:
            facts.append(fact(path, files[path], reader))
            continue
        one, found = examine_file(path, files[path], (finder,), reader)
        facts.append(one)
        issues += found
    return [one for one in facts if one is not None], issues


def _is_read(path: str) -> bool:
    """Whether a check has something to say about what the file holds."""
    return is_requirement(path) or path in (DOMAINS, SCAN_STATE)


def _modules() -> list[str]:
    """Those that decide what is known of a file."""
    folders = [Path(store.__file__).parent, Path(secrets.__file__).parent]
    found = [Path(__file__), *(p for one in folders for p in one.glob("*.py"))]
    return sorted(map(str, found))
