"""The workflows of a project: its `.cloche/*.cloche` files, and the built-in ones.

A project's definition wins over the built-in of the same name as a whole, never mixed
with it, whatever its file is called. Names are compared exactly: two that differ in
case are two workflows. A file that does not parse, or a name that stands twice, is an
IntentError with every place; nothing falls back to the built-in silently.
"""

import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.workflow.model import SCAN as SCAN
from git_intent.workflow.model import Finding, Workflow
from git_intent.workflow.parser import parse

FOLDER = ".cloche"
SUFFIX = ".cloche"
#: No workflow file is this long; a larger one is refused before it is read.
LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Catalog:
    """`own` are the project's workflows by name, in the order of files and lines."""

    own: Mapping[str, Workflow]
    findings: tuple[Finding, ...] = ()

    def find(self, name: str) -> Workflow:
        """The project's workflow of that name, else the built-in one."""
        found = self.own.get(name) or builtins().get(name)
        if found is None:
            known = ", ".join(sorted({*self.own, *builtins()}))
            raise IntentError(f"there is no workflow '{name}'", f"known are: {known}")
        return found

    def listed(self) -> list[Workflow]:
        """Every workflow that can be run, by name."""
        return [found for _, found in sorted({**builtins(), **self.own}.items())]

    def reachable(self, name: str) -> list[Workflow]:
        """The workflow and those that its steps run, directly or not."""
        found: dict[str, Workflow] = {}
        waiting = [name]
        while waiting:
            wanted = waiting.pop()
            if wanted not in found:
                found[wanted] = self.find(wanted)
                waiting += found[wanted].children.values()
        return list(found.values())

    def replaces_builtin(self, workflow: Workflow) -> bool:
        return not workflow.builtin and workflow.name in builtins()


def find(root: Path, name: str) -> Workflow:
    """The workflow that `name` means in the project at `root`."""
    return load(read_files(root)).find(name)


def is_workflow_file(path: str) -> bool:
    """Whether a path (from the project root) is read for workflows: no subfolders."""
    folder, _, name = path.rpartition("/")
    return folder == FOLDER and name.endswith(SUFFIX) and name != SUFFIX


def load(snapshot: Mapping[str, bytes]) -> Catalog:
    """The catalog of a work tree or a commit; other paths in it are passed over."""
    own: dict[str, Workflow] = {}
    findings: list[Finding] = []
    for path in sorted(filter(is_workflow_file, snapshot)):
        parsed = parse(snapshot[path], path)
        findings += parsed.findings
        for workflow in parsed.workflows:
            first = own.setdefault(workflow.name, workflow)
            if first is not workflow:
                raise IntentError(
                    f"{workflow.source}: workflow '{workflow.name}' is defined twice, "
                    f"first at {first.source}",
                    "remove or rename one of the two",
                )
    return Catalog(own, tuple(findings))


def read_files(root: Path) -> dict[str, bytes]:
    """The bytes of the workflow files of the work tree, by path from `root`."""
    try:
        names = sorted(entry.name for entry in (root / FOLDER).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise IntentError(f"{FOLDER}: {error.strerror}", "make it readable") from error
    paths = (f"{FOLDER}/{name}" for name in names)
    return {
        path: data
        for path in filter(is_workflow_file, paths)
        if (data := _read(root, path)) is not None
    }


def _read(root: Path, path: str) -> bytes | None:
    """The bytes of one file, None for a folder.

    What cannot be read is refused, never passed over: it may hold an opt-out.
    """
    file = root / path
    try:
        state = file.stat()
        if stat.S_ISDIR(state.st_mode):
            return None
        if not stat.S_ISREG(state.st_mode):
            raise IntentError(f"{path}: is not a regular file", "remove it")
        if state.st_size > LARGEST:
            raise IntentError(
                f"{path}: is larger than {LARGEST} bytes", "split the workflow file"
            )
        return file.read_bytes()
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "make it readable") from error


@cache
def builtins() -> Mapping[str, Workflow]:
    """The workflows in the package, by name."""
    found: dict[str, Workflow] = {}
    for file in sorted((Path(__file__).parent / "builtin").glob(f"*{SUFFIX}")):
        for workflow in parse(file.read_bytes(), file.name).workflows:
            found[workflow.name] = replace(workflow, builtin=True)
    return found
