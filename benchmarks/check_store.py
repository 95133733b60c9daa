"""What `git intent check` costs: one file, no store, a whole store.

    python -m benchmarks check_store

- One changed file, as a hook passes it, against `python -c "import yaml"`.
- A repository without a store, against `python -c pass`.
- A store of 10,000 files against a process that does nothing but load the same front
  matters with libyaml's C loader; and the growth from 1,000 to 10,000 files.

Whole processes in turns. The statements are made of words of software projects, some of
which (key, token, secret) make the search for secrets look twice.
"""

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
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
from git_intent.store.requirement import Kind, Level, Provenance, Requirement, Scope
from git_intent.store.requirement_file import render_requirement

ONE_FILE, NO_STORE, WHOLE, GROWTH = 2.5, 2.0, 1.0, 1.25
RUNS, LONG_RUNS = 25, 7
SIZES = (100, 1000, 10_000)
DAY = "2026-01-01T00:00:00Z"
YAML = (sys.executable, "-c", "import yaml")
_LOOP = """
import os, yaml
folder = ".cloche/intent/requirements/"
for name in sorted(os.listdir(folder)):
    with open(folder + name, "rb") as file:
        header = file.read().split(b"---\\n", 2)[1]
    yaml.load(header, Loader=yaml.CSafeLoader)
"""
LOADER = (sys.executable, "-c", _LOOP)
_WORDS = """
    a all always and any api are at before branch build by cache change check code
    commit config default docs each error every file for format from function hook if
    import in index is it key line log merge message must name never no not of on one
    only or path plain public release request review rule run secret stable store test
    than that the to token tool type unless user value version when with without write
""".split()


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        environ = environment(Path(folder))
        roots = {count: Path(folder) / str(count) for count in (0, *SIZES)}
        for count, root in roots.items():
            make_store(root, count, environ)
        yield _one_file(roots[SIZES[-1]], environ)
        yield _no_store(roots[0], environ)
        yield from _whole(roots, environ)


def _one_file(root: Path, environ: dict[str, str]) -> Figure:
    path = ".cloche/intent/requirements/req-0007.md"
    ours, floor = _turns([(*INTENT, "check", path), YAML], root, environ, RUNS)
    return Figure(
        "check one changed file",
        ours.wall / floor.wall,
        "times `import yaml`",
        ONE_FILE,
        detail=ratio_detail(ours, floor, "import yaml"),
    )


def _no_store(root: Path, environ: dict[str, str]) -> Figure:
    (root / "staged").write_text("x", "utf-8")
    subprocess.run(["git", "add", "staged"], cwd=root, env=environ, check=True)
    ours, floor = _turns([(*INTENT, "check", "--rules"), FLOOR], root, environ, RUNS)
    return Figure(
        "check --rules before a commit, no store",
        ours.wall / floor.wall,
        "times python",
        NO_STORE,
        detail=ratio_detail(ours, floor, "python"),
    )


def _whole(roots: dict[int, Path], environ: dict[str, str]) -> Iterator[Figure]:
    check = (*INTENT, "check", "--format", "github")  # which prints nothing
    large = SIZES[-1]
    ours, peer = _turns([check, LOADER], roots[large], environ, LONG_RUNS)
    yield Figure(
        f"check {large:,} requirements",
        ours.wall / peer.wall,
        "times a loop of yaml.CSafeLoader",
        WHOLE,
        detail=ratio_detail(ours, peer, "loop"),
    )
    # By CPU: by the clock, a small store waits for git while a large one is read.
    small, middle = (
        _turns([check], roots[count], environ, LONG_RUNS)[0].cpu for count in SIZES[:-1]
    )
    first = (middle - small) / (SIZES[1] - SIZES[0])
    then = (ours.cpu - middle) / (SIZES[2] - SIZES[1])
    yield Figure(
        f"a file more, from {SIZES[1]:,} to {large:,}",
        then / first,
        f"times one from {SIZES[0]} to {SIZES[1]:,}",
        GROWTH,
        detail=f"{1e6 * then:.0f} µs and {1e6 * first:.0f} µs of CPU",
    )


def _turns(
    commands: Sequence[Sequence[str]], root: Path, environ: dict[str, str], runs: int
) -> list[Cost]:
    """What each costs, all of them in turns."""
    spent = [[run(words, root, environ) for words in commands] for _ in range(runs + 1)]
    return [medians(costs) for costs in zip(*spent[1:], strict=True)]


def make_store(root: Path, count: int, environ: dict[str, str]) -> None:
    """A repository with a store of so many sound files, or with none."""
    store = root / ".cloche/intent/requirements"
    (store if count else root).mkdir(parents=True)
    pick = random.Random(1)
    for number in range(count):
        found = requirement(number, pick)
        (store / f"{found.id}.md").write_bytes(render_requirement(found))
    if count:
        text = "version: 1\ndomains:\n  - name: api\n    paths: [src/**]\n"
        (store.parent / "domains.yaml").write_text(text, "utf-8")
    (root / "src").mkdir()
    (root / "src/main.py").write_text("x = 1\n", "utf-8")
    person = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    for args in (("init", "-q"), ("add", "-A"), (*person, "commit", "-qm", "One")):
        subprocess.run(["git", *args], cwd=root, env=environ, check=True)


def requirement(number: int, pick: random.Random) -> Requirement:
    """One as a scan leaves it: sometimes with a domain, hints, a reason."""

    def text(length: int) -> str:
        return " ".join(pick.choices(_WORDS, k=length))

    return Requirement(
        f"req-{number:04x}",
        f"{text(pick.randrange(8, 30)).capitalize()} ({number}).",
        text(15) if pick.random() < 0.5 else "",
        scope=Scope(Level.DOMAIN, ("api",), ("src/**",))
        if pick.random() < 0.5
        else Scope(Level.PROJECT),
        hints=tuple(text(5) for _ in range(pick.randrange(3))),
        provenance=Provenance(Kind.DOC, f"CLAUDE.md#{text(1)}", DAY, "intent-scan"),
        created=DAY,
        updated=DAY,
    )
