"""Workflow text to workflows, in one process: how fast, and whether it stays linear.

    python -m benchmarks workflow_parse

The bars: no less than 2 MB/s, and a byte among ten times as many takes no more than 1.5
times as long. The text is the built-in scan, as it stands, again and again: keys,
wires, comments and blanks in an ordinary mix.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure
from git_intent.workflow.parser import parse

BAR = 2.0
LINEAR = 1.5
RUNS = 9
COPIES = 50
MANY = 10 * COPIES
_SCAN = Path(__file__).parents[1] / "git_intent/workflow/builtin/intent-scan.cloche"


def figures() -> Iterator[Figure]:
    """CPU time, so that what else the machine does counts for nothing."""
    one = _SCAN.read_bytes()
    few, many = one * COPIES, one * MANY
    parse(few, "warm")
    turns = [(_seconds(few), _seconds(many)) for _ in range(RUNS)]
    first, second = (min(times) for times in zip(*turns, strict=True))
    megabytes = len(few) / 1e6
    yield Figure(
        "workflow files, read",
        megabytes / first,
        "MB/s",
        BAR,
        at_least=True,
        detail=f"{megabytes:.2f} MB with {COPIES} workflows, {1000 * first:.0f} ms",
    )
    yield Figure(
        "workflow files, time a byte with ten times as many",
        second / first / (MANY / COPIES),
        "times",
        LINEAR,
        detail=f"{MANY} workflows, {1000 * second:.0f} ms of CPU",
    )


def _seconds(data: bytes) -> float:
    start = time.process_time()
    parse(data, "file")
    return time.process_time() - start
