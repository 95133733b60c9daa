"""The hard rules: does the cost follow the change?

    python -m benchmarks rules_range

What a user pays is measured: the whole command in a process of its own, in turns.

- A range, judged as a pull request is (words changed, one requirement disabled, one
  superseded, one added): ten files changed of 10,000 take at most twice the time of
  ten of 100.
- The hook before a commit of one changed file, in a store of 5,000 and in one of 50.

Earlier checks have left what they know of the files, as they have in every clone that
is in use; what the very first check costs is the affair of `check_store`.
"""

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.process import INTENT, Cost, environment, medians, ratio_detail, run
from git_intent.store.requirement import Requirement, Status
from git_intent.store.requirement_file import render_requirement

BAR = 2.0
RUNS = 15
SMALL, LARGE, CHANGED = 100, 10_000, 10
FEW, MANY = 50, 5000
DAY, NEXT = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
RANGE = (*INTENT, "check", "--from-ref", "HEAD~1", "--format", "github")
HOOK = (*INTENT, "check", "--rules")
STORE = ".cloche/intent/requirements"


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        environ = environment(Path(folder))
        counts = (SMALL, LARGE, FEW, MANY)
        roots = {count: Path(folder) / str(count) for count in counts}
        for count, root in roots.items():
            make_project(root, count, environ)
        large, small = in_turns(RANGE, (roots[LARGE], roots[SMALL]), environ)
        yield Figure(
            f"rules between two commits, {CHANGED} of {LARGE} files changed",
            large.wall / small.wall,
            f"times {CHANGED} of {SMALL}",
            BAR,
            detail=ratio_detail(large, small, f"of {SMALL}"),
        )
        for root in (roots[FEW], roots[MANY]):
            words = replace(_rule(CHANGED), statement="Keep it.", updated=NEXT)
            _write(root / STORE, replace(words, user_edited=True))
            _git(root, environ, "add", "-A")
        many, few = in_turns(HOOK, (roots[MANY], roots[FEW]), environ)
        yield Figure(
            f"rules hook, one of {MANY} files changed",
            many.wall / few.wall,
            f"times one of {FEW}",
            BAR,
            detail=ratio_detail(many, few, f"of {FEW}"),
        )


def in_turns(
    command: Sequence[str], roots: Sequence[Path], environ: dict[str, str]
) -> list[Cost]:
    """The medians of the command in each of the folders."""
    for root in roots:
        run(command, root, environ)
    rounds = [[run(command, root, environ) for root in roots] for _ in range(RUNS)]
    return [medians(costs) for costs in zip(*rounds, strict=True)]


def make_project(root: Path, count: int, environ: dict[str, str]) -> None:
    """A store of so many files, and a commit that changes some of them."""
    store = root / STORE
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
