"""A prompt for a store that has not changed, against `python -c pass` in the same run.

    python -m benchmarks cold_inject

The whole process, from the arguments to the prompt with its block, index and record
warm, no paths given, so that git is asked for changed files too. The requirements are
made of 5,000 words, in 20 domains, and have hints as a scan writes them; ten of them
are of project level. Half of the task is made of the same words, half of what people
say in such situations.
"""

import random
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.process import FLOOR, INTENT, environment, medians, ratio_detail, run
from git_intent.embed.situations import situations
from git_intent.store.requirement import Level, Requirement, Scope
from git_intent.store.requirement_file import render_requirement

#: Requirements -> the most times a bare interpreter.
BARS = {1000: 4.0, 10_000: 8.0}
RUNS = 25
DAY = "2026-01-01T00:00:00Z"
_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu".split()


def figures() -> Iterator[Figure]:
    for count, bar in BARS.items():
        with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
            root = Path(folder) / "project"
            environ = environment(Path(folder))
            task = make_project(root, environ, count)
            inject = (*INTENT, "inject", "prompt.md", "--task", task)
            run(inject, root, environ)  # reads everything and writes the record
            expect = subprocess.run(
                inject, cwd=root, env=environ, check=True, capture_output=True
            ).stdout
            pairs = [
                (run(inject, root, environ, expect), run(FLOOR, root, environ))
                for _ in range(RUNS)
            ]
        ours, floor = (medians(costs) for costs in zip(*pairs, strict=True))
        yield Figure(
            f"git intent inject, {count:,} requirements",
            ours.wall / floor.wall,
            "times python",
            bar,
            detail=ratio_detail(ours, floor, "python"),
        )


def make_project(root: Path, environ: dict[str, str], count: int) -> str:
    """A project with so many requirements; gives a task that some of them fit."""
    pick = random.Random(1)
    words = ["".join(pick.choices(_SYLLABLES, k=3)) for _ in range(5000)]
    areas = [f"area-{number}" for number in range(20)]
    store = root / ".cloche/intent"
    (store / "requirements").mkdir(parents=True)
    for number in range(count):
        found = _requirement(number, pick, words, areas)
        path = store / f"requirements/{found.id}.md"
        path.write_bytes(render_requirement(found))
    places = "".join(
        f"  - name: {area}\n    description: {area}\n    paths: [src/{area}/**]\n"
        for area in areas
    )
    (store / "domains.yaml").write_text(f"version: 1\ndomains:\n{places}", "utf-8")
    (root / "prompt.md").write_text("Do it.\n\n{{ $intent }}\n", "utf-8")
    person = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    for args in (("init", "-q"), ("add", "-A"), (*person, "commit", "-qm", "One")):
        subprocess.run(["git", *args], cwd=root, env=environ, check=True)
    (root / "src/area-1").mkdir(parents=True)
    (root / "src/area-1/new.py").write_text("x = 1\n", "utf-8")
    return " ".join([*pick.choices(words, k=15), *pick.choices(_phrases(), k=4)])


def _phrases() -> list[str]:
    return [phrase for one in situations() for phrase in one.phrases]


def _requirement(
    number: int, pick: random.Random, words: list[str], areas: list[str]
) -> Requirement:
    def text(length: int) -> str:
        return " ".join(pick.choices(words, k=length))

    domain = Scope(Level.DOMAIN, (pick.choice(areas),))
    return Requirement(
        f"req-{number:04x}",
        f"Always {text(12)}.",
        text(10),
        scope=Scope(Level.PROJECT) if number < 10 else domain,
        hints=(text(5), *pick.sample(_phrases(), k=4)),
        created=DAY,
        updated=DAY,
    )
