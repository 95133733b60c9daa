"""What a command line says of the work, made ready for selection; light, for hot paths.

Paths become relative to the project's root, a folder ends in `/`. The query is what is
compared with the requirements.
"""

# pathlib costs the hot path:
# ruff: noqa: PTH110, PTH112, PTH118

import os

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STORE = ".cloche/intent"
NO_TASK = "note: no task was given, so meaning plays no part in the choice"


def over_budget(cost: int, budget: int) -> str:
    """Said if what is always in does not fit."""
    return (
        f"note: the requirements of project level take {cost} tokens, the budget is "
        f"{budget}; give some of them domains, or raise intent.tokenBudget"
    )


def task_of(data: bytes) -> str:
    """The task that a file holds."""
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def query(task: str, prompt_name: str, step: str, workflow: str) -> str:
    """What is compared with the requirements; empty without a task.

    A prompt's own text is mostly boilerplate and takes no part.
    """
    task = task.strip()
    if not task:
        return ""
    return "\n".join(filter(None, (task, prompt_name or step, workflow)))


def worked_at(changed: "Sequence[str]") -> list[str]:
    """Of the files that differ those of the project."""
    return [path for path in changed if not path.startswith("../")]


def given_paths(
    paths: "Sequence[str]", cwd: str, root: str, warnings: list[str]
) -> "Iterator[str]":
    """The paths of a command line, which start from `cwd`."""
    top = os.path.realpath(root)
    for path in paths:
        if "\\" in path and not os.path.exists(os.path.join(cwd, path)):
            path = path.replace("\\", "/")
        place = os.path.join(cwd, path)
        parts = [part for part in place.split("/") if part not in ("", ".")]
        name = parts.pop() if parts else ""
        # The path itself may be a link, or be gone: only what leads to it is resolved.
        full = f"{os.path.realpath('/' + '/'.join(parts))}/{name}"
        if name in ("", ".."):
            full = os.path.realpath(place)
        inner = os.path.normpath(os.path.relpath(full, top))
        if inner == ".." or inner.startswith("../"):
            warnings.append(f"{path}: lies outside of the project and is left out")
            continue
        is_folder = path.endswith("/") or os.path.isdir(place)
        yield f"{inner}/" if is_folder else inner
