"""A whole first scan, against only reading the same material.

    python -m benchmarks first_scan

The floor reads the messages of all commits from `git log`, and every document, in one
process. The scan also judges each statement, embeds, reconciles, and makes a commit.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.collect_commits import make_history
from benchmarks.figure import Figure
from benchmarks.process import (
    INTENT,
    environment,
    medians,
    ratio_detail,
    run,
)
from benchmarks.throughput import document

DOCUMENTS = 300
COMMITS = 2000
RUNS = 3
# What a scan makes of its material costs far more than reading it; the bar is there to
# notice when it costs much more than it did.
BAR = 400.0
READ = """
import pathlib, subprocess
subprocess.run(["git", "log", "--format=%H%x00%B"], stdout=subprocess.PIPE, check=True)
for path in pathlib.Path("docs").rglob("*.md"):
    path.read_bytes()
"""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        source, root = Path(folder) / "source", Path(folder) / "project"
        environ = environment(Path(folder))
        _make_project(source, environ)
        pairs = []
        for _ in range(RUNS):
            shutil.copytree(source, root)
            floor = run((sys.executable, "-c", READ), root, environ)
            pairs.append((run((*INTENT, "scan"), root, environ), floor))
            shutil.rmtree(root)
    ours, floor = (medians(costs) for costs in zip(*pairs, strict=True))
    yield Figure(
        f"first scan, {DOCUMENTS} documents and {COMMITS:,} commits",
        ours.wall / floor.wall,
        "times reading",
        BAR,
        detail=ratio_detail(ours, floor, "reading"),
    )


def _make_project(root: Path, environ: dict[str, str]) -> None:
    make_history(root, COMMITS)
    person = {"user.name": "A Person", "user.email": "a@example.invalid"}
    for key, value in person.items():
        _git(root, environ, "config", key, value)
    _git(root, environ, "reset", "-q", "--hard")
    for number in range(DOCUMENTS):
        path = root / f"docs/{number // 100}/page-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document(number), encoding="utf-8")
    _git(root, environ, "add", "-A")
    _git(root, environ, "commit", "-qm", "Describe the project")


def _git(root: Path, environ: dict[str, str], *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, env=environ, check=True)
