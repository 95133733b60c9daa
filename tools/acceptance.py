"""Keep tests/ACCEPTANCE.md in step with the tests: `python tools/acceptance.py`.

Each row of the two acceptance tables has one line: id, area, state, tests. The state is
kept by hand: `tested`, `partly: what is missing`, or `waits: for which capability`. The
tests are those whose name carries the row (`test_n012_…`, or several of them as in
`test_n012_l003_…`); this tool fills them in.
"""

import ast
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "ACCEPTANCE.md"
ROW = re.compile(r"^\| (?P<id>[NL]\d+) \| (?P<area>[^|]*) \| (?P<state>[^|]*) \|")
NAME = re.compile(r"^test_(?P<rows>(?:[nl]\d{3}_)+)")


@dataclass(frozen=True, slots=True)
class Row:
    id: str
    area: str
    state: str
    tests: tuple[str, ...] = ()

    def line(self) -> str:
        return f"| {self.id} | {self.area} | {self.state} | {'<br>'.join(self.tests)} |"


def read(text: str) -> list[Row]:
    """The rows of the table, their tests left out."""
    found = [m for m in map(ROW.match, text.splitlines()) if m]
    return [Row(m["id"], m["area"].strip(), m["state"].strip()) for m in found]


def rows_with_tests(root: Path = ROOT) -> dict[str, list[str]]:
    """Row id -> `path::test` of every test named after it."""
    found: dict[str, list[str]] = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match = isinstance(node, ast.FunctionDef) and NAME.match(node.name)
            if match and isinstance(node, ast.FunctionDef):
                place = path.relative_to(root / "tests").as_posix()
                for name in match["rows"].rstrip("_").split("_"):
                    row = f"{name[0].upper()}{int(name[1:]):02}"
                    found.setdefault(row, []).append(f"{place}::{node.name}")
    return found


def filled(rows: list[Row], tests: dict[str, list[str]]) -> list[Row]:
    return [replace(row, tests=tuple(tests.get(row.id, []))) for row in rows]


def render(text: str, rows: list[Row]) -> str:
    """The page with every row's line rewritten, the prose around it kept."""
    lines = {row.id: row.line() for row in rows}
    out = [
        lines[m["id"]] if (m := ROW.match(line)) else line for line in text.splitlines()
    ]
    return "\n".join(out) + "\n"


def main() -> int:
    text = TABLE.read_text(encoding="utf-8")
    rows = filled(read(text), rows_with_tests())
    TABLE.write_text(render(text, rows), encoding="utf-8")
    idle = [r.id for r in rows if r.state == "tested" and not r.tests]
    if idle:
        print("tested, but without a test:", ", ".join(idle), file=sys.stderr)
    return 1 if idle else 0


if __name__ == "__main__":
    sys.exit(main())
