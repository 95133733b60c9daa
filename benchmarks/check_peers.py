"""A whole check side by side with check-jsonschema and doorstop, on as many items.

    python -m benchmarks check_peers

Both are installed from the package index into an environment made for it; without one
there is nothing to compare with, and the benchmark says so and shows no figure.
check-jsonschema gets the front matters as YAML files and a schema of their fields,
doorstop a document of as many items with the same statements.
"""

import json
import random
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

from benchmarks.check_store import make_store, requirement
from benchmarks.figure import Figure
from benchmarks.process import INTENT, environment, medians, ratio_detail, run
from git_intent.store.requirement_file import render_requirement

COUNT = 3000
#: Package -> at least so many times as long as ours.
BARS = {"check-jsonschema": 8.0, "doorstop": 25.0}
RUNS = 1  # doorstop alone takes minutes
CHECK = (*INTENT, "check", "--format", "github")  # which prints nothing
_ITEM = """\
active: true
derived: false
header: ''
level: 1.{part}.{place}
links: []
normative: true
ref: ''
reviewed: null
text: |
  {text}
"""
_WORDS = {"type": "array", "items": {"type": "string"}}
_SCHEMA = {
    "type": "object",
    "required": ["id", "status"],
    "properties": {
        "id": {"type": "string", "pattern": "^req-[0-9a-f]{4}$"},
        "status": {"enum": ["active", "disabled", "superseded"]},
        "scope": {
            "type": "object",
            "properties": {
                "level": {"enum": ["project", "domain"]},
                "domains": _WORDS,
                "paths": _WORDS,
            },
        },
        "hints": _WORDS,
        "confidence": {"enum": ["high", "medium", "low"]},
    },
}


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        base = Path(folder)
        environ = environment(base)
        programs = _installed(base / "venv")
        if programs is None:
            print("check_peers: skipped, pip could not install them", file=sys.stderr)
            return
        store = base / "store"
        make_store(store, COUNT, environ)
        peers = {
            "check-jsonschema": _front_matters(base / "yaml", programs),
            "doorstop": _document(base / "doorstop", programs, environ),
        }
        for name, (root, command) in peers.items():
            pairs = [
                (run(command, root, environ), run(CHECK, store, environ))
                for _ in range(RUNS)
            ]
            theirs, ours = (medians(costs) for costs in zip(*pairs, strict=True))
            yield Figure(
                f"{name}, {COUNT:,} items",
                theirs.wall / ours.wall,
                "times `git intent check`",
                BARS[name],
                at_least=True,
                detail=ratio_detail(theirs, ours, "ours"),
            )


def _installed(folder: Path) -> Path | None:
    """The folder of the programs; None if they cannot be had."""
    venv.create(folder, with_pip=True)
    pip = (str(folder / "bin/python"), "-m", "pip", "install", "-q")
    done = subprocess.run([*pip, *BARS], check=False, capture_output=True)
    return None if done.returncode else folder / "bin"


def _front_matters(root: Path, programs: Path) -> tuple[Path, tuple[str, ...]]:
    root.mkdir()
    (root / "schema.json").write_text(json.dumps(_SCHEMA), "utf-8")
    pick = random.Random(1)
    names = []
    for number in range(COUNT):
        header = render_requirement(requirement(number, pick)).split(b"---\n")[1]
        names.append(f"{number}.yaml")
        (root / names[-1]).write_bytes(header)
    program = str(programs / "check-jsonschema")
    return root, (program, "-q", "--schemafile", "schema.json", *names)


def _document(
    root: Path, programs: Path, environ: dict[str, str]
) -> tuple[Path, tuple[str, ...]]:
    root.mkdir()
    program = str(programs / "doorstop")
    for words in (("git", "init", "-q"), (program, "-q", "create", "REQ", "reqs")):
        subprocess.run(words, cwd=root, env=environ, check=True, capture_output=True)
    pick = random.Random(1)
    for number in range(COUNT):
        text = requirement(number, pick).statement
        item = _ITEM.format(part=number // 30 + 1, place=number % 30 + 1, text=text)
        (root / f"reqs/REQ{number + 1:03d}.yml").write_text(item, "utf-8")
    return root, (program, "-q")
