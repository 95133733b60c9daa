"""Who may import whom, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "git_intent"

# Room -> the rooms it may import (besides itself and the standard library).
GROUND = {"errors", "files"}
BASE = GROUND | {"git", "lock", "config", "cache", "secrets", "__init__"}
SECOND = {"store", "embed", "workflow"}
MAY_IMPORT = {
    "__init__": set(),
    "errors": set(),
    "files": {"errors"},
    "lock": GROUND,
    "git": GROUND,
    "secrets": GROUND,
    "cache": GROUND | {"git"},
    "config": GROUND | {"git"},
    "store": BASE,
    "embed": BASE,
    "workflow": BASE,
    "scan": BASE | SECOND,
    "cli": BASE | SECOND | {"scan"},
    "__main__": BASE | SECOND | {"scan", "cli"},
}


def room(name: str) -> str:
    return name.split(".")[1] if "." in name else "__init__"


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(p for p in parts if p != "__init__")
        yield name, path


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_room_is_in_the_plan():
    assert {room(name) for name, _ in modules()} <= set(MAY_IMPORT)


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=lambda v: str(v)[-40:])
def test_imports_go_down_only(name: str, path: Path):
    own = room(name)
    for target in imports(path):
        if not target.startswith("git_intent."):
            continue
        wanted = target.split(".")[1]
        if wanted.startswith("__version"):
            continue
        assert wanted == own or wanted in MAY_IMPORT[own], f"{name} imports {target}"


def test_modules_do_not_import_in_a_circle():
    known = {name for name, _ in modules()}
    graph = {
        name: {t for t in top_level_imports(path) if t in known and t != name}
        for name, path in modules()
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail, name])
        if name not in done:
            for target in sorted(graph[name]):
                visit(target, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def top_level_imports(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_file_grows_past_the_alarm():
    long = {
        str(path.relative_to(PACKAGE)): count
        for _, path in modules()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long
