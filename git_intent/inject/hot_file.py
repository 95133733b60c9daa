"""The record from which `inject` answers without reading the store.

An `inject` or `preview` that had to read everything writes it down at its end, in two
files of the hot cache (see `cache`), N being the inode of the project's root:

`inject-N`: stamps of the files of git's and our configuration, the workflow files, the
index of vectors and the folders of our own code, and as value a dict:

    form        HEADER: the form of the record and the version that wrote it
    key         a number that no other record of this project has
    root        the project's root
    choosing    the variables that choose git's configuration
    folders     inodes of `.cloche` and `.cloche/intent`
    workflows   names of the workflow files
    names       of the files of requirements, a / between them
    signs       one number for size, times and inode of these and of what is `BESIDE`
    nothing     whether nothing is ever injected; then what follows is missing
    budget, floor, meaning        settings; `meaning` is false if words alone count
    index       the file of the index of vectors
    count, ids, terms, groups     what `relevance.prepare` gives; the ids in one text
    lines, ends the line of each requirement, in that order, and where it ends
    rank        the place of each in the order of those without a score
    project     rows of project level, in that order
    project_cost                  what their lines take of the budget
    domains     domain -> rows that name it, without those of project level
    narrow      row -> (number of its `scope.paths` in `patterns` or -1, languages)
    patterns    distinct `scope.paths`
    places      domain -> its patterns, of domains.yaml

`inject-N-seen`: what was worked out for single contexts, see `hot_seen`.

The record counts only while every stamp and sign is the same: so an edit that keeps
size and time is seen by its ctime, and a file that came or went by that of its folder.
What had changed a moment before it was looked at is not recorded at all, because the
clock of a file system ticks slowly.
"""

# pathlib costs the hot path:
# ruff: noqa: PTH116, PTH208

import os

from git_intent import __version__, cache
from git_intent.inject.asked import STORE

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

HEADER = f"git-intent inject 2 {__version__}"
REQUIREMENTS = f"{STORE}/requirements"
#: Watched besides the requirements, from their folder.
BESIDE = (".", "../domains.yaml", "../scan-state.yaml", "../.gitattributes")

#: Nothing for what is not there.
Sign = tuple[int, int, int, int] | tuple[()]


def record_name(root: str) -> str:
    return f"inject-{os.stat(root).st_ino}"


def workflow_names(root: str) -> list[str]:
    """The workflow files of a project, sorted."""
    return sorted(
        name for name in os.listdir(f"{root}/.cloche") if name.endswith(".cloche")
    )


def folders(root: str) -> tuple[int, int]:
    """Which folders hold the store: those, and no links to them."""
    return os.lstat(f"{root}/.cloche").st_ino, os.lstat(f"{root}/{STORE}").st_ino


def signs(root: str, names: "Sequence[str]") -> list[Sign]:
    """The state of each of `names`, from the folder of requirements."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    folder = os.open(f"{root}/{REQUIREMENTS}", flags)
    lstat = os.lstat
    found: list[Sign] = []
    try:
        for name in names:
            try:
                s = lstat(name, dir_fd=folder)
            except FileNotFoundError:
                found.append(())
            else:
                found.append((s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino))
    finally:
        os.close(folder)
    return found


class Record:
    """What was written; it counts only if it is `current`."""

    __slots__ = ("_stamps", "value")

    def __init__(self, stamps: cache.Stamps, value: "Mapping[str, Any]") -> None:
        self._stamps, self.value = stamps, value

    def current(self) -> bool:
        """Whether nothing has changed since; OSError if there is no store at all."""
        value = self.value
        root = value["root"]
        names = [*BESIDE, *filter(None, value["names"].split("/"))]
        return bool(
            value["folders"] == folders(root)
            and value["workflows"] == workflow_names(root)
            and cache.stamps(list(self._stamps)) == self._stamps
            and value["signs"] == hash(tuple(signs(root, names)))
        )


def load(common: str, root: str, choosing: str) -> Record | None:
    """The record of a project, if there is one of this version."""
    found = cache.read(common, record_name(root))
    if found is None:
        return None
    value: Any = found[1]
    expected = HEADER, root, choosing
    if (value["form"], value["root"], value["choosing"]) != expected:
        return None
    return Record(found[0], value)
