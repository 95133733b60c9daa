"""A scan that has nothing to do, against `python -c pass` in the same run.

    python -m benchmarks quiet_scan

The bar: the whole process takes at most four times as long as the bare interpreter. The
runs of both alternate.
"""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.process import FLOOR, INTENT, environment, medians, ratio_detail, run
from git_intent.git.repository import Repository
from git_intent.scan.quiet import NOTHING_NEW
from git_intent.scan.quiet_record import Watch
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import render_requirement

BAR = 4.0
RUNS = 40
DOCUMENTS = 200
REQUIREMENTS = 200
DAY = "2026-01-01T00:00:00Z"


def figures() -> Iterator[Figure]:
    scan, said = (*INTENT, "scan"), f"{NOTHING_NEW}\n".encode()
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        root = Path(folder) / "project"
        environ = environment(Path(folder))
        make_project(root, environ)
        pairs = [
            (run(scan, root, environ, said), run(FLOOR, root, environ))
            for _ in range(RUNS)
        ]
    ours, floor = (medians(costs) for costs in zip(*pairs, strict=True))
    detail = ratio_detail(ours, floor, "python")
    yield Figure(
        "quiet scan", ours.wall / floor.wall, "times python", BAR, detail=detail
    )


def make_project(root: Path, environ: dict[str, str]) -> None:
    """A project with documents and requirements whose last scan found nothing."""
    for number in range(DOCUMENTS):
        _write(root / f"docs/{number}.md", f"# Document {number}\n")
    for number in range(REQUIREMENTS):
        store = root / ".cloche/intent/requirements"
        name = f"req-{number:04x}"
        rule = Requirement(name, f"Keep rule {number}.", created=DAY, updated=DAY)
        _write(store / f"{name}.md", render_requirement(rule).decode())
    person = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    for args in (("init", "-q"), ("add", "-A"), (*person, "commit", "-qm", "One")):
        subprocess.run(["git", *args], cwd=root, env=environ, check=True)
    later = time.time_ns() + 10**10  # nothing is suspected of changing unseen
    if not Watch.begin(Repository.discover(root), environ, later).end():
        raise RuntimeError("the project is not quiet")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
