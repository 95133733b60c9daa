"""What the common commands cost over the bare interpreter.

    python -m benchmarks startup

A command that prints loads click and what it prints with; the bars keep a heavy import
from slipping in (numpy alone costs nine bare starts).
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

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
from benchmarks.quiet_scan import REQUIREMENTS, make_project

RUNS = 15
BARS = (
    (("--version",), 6.0),
    (("-h",), 8.0),
    (("list",), 20.0),
    (("show", "req-0007"), 30.0),
)


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        root, environ = Path(folder) / "project", environment(Path(folder))
        make_project(root, environ)
        commands = [FLOOR, *((*INTENT, *words) for words, _ in BARS)]
        costs: list[list[Cost]] = [[] for _ in commands]
        for _ in range(RUNS):
            for spent, command in zip(costs, commands, strict=True):
                spent.append(run(command, root, environ))
    floor, *ours = (medians(spent) for spent in costs)
    for (words, bar), one in zip(BARS, ours, strict=True):
        name = f"git intent {' '.join(words)}"
        if words == ("list",):
            name += f", {REQUIREMENTS} requirements"
        detail = ratio_detail(one, floor, "python")
        yield Figure(name, one.wall / floor.wall, "times python", bar, detail=detail)
