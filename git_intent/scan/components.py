"""The parts of a project, told from nothing but the paths of its files.

Packages with a manifest of their own are parts. Without two of those, the code's
folders are, found by going down through those that only hold others (`src/`, a single
package, `main/java/com/acme`). A project without code is divided by its texts.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

_CODE = frozenset(
    ".c .cbl .cc .cjs .clj .cls .cob .cpp .cs .cxx .dart .el .erl .ex .exs .f90 .fs "
    ".gd .go .groovy .h .hh .hpp .hs .java .jl .js .jsx .kt .kts .lua .m .mjs .ml .mm "
    ".nim .nix .php .pl .pm .py .pyx .r .rb .rs .scala .sh .sol .sql .svelte .swift "
    ".tf .trigger .ts .tsx .vb .vue .zig".split()
)
_TEXTS = frozenset(
    ".adoc .css .html .json .md .mdx .rst .tex .toml .txt .xml .yaml .yml".split()
)
_MANIFESTS = frozenset(
    "Cargo.toml Package.swift build.gradle build.gradle.kts composer.json deno.json "
    "go.mod mix.exs package.json pom.xml pubspec.yaml pyproject.toml setup.py".split()
)
#: Folders that hold parts, and are none themselves.
_CONTAINERS = frozenset(
    "apps code components crates internal java kotlin lib libs main modules packages "
    "pkg plugins python scala services source sources src".split()
)
#: Folders that are covered by topics, or hold what nobody here writes.
_PASSED_OVER = frozenset(
    "__tests__ benchmark benchmarks build changelog.d dist doc docs e2e example "
    "examples fixtures generated licenses migrations node_modules out spec specs "
    "target test testdata testing tests third_party thirdparty vendor vendored".split()
)
_NAMES = {"cmd": "cli", "bin": "cli", "command": "cli", "commands": "cli"}
_UNTELLING = frozenset(
    "__init__ __main__ index main mod lib init setup conftest".split()
)
_SHOWN = 5
_MANY = 60
_MOST = 0.6  # a folder with this share of the code is looked into


@dataclass(frozen=True, slots=True)
class Component:
    """`folder` ends in a slash; `files` counts what lies in it."""

    name: str
    folder: str
    files: int
    contents: tuple[str, ...]


def components(paths: Iterable[str]) -> list[Component]:
    """The parts of the project, largest first, at most `_MANY`."""
    usable = [path for path in paths if not _passed_over(path)]
    packages = _outermost(_packages(usable))
    files = [path for path in usable if PurePosixPath(path).suffix.lower() in _CODE]
    if not files and len(packages) < 2:
        files = [p for p in usable if PurePosixPath(p).suffix.lower() in _TEXTS]
    if len(packages) >= 2:
        sizes = {folder: _count(folder, files or usable) for folder in packages}
    else:
        sizes = _divided(files)
    largest = sorted(sizes, key=lambda folder: (-sizes[folder], folder))[:_MANY]
    found = _named([_component(folder, files or usable) for folder in largest])
    telling = [one for one in found if one.name not in _CONTAINERS]
    return telling or found


def _count(folder: str, files: Iterable[str]) -> int:
    return sum(path.startswith(folder) for path in files)


def _passed_over(path: str) -> bool:
    folders = path.split("/")[:-1]
    return any(f.startswith(".") or f.lower() in _PASSED_OVER for f in folders)


def _packages(paths: Collection[str]) -> set[str]:
    """Folders below the root that have a manifest."""
    folders = (p.rpartition("/") for p in paths)
    return {
        f"{folder}/" for folder, _, name in folders if folder and name in _MANIFESTS
    }


def _outermost(folders: Iterable[str]) -> list[str]:
    kept: list[str] = []
    for folder in sorted(folders):
        if not kept or not folder.startswith(kept[-1]):
            kept.append(folder)
    return kept


def _divided(files: Collection[str]) -> dict[str, int]:
    """Folder → number of files; folders with a single one only if all are so."""
    for least in (2, 1):
        found = dict(_parts("", files, len(files), least))
        if found:
            return found
    return {}


def _parts(
    folder: str, files: Collection[str], total: int, least: int
) -> Iterator[tuple[str, int]]:
    """The folders below `folder` that count as parts."""
    inside = [path for path in files if path.startswith(folder)]
    rest = (path[len(folder) :].split("/", 1) for path in inside)
    children = Counter(names[0] for names in rest if len(names) > 1)
    for name, count in sorted(children.items()):
        if count < least:
            continue
        inner = f"{folder}{name}/"
        if name.lower() in _CONTAINERS or count > _MOST * total:
            deeper = list(_parts(inner, inside, total, least))
            yield from deeper or [(inner, count)]
        else:
            yield inner, count


def _component(folder: str, files: Collection[str]) -> Component:
    own = [path for path in files if path.startswith(folder)]
    direct = (path[len(folder) :].split("/", 1)[0] for path in own)
    stems = (PurePosixPath(name).stem.split(".")[0] for name in sorted(direct))
    telling = dict.fromkeys(
        s for s in stems if s and s.lower() not in _UNTELLING | _PASSED_OVER
    )
    parts = folder.rstrip("/").split("/")
    name = kebab(parts[-1])
    return Component(_NAMES.get(name, name), folder, len(own), tuple(telling)[:_SHOWN])


def _named(found: list[Component]) -> list[Component]:
    """Two parts of one name get their parent's name in front."""
    counts = Counter(component.name for component in found)
    kept: dict[str, Component] = {}
    for one in found:
        name = one.name
        if counts[name] > 1 and (parent := one.folder.rstrip("/").rpartition("/")[0]):
            name = kebab(f"{parent.rpartition('/')[2]}-{name}")
        if name and name not in kept:
            kept[name] = Component(name, one.folder, one.files, one.contents)
    return list(kept.values())


def kebab(name: str) -> str:
    """`HTTPServer_v2` → `http-server-v2`; empty if nothing of it is ASCII."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name)
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
