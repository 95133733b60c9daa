"""A scan that has nothing to do, against `python -c pass` in the same run.

The bar: the whole process takes at most four times as long as the bare interpreter. The
real one is used, not the launcher of a version manager; the runs of both alternate.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from git_intent.git.repository import Repository
from git_intent.scan.quiet import NOTHING_NEW
from git_intent.scan.quiet_record import Watch

RUNS = 40
DOCUMENTS = 200
REQUIREMENTS = 200


def measure() -> dict[str, float]:
    """Medians in milliseconds, and their ratio."""
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        root = Path(folder) / "project"
        environ = _environment(Path(folder))
        _make_project(root, environ)
        floor, ours = [], []
        for _ in range(RUNS):
            floor.append(_timed(["-c", "pass"], root, environ))
            ours.append(_timed(["-m", "git_intent", "scan"], root, environ))
    return {
        "python_ms": median(floor),
        "scan_ms": median(ours),
        "ratio": median(ours) / median(floor),
    }


def _environment(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    source = str(Path(__file__).resolve().parents[1])
    return {**kept, "HOME": str(folder), "PYTHONPATH": source}


def _make_project(root: Path, environ: dict[str, str]) -> None:
    """A project with documents and requirements whose last scan found nothing."""
    for number in range(DOCUMENTS):
        _write(root / f"docs/{number}.md", f"# Document {number}\n")
    for number in range(REQUIREMENTS):
        store = root / ".cloche/intent/requirements"
        _write(store / f"req-{number:04x}.md", f"---\nid: req-{number:04x}\n---\nA.\n")
    person = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    for args in (("init", "-q"), ("add", "-A"), (*person, "commit", "-qm", "One")):
        subprocess.run(["git", *args], cwd=root, env=environ, check=True)
    later = time.time_ns() + 10**10  # nothing is suspected of changing unseen
    if not Watch.begin(Repository.discover(root), environ, later).end():
        raise RuntimeError("the project is not quiet")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _timed(args: list[str], root: Path, environ: dict[str, str]) -> float:
    start = time.perf_counter()
    out = subprocess.run(
        [sys.executable, *args], cwd=root, env=environ, check=True, capture_output=True
    ).stdout
    took = 1000 * (time.perf_counter() - start)
    if args[0] == "-m" and out.decode() != f"{NOTHING_NEW}\n":
        raise RuntimeError(f"the scan said {out!r}")
    return took


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
