"""The fast lane of a scan that has nothing to do.

A scan that ends with nothing left to do writes down what it had looked at; the next one
compares, and if nothing differs it is done. Wherever it is not certain, the ordinary
scan runs: this file never says "something is new", only "nothing is", or nothing.

The record is `<git common dir>/intent/cache/quiet-<inode of the project's root>`:

    git-intent quiet 1 <version of git-intent>
    <root of the project>
    <id of HEAD>
    <variables that choose git's configuration>
    <size> <mtime_ns> <ctime_ns> <inode> <path>      one line a watched file or folder
    - <path>                                         one that was not there
    end

Paths are absolute. Watched are the documents and HEAD, the store, runs and logs, the
workflow files, every file of git's and our configuration, and what git ignores. Bytes
are compared by (size, mtime, ctime, inode), as git itself does; a file that changed a
moment before it was looked at is not trusted, and nothing is recorded.

The whole answer may take a few milliseconds. `quiet_record` writes the record.
"""

# pathlib costs more than everything that is done here:
# ruff: noqa: PTH109, PTH116

import os

from git_intent import __version__
from git_intent.git.look import (
    choosing,
    find_project,
    head_of,
    led_elsewhere,
    read,
    sign,
)

TYPE_CHECKING = False  # importing typing for it would cost more than the comparison
if TYPE_CHECKING:
    from collections.abc import Mapping

NOTHING_NEW = "Nothing new."
HEADER = f"git-intent quiet 1 {__version__}"

#: Signs of an operation under way, in the git directory of the work tree.
_UNDER_WAY = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
)


def nothing_new(environ: "Mapping[str, str]", folder: str = "") -> bool:
    """Whether it is certain that a plain scan in `folder` has nothing to do; without
    one, the current folder is meant."""
    if led_elsewhere(environ):
        return False
    try:
        found = find_project(folder or os.getcwd())
        if found is None:
            return False
        root, _, git_dir, common = found
        lines = read(record_path(common, root)).split("\n")
        expected = [HEADER, root, head_of(git_dir, common), choosing(environ)]
        return (
            lines[:4] == expected
            and bool(expected[2])
            and lines[-2:] == ["end", ""]
            and not _busy(git_dir, common)
            and all(map(_unchanged, lines[4:-2]))
        )
    except OSError:
        return False


def record_path(common: str, root: str) -> str:
    return f"{common}/intent/cache/quiet-{os.stat(root).st_ino}"


def _unchanged(line: str) -> bool:
    path = line[2:] if line.startswith("- ") else line.split(" ", 4)[-1]
    return sign(path) == line


def _busy(git_dir: str, common: str) -> bool:
    """Whether git is in the middle of something, or another scan is at work."""
    signs = [f"{git_dir}/{name}" for name in _UNDER_WAY]
    return any(map(os.path.lexists, [*signs, f"{common}/intent/lock"]))
