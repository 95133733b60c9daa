"""Who may import whom, read from the source."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "git_intent"

# Room -> the rooms it may import (besides itself and the standard library).
GROUND = {"errors", "files"}
BASE = GROUND | {"git", "lock", "config", "cache", "secrets", "__init__"}
SECOND = {"store", "embed", "workflow"}
THIRD = {"scan", "inject", "guard", "review", "ledger"}
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
    "inject": BASE | SECOND,
    "guard": BASE | SECOND,
    "review": BASE | SECOND,
    "ledger": BASE,
    "hosts": BASE | SECOND | THIRD,
    "web": BASE | SECOND | THIRD,
    "cli": BASE | SECOND | THIRD | {"hosts", "web"},
    "__main__": BASE | SECOND | THIRD | {"hosts", "cli"},
}


# Modules at the top that are part of a room with another name.
PARTS = {
    "config_file": "config",
    "config_kinds": "config",
    "config_ledger": "config",
    "secret_contexts": "secrets",
    "secret_shapes": "secrets",
}

# Module of others -> where it may be imported; a room, or one module of it.
DOORS = {
    "click": {"cli"},
    "detect_secrets": {"secrets"},
    "frontmatter": {"store"},
    "jinja2": {"web"},
    "markdown_it": {"scan"},
    "mcp": {"cli.mcp_server"},
    "mcp_types": {"cli.mcp_server"},
    "model2vec": {"embed"},
    "numpy": {"embed"},
    "pathspec": {"store"},
    "pygit2": {"git"},
    "starlette": {"web"},
    "subprocess": {"git", "workflow.process"},
    "tokenizers": {"embed"},
    "uvicorn": {"web"},
    "yaml": {"store"},
}
ENVIRONMENT = {"__main__", "cli", "config", "git"}


def room(name: str) -> str:
    if "." not in name:
        return "__init__"
    top = name.split(".")[1]
    return PARTS.get(top, top)


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


def test_imports_go_down_only():
    assert not [
        f"{name} imports {target}"
        for name, path in modules()
        for target in imports(path)
        if target.startswith("git_intent.")
        and room(target) not in {room(name), "__version__"} | MAY_IMPORT[room(name)]
    ]


def test_others_are_imported_at_their_doors_only():
    assert not [
        f"{name} imports {target}"
        for name, path in modules()
        for target in imports(path)
        if target.split(".")[0] in DOORS
        and not DOORS[target.split(".")[0]]
        & {room(name), name.removeprefix("git_intent.")}
    ]


def test_every_dependency_has_a_door():
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    names = {
        re.split(r"[>=<\[]", text)[0] for text in project["project"]["dependencies"]
    }
    modules = {
        "markdown-it-py": "markdown_it",
        "python-frontmatter": "frontmatter",
        "pyyaml": "yaml",
    }
    assert {modules.get(name, name.replace("-", "_")) for name in names} <= set(DOORS)


def test_the_environment_is_read_at_the_edge_only():
    assert not [
        f"{name}:{node.lineno}"
        for name, path in modules()
        if room(name) not in ENVIRONMENT
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "getenv")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    ]


def test_the_parts_of_a_room_exist():
    top = {path.stem for path in PACKAGE.glob("*.py")}
    assert set(PARTS) <= top


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
