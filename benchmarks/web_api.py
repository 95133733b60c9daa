"""The console's API on a store of 10,000 requirements, in processor time.

    python -m benchmarks web_api

The first table is set against reading the same store as commands read it, since both
have to look at every file. The same table asked for again, and a change that is looked
at before it is saved, are set against asking the system for the stamp of every file:
that much is needed to know that nothing changed.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.process import environment
from benchmarks.web_console import make_project
from git_intent.git.repository import Repository
from git_intent.store.intent_dir import REQUIREMENTS, load_store, read_snapshot
from git_intent.store.rules import Actor
from git_intent.web.console import Console, Services
from git_intent.web.edits import Edits
from git_intent.web.rows import Rows
from git_intent.web.served import Asked

MANY = 10_000
RUNS = 5
FIRST_BAR = 0.7
AGAIN_BAR = 4.0
EDIT_BAR = 6.0


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        root = make_project(Path(folder), MANY, environment(Path(folder)))
        time.sleep(0.2)  # no file is suspected of changing unseen
        repo = Repository.discover(root)
        reading = _least(lambda: load_store(read_snapshot(root)), 2)
        stamps = _least(lambda: _stamps(root), RUNS)
        first = _least(lambda: _rows(repo).table(Asked()), 2)
        rows = _rows(repo)
        rows.table(Asked())
        again = _least(lambda: rows.table(Asked()), RUNS)
        edit = _least(_edit(rows), RUNS)
    name = f"console: table of {MANY:,}"
    yield _figure(f"{name}, first", first, reading, "times reading it", FIRST_BAR)
    yield _figure(f"{name}, again", again, stamps, "times its stamps", AGAIN_BAR)
    name = f"console: a change in {MANY:,}"
    yield _figure(f"{name}, looked at", edit, stamps, "times its stamps", EDIT_BAR)


def _figure(name: str, ours: float, floor: float, unit: str, bar: float) -> Figure:
    detail = f"{ours * 1000:.0f} ms, {floor * 1000:.0f} ms"
    return Figure(name, ours / floor, unit, bar, detail=detail)


def _rows(repo: Repository) -> Rows:
    """A console that has seen nothing yet."""
    services = Services(
        environ=os.environ,
        clock=lambda: datetime.now(UTC),
        actor=Actor.PERSON,
        reason="",
        add=lambda store, wording: "",
        ledgers=lambda: None,
        scan=lambda options, out: 0,
    )
    return Rows(Console(repo, services))


def _edit(rows: Rows) -> Callable[[], object]:
    edits = Edits(rows)
    path = {"id": min(rows.console.stored.now().store.requirements)}
    shown = edits.detail(Asked(path)).value
    assert isinstance(shown, dict)
    body = {"etag": shown["etag"], "changes": {"statement": "Never do that."}}
    return lambda: edits.preview(Asked(path, {}, body))


def _stamps(root: Path) -> int:
    with os.scandir(root / REQUIREMENTS) as entries:
        return sum(entry.stat(follow_symlinks=False).st_size for entry in entries)


def _least(act: Callable[[], object], times: int) -> float:
    costs = []
    for _ in range(times):
        start = time.process_time()
        act()
        costs.append(time.process_time() - start)
    return min(costs)
