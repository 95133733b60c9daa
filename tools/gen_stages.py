"""Write docs/stages.svg and the printed examples of docs/injection.md: `make docs`.

Both show one worked example, `tools/example_store.py`. The picture is drawn from what
`git intent preview --json` says of it; in the page, what stands below a `$ git intent`
line in a console block is what that command prints there. `--check` writes nothing and
exits 1 if something is not current (a test runs it).
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from git_intent.embed.relevance import FLOOR
from git_intent.store.requirement import Level, Requirement
from tools import example_store
from tools.gen_docs import keep

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "stages.svg"
PAGE = ROOT / "docs" / "injection.md"

_BLOCK = re.compile(r"(?m)^```console\n(\$ git intent .*\n)(?:(?!```).*\n)*```$")

WIDTH, LEFT, TOP, ROW = 920, 24, 92, 34
#: Where the columns stand: statement, three stages, place in the block.
COLUMNS = (LEFT, 430, 540, 672, 800)
HEADS = ("", "1 Status", "2 Scope", "3 Meaning", "In the block")
BELOW = ("", "active?", "project, domain", "score", "by rank and budget")
STYLE = """\
text{font:13px system-ui,sans-serif;fill:#1f2328}
.head{font-weight:600}.small{font-size:11px;fill:#57606a}
.id{font:12px ui-monospace,monospace}.out{fill:#6e7781}.in{fill:#0b5d2a;font-weight:600}
.row{fill:#f6f8fa}.hit{fill:#2da44e}.miss{fill:#d0d7de}"""


def main() -> int:
    return keep(pages())


def pages() -> dict[Path, str]:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "heron"
        _make(project)
        about = ("--task", example_store.TASK, "--path", example_store.PATH)
        told = json.loads(_intent(project, "preview", "--json", *about))
        page = _BLOCK.sub(lambda found: _printed(project, found[1]), _page())
    return {PICTURE: picture(told), PAGE: page}


def _page() -> str:
    return PAGE.read_text(encoding="utf-8")


def _make(project: Path) -> None:
    project.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", project], check=True)
    example_store.write(project)
    prompts = project / ".cloche" / "prompts"
    prompts.mkdir()
    (prompts / "implement.md").write_text(
        "You work on heron.\n\n{{ $intent }}\n\nDo what is asked, then run the tests.\n"
    )


def _printed(project: Path, line: str) -> str:
    words = shlex.split(line.removeprefix("$ git intent "))
    return f"```console\n{line}{_intent(project, *words)}```"


def _intent(project: Path, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "git_intent", *args],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@dataclass(frozen=True)
class Row:
    """One requirement of the picture; `place` is its line in the block, from 1."""

    rule: Requirement
    stage: str
    score: float | None
    place: int


def picture(told: dict[str, Any]) -> str:
    """The three stages as SVG: a row a requirement, best first."""
    rows = list(_rows(told))
    height = TOP + ROW * len(rows) + 48
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
        f'  width="{WIDTH}" height="{height}" role="img"',
        '  aria-labelledby="title about">',
        '<title id="title">How requirements get into a prompt</title>',
        f'<desc id="about">{escape(_about(rows))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
        _text(LEFT, 34, f"Task: {example_store.TASK}", "head"),
        _text(LEFT, 54, f"Path: {example_store.PATH}", "small"),
        *_heads(),
    ]
    for number, row in enumerate(rows):
        parts += _drawn(row, TOP + ROW * number, odd=number % 2 == 0)
    parts.append(_text(LEFT, height - 16, _legend(told), "small"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _rows(told: dict[str, Any]) -> Iterator[Row]:
    rules = {rule.id: rule for rule in example_store.RULES}
    for row in told["ranked"]:
        shown = row["selected"]
        place = told["selected"].index(row["id"]) + 1 if shown else 0
        yield Row(rules.pop(row["id"]), row["stage"], row["score"], place)
    for rule in rules.values():
        yield Row(rule, "", None, 0)


def _heads() -> Iterator[str]:
    for x, head, below in zip(COLUMNS, HEADS, BELOW, strict=True):
        yield _text(x, TOP - 24, head, "head")
        yield _text(x, TOP - 8, below, "small")


def _drawn(row: Row, y: int, odd: bool) -> Iterator[str]:
    middle = y + ROW // 2
    if odd:
        yield f'<rect class="row" x="{LEFT - 8}" y="{y}" width="888" height="{ROW}"/>'
    words = row.rule.statement
    words = f"{words[:43].rstrip()}…" if len(words) > 44 else words
    faint = "" if row.place else "out"
    yield _text(LEFT, middle + 4, row.rule.id, f"id {faint}".strip())
    yield _text(LEFT + 74, middle + 4, words, faint)
    for x, (hit, what) in zip(COLUMNS[1:4], _stages(row), strict=True):
        if what:
            mark = "hit" if hit else "miss"
            yield f'<circle class="{mark}" cx="{x + 5}" cy="{middle}" r="5"/>'
            yield _text(x + 16, middle + 4, what, "" if hit else "out")
    if row.place:
        yield _text(COLUMNS[4], middle + 4, f"line {row.place}", "in")


def _stages(row: Row) -> list[tuple[bool, str]]:
    """What each stage says: whether it lets the requirement in, and in which words."""
    if not row.stage:
        return [(False, row.rule.status.value), (False, ""), (False, "")]
    scope = row.rule.scope
    name = "project" if scope.level is Level.PROJECT else ", ".join(scope.domains)
    return [
        (True, row.rule.status.value),
        (row.stage in ("project", "scope"), name),
        (row.stage == "semantic", f"{row.score:.2f}"),
    ]


def _about(rows: list[Row]) -> str:
    lines = [
        f"{row.rule.id}: {', '.join(what for _, what in _stages(row) if what)}, "
        + (f"line {row.place} of the block" if row.place else "not in the block")
        for row in rows
    ]
    return f"For the task '{example_store.TASK}': {'; '.join(lines)}."


def _legend(told: dict[str, Any]) -> str:
    return (
        "Green lets a requirement in; one stage is enough once it is active. A score "
        f"counts from the floor on, {FLOOR:g}. Budget: {told['budget']} tokens."
    )


def _text(x: int, y: int, words: str, kind: str = "") -> str:
    attribute = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{attribute}>{escape(words, quote=False)}</text>'


if __name__ == "__main__":
    sys.exit(main())
