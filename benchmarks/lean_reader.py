"""A prompt to ranked ids over 1,000 requirements, whole process, against bare Python.

    python -m benchmarks.lean_reader

Both processes take turns, with compiled modules, as they lie after an installation. The
bar is on the ratio of medians.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure
from benchmarks.process import (
    FLOOR,
    Cost,
    environment,
    medians,
    ratio_detail,
    run,
)
from git_intent.embed.index import FILE, update
from git_intent.embed.model import Model

BAR = 3.0
REQUIREMENTS = 1000
RUNS = 25
PROMPT = (
    "The nightly job that copies customer invoices into the archive fails since we"
    " moved to the new storage driver: it retries forever and floods the log. Make it"
    " stop after five attempts, report the failed files in one message, and add a test."
    " Keep the configuration keys as they are, other teams read them in their scripts."
)
CHILD = """
import sys
from git_intent.embed.index_file import read_index
from git_intent.embed.model import Model
from git_intent.embed.rank import rank
index, model = read_index(sys.argv[1]), Model.open()
if index is None or index.signature != model.signature:
    raise SystemExit("the index is not of this model")
for id_, score in rank(index, model.embed(sys.argv[2])):
    print(id_, round(score, 4))
"""


def measure(runs: int = RUNS) -> dict[str, float]:
    """Medians in milliseconds, and the ratio that must stay below `BAR`."""
    ours, floor = _medians(runs)
    return {
        "bare_ms": round(1000 * floor.wall, 1),
        "lean_ms": round(1000 * ours.wall, 1),
        "ratio": round(ours.wall / floor.wall, 2),
        "bar": BAR,
    }


def figures() -> Iterator[Figure]:
    ours, floor = _medians(RUNS)
    detail = ratio_detail(ours, floor, "python")
    yield Figure(
        "prompt to ids", ours.wall / floor.wall, "times python", BAR, detail=detail
    )


def _medians(runs: int) -> tuple[Cost, Cost]:
    with TemporaryDirectory() as scratch:
        path = _index(Path(scratch))
        environ = environment(Path(scratch))
        environ["PYTHONPYCACHEPREFIX"] = f"{scratch}/compiled"
        lean = (sys.executable, "-c", CHILD, str(path), PROMPT)
        run(lean, Path(scratch), environ)  # compiles the modules
        pairs = [
            (run(lean, Path(scratch), environ), run(FLOOR, Path(scratch), environ))
            for _ in range(runs)
        ]
    ours, floor = zip(*pairs, strict=True)
    return medians(ours), medians(floor)


def _index(scratch: Path) -> Path:
    """An index of made-up requirements, each with two hints."""
    pick = random.Random(1)
    words = PROMPT.lower().replace(",", "").replace(".", "").split()
    texts = {
        f"req-{number:04x}": [" ".join(pick.choices(words, k=15)) for _ in range(3)]
        for number in range(REQUIREMENTS)
    }
    update(scratch, texts, Model.open())
    return scratch / FILE


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
