"""The index of 1,000 requirements from nothing, against `import model2vec`.

    python -m benchmarks.index_build

Both are whole processes that take turns, with compiled modules, as
they lie after an installation. Each requirement has a domain and three hints, as long
as ordinary ones are; the words are drawn from this project's documents. The bar is on
the ratio of medians.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure
from benchmarks.process import Cost, environment, medians, ratio_detail, run

BAR = 3.0
REQUIREMENTS, HINTS = 1000, 3
RUNS = 15
IMPORT = (sys.executable, "-c", "import model2vec")
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
    ours, floor = _medians(runs, count)
    return {
        "import_ms": round(1000 * floor.wall, 1),
        "build_ms": round(1000 * ours.wall, 1),
        "ratio": round(ours.wall / floor.wall, 2),
        "bar": BAR,
    }


def figures() -> Iterator[Figure]:
    ours, floor = _medians(RUNS, REQUIREMENTS)
    yield Figure(
        "index of 1,000 requirements",
        ours.wall / floor.wall,
        "times import model2vec",
        BAR,
        detail=ratio_detail(ours, floor, "import"),
    )


def _medians(runs: int, count: int) -> tuple[Cost, Cost]:
    with TemporaryDirectory(prefix="git-intent-bench-") as scratch:
        environ = environment(Path(scratch))
        environ["PYTHONPYCACHEPREFIX"] = f"{scratch}/compiled"

        def pair(number: int) -> tuple[Cost, Cost]:
            build = (sys.executable, "-c", CHILD, f"{scratch}/{number}", str(count))
            return (
                run(build, Path(scratch), environ),
                run(IMPORT, Path(scratch), environ),
            )

        pair(0)  # compiles the modules
        ours, floor = zip(*map(pair, range(1, runs + 1)), strict=True)
    return medians(ours), medians(floor)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
