"""What running a workflow adds to what its steps cost.

    python -m benchmarks workflow_run

A step is a script that does nothing. Its cost is what ten more of them add to a run, so
that starting the program counts for nothing; the bar is 5 times `sh -c true`. A run by
itself, in a process that is up (its record is begun, kept and ended), may cost 3 times
a bare start of the interpreter. What the whole command takes is shown as well: most of
it is the start of the program.
"""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.figure import Figure
from benchmarks.process import (
    FLOOR,
    INTENT,
    Cost,
    environment,
    medians,
    ratio_detail,
    run,
)

RUNS = 15
MORE = 10
STEP = 5.0
RUN = 3.0
_SHELL = ("sh", "-c", "true")


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        root, environ = Path(folder) / "project", environment(Path(folder))
        _make(root, environ)
        commands = (
            FLOOR,
            _SHELL,
            (*INTENT, "run", "one"),
            (*INTENT, "run", "many"),
        )
        costs: list[list[Cost]] = [[] for _ in commands]
        inside: list[float] = []
        for _ in range(RUNS):
            for spent, command in zip(costs, commands, strict=True):
                spent.append(run(command, root, environ, stderr=subprocess.DEVNULL))
            inside.append(_inside(root))
    floor, shell, one, many = (medians(spent) for spent in costs)
    step = _more(one, many)
    yield Figure(
        "a step of a workflow, script `true`",
        step.wall / shell.wall,
        "times sh -c true",
        STEP,
        detail=ratio_detail(step, shell, "sh"),
    )
    alone = median(inside) - step.wall
    yield Figure(
        "a run of a workflow, without its steps",
        alone / floor.wall,
        "times python",
        RUN,
        detail=f"{1000 * alone:.1f} ms in a process that is up",
    )
    yield Figure(
        "git intent run, one step",
        one.wall / floor.wall,
        "times python",
        detail=ratio_detail(one, floor, "python"),
    )


def _more(one: Cost, many: Cost) -> Cost:
    return Cost((many.wall - one.wall) / MORE, (many.cpu - one.cpu) / MORE)


def _make(root: Path, environ: dict[str, str]) -> None:
    root.mkdir()
    run(("git", "init", "-q", "-b", "main"), root, environ)
    (root / ".cloche").mkdir()
    text = _workflow("one", 1) + _workflow("many", 1 + MORE)
    (root / ".cloche/bench.cloche").write_text(text, encoding="utf-8")
    run((*INTENT, "trust", "--yes"), root, environ)


def _workflow(name: str, count: int) -> str:
    steps = "".join(f'  step s{n} {{ run = "true" }}\n' for n in range(count))
    wires = "".join(f"  s{n}:success -> s{n + 1}\n" for n in range(count - 1))
    end = f"  s{count - 1}:success -> done\n"
    return f"workflow {name} {{\n  host {{}}\n{steps}{wires}{end}}}\n"


def _inside(root: Path) -> float:
    """Seconds of one run of one step, with everything loaded."""
    from git_intent.cli.project import open_project
    from git_intent.cli.run_plan import plan
    from git_intent.cli.running import Running, fresh_name

    project = open_project(str(root))
    made = plan(project, "one")
    start = time.perf_counter()
    Running(project, made, fresh_name("one"), b"", lambda visit: None).begin()
    return time.perf_counter() - start
