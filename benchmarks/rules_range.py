"""The hard rules between two commits: does the cost follow the change?

    python -m benchmarks rules_range

The bar: ten files changed of 10,000 take at most twice the time of ten of 100. What is
measured is a whole process, in turns, that judges a range as a pull request is judged:
words changed, one requirement disabled, one superseded, one added.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.process import environment, medians, ratio_detail, run
from git_intent.store.requirement import Requirement, Status
from git_intent.store.requirement_file import render_requirement

BAR = 2.0
RUNS = 15
SMALL, LARGE, CHANGED = 100, 10_000, 10
DAY, NEXT = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
JUDGE = """
from pathlib import Path
from git_intent.guard.request import Request
from git_intent.guard.rules import judge
found = judge(Request(Path.cwd(), from_ref="HEAD~1", to_ref="HEAD"))
print(len(found.issues))
"""


def figures() -> Iterator[Figure]:
    command = (sys.executable, "-c", JUDGE)
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        environ = environment(Path(folder))
        roots = {count: Path(folder) / str(count) for count in (SMALL, LARGE)}
        for count, root in roots.items():
            make_project(root, count, environ)
        pairs = [
            (
                run(command, roots[LARGE], environ, b"0\n"),
                run(command, roots[SMALL], environ, b"0\n"),
            )
            for _ in range(RUNS)
        ]
    large, small = (medians(costs) for costs in zip(*pairs, strict=True))
    yield Figure(
        f"rules between two commits, {CHANGED} of {LARGE} files changed",
        large.wall / small.wall,
        f"times {CHANGED} of {SMALL}",
        BAR,
        detail=ratio_detail(large, small, f"of {SMALL}"),
    )


def make_project(root: Path, count: int, environ: dict[str, str]) -> None:
    """A store of so many files, and a commit that changes some of them."""
    store = root / ".cloche/intent/requirements"
    store.mkdir(parents=True)
    for number in range(count):
        _write(store, _rule(number))
    _git(root, environ, "init", "-q")
    _commit(root, environ)
    for number in range(CHANGED - 3):
        words = f"Keep rule {number} in other words."
        old = _rule(number)
        _write(store, replace(old, statement=words, updated=NEXT, user_edited=True))
    off, gone = _rule(CHANGED - 3), _rule(CHANGED - 2)
    _write(store, replace(off, status=Status.DISABLED, updated=NEXT))
    by = replace(gone, superseded_by="req-0000", updated=NEXT)
    _write(store, replace(by, status=Status.SUPERSEDED))
    _write(store, _rule(0xFFFF))
    _commit(root, environ)


def _rule(number: int) -> Requirement:
    name = f"req-{number:04x}"
    return Requirement(name, f"Keep rule {number}.", created=DAY, updated=DAY)


def _write(store: Path, rule: Requirement) -> None:
    (store / f"{rule.id}.md").write_bytes(render_requirement(rule))


def _commit(root: Path, environ: dict[str, str]) -> None:
    person = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    _git(root, environ, "add", "-A")
    _git(root, environ, *person, "commit", "-qm", "Change")


def _git(root: Path, environ: dict[str, str], *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, env=environ, check=True)
