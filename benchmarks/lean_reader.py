"""A prompt to ranked ids over 1,000 requirements, whole process, against bare Python.

    python -m benchmarks.lean_reader

Both processes run interleaved on the real interpreter (no version manager's shim), with
compiled modules, as they lie after an installation. The bar is on the ratio of medians.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

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
    with TemporaryDirectory() as scratch:
        path = _index(Path(scratch))
        environment = dict(os.environ)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = f"{scratch}/compiled"
        environment["PYTHONPATH"] = str(Path(__file__).parents[1])
        lean = [sys.executable, "-c", CHILD, str(path), PROMPT]
        bare = [sys.executable, "-c", "pass"]
        _seconds(lean, environment)  # compiles the modules
        pairs = [
            (_seconds(bare, environment), _seconds(lean, environment))
            for _ in range(runs)
        ]
    floor, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    return {
        "bare_ms": round(1000 * floor, 1),
        "lean_ms": round(1000 * ours, 1),
        "ratio": round(ours / floor, 2),
        "bar": BAR,
    }


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


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
