"""Run processes in turns and compare what they cost.

The floor is `python -c pass` of the interpreter that runs git-intent itself, started as
git-intent starts it: `sys.executable` is the binary and no version manager's launcher,
and it looks up the same packages. Another interpreter of the same version can be slower
by what its own site-packages load. Whoever is compared takes turns, so that a busy
machine is unfair to nobody.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
FLOOR = (sys.executable, "-c", "pass")
INTENT = (sys.executable, "-m", "git_intent")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the clock, and of CPU with those of the children."""

    wall: float
    cpu: float


def run(
    command: Sequence[str],
    cwd: Path,
    environ: Mapping[str, str],
    expect: bytes = b"",
    stdin: IO[bytes] | None = None,
    stderr: int | None = None,
) -> Cost:
    """Run to the end; the output is read, and must be `expect` if that is given."""
    cpu, start = _children(), time.perf_counter()
    out = subprocess.run(
        command,
        cwd=cwd,
        env=environ,
        check=True,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
    ).stdout
    took = time.perf_counter() - start
    if expect and out != expect:
        raise SystemExit(f"{' '.join(command[-3:])} printed {out[:200]!r}")
    return Cost(took, _children() - cpu)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def medians(costs: Sequence[Cost]) -> Cost:
    return Cost(median(c.wall for c in costs), median(c.cpu for c in costs))


def environment(home: Path) -> dict[str, str]:
    """The caller's, without a repository, with a home of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT)}


def ratio_detail(ours: Cost, floor: Cost, name: str) -> str:
    """Both times, and the same ratio in CPU time."""
    return (
        f"{_time(ours.wall)}, {name} {_time(floor.wall)}; "
        f"CPU {ours.cpu / floor.cpu:.2f} times"
    )


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
