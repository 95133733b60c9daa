"""The index of 1,000 requirements from nothing, against `import model2vec`.

    python -m benchmarks.index_build

Both are whole processes on the real interpreter, interleaved, with compiled modules, as
they lie after an installation. Each requirement has a domain and three hints, as long
as ordinary ones are; the words are drawn from this project's documents. The bar is on
the ratio of medians.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

BAR = 3.0
REQUIREMENTS, HINTS = 1000, 3
RUNS = 15
CHILD = """
import sys
from pathlib import Path
from benchmarks.index_build import Item, made_up
from git_intent.embed.backends import resolve
backend = resolve(made_up(int(sys.argv[2])), Path(sys.argv[1]), "", False, {})
if backend.warning or not backend.stored or backend.embedded != int(sys.argv[2]):
    raise SystemExit(f"{backend.embedded} embedded; {backend.warning}")
"""


class Item:
    """A requirement, as relevance wants it."""

    __slots__ = ("domains", "id", "texts")

    def __init__(self, id: str, texts: list[str], domains: list[str]) -> None:
        self.id, self.texts, self.domains = id, texts, domains


def made_up(count: int) -> list[Item]:
    """The same requirements every time."""
    dice = random.Random(1)
    words = _own_words()

    def text(length: int) -> str:
        return " ".join(dice.choices(words, k=length))

    return [
        Item(
            f"req-{number:04x}",
            [text(dice.randrange(10, 40)), *(text(7) for _ in range(HINTS))],
            [f"domain-{number % 12}"],
        )
        for number in range(count)
    ]


def _own_words() -> list[str]:
    """As often as they stand there: common words are common."""
    folder = Path(__file__).parents[1] / "docs"
    texts = [path.read_text("utf-8") for path in sorted(folder.glob("*.md"))]
    return [word for text in texts for word in text.split() if word.isalnum()]


def measure(runs: int = RUNS, count: int = REQUIREMENTS) -> dict[str, float]:
    """Medians in milliseconds, and the ratio that must stay at or below `BAR`."""
    with TemporaryDirectory(prefix="git-intent-bench-") as scratch:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = f"{scratch}/compiled"
        environment["PYTHONPATH"] = str(Path(__file__).parents[1])
        floor, ours = [], []
        for run in range(runs + 1):
            build = ["-c", CHILD, f"{scratch}/{run}", str(count)]
            made = _milliseconds(build, environment)
            imported = _milliseconds(["-c", "import model2vec"], environment)
            if run:  # the first one compiled the modules
                ours.append(made)
                floor.append(imported)
    return {
        "import_ms": round(median(floor), 1),
        "build_ms": round(median(ours), 1),
        "ratio": round(median(ours) / median(floor), 2),
        "bar": BAR,
    }


def _milliseconds(arguments: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, check=True)
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
