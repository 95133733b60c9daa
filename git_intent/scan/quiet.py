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

Only `os` is imported: the whole answer may take a few milliseconds.
`quiet_record` writes the record.
"""

# pathlib costs more than everything that is done here:
# ruff: noqa: PTH109, PTH110, PTH112, PTH116, PTH118, PTH120

import os

from git_intent import __version__

TYPE_CHECKING = False  # importing typing for it would cost more than the comparison
if TYPE_CHECKING:
    from collections.abc import Mapping

NOTHING_NEW = "Nothing new."
HEADER = f"git-intent quiet 1 {__version__}"

#: Variables that lead git or us elsewhere: with any of them, only an ordinary scan.
_ELSEWHERE = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_INDEX_FILE",
    "GIT_INTENT_",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
)
#: Variables that choose configuration files: recorded, and to be equal.
_CHOOSING = (
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
)
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
    if any(name.startswith(_ELSEWHERE) for name in environ):
        return False
    try:
        found = find_project(folder or os.getcwd())
        if found is None:
            return False
        root, git_dir, common = found
        lines = _read(record_path(common, root)).split("\n")
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


def find_project(folder: str) -> tuple[str, str, str] | None:
    """The project's root, the git directory of its work tree, and the common one."""
    root = ""
    while True:
        if not root and os.path.isdir(f"{folder}/.cloche"):
            root = folder
        if os.path.lexists(f"{folder}/.git"):
            break
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    if os.stat(folder).st_uid != os.geteuid():
        return None  # git may refuse a repository that belongs to somebody else
    git_dir = f"{folder}/.git"
    if not os.path.isdir(git_dir):
        pointer = _read(git_dir).removeprefix("gitdir: ").rstrip("\n")
        git_dir = os.path.normpath(os.path.join(folder, pointer))
    common = git_dir
    if os.path.exists(f"{git_dir}/commondir"):
        pointer = _read(f"{git_dir}/commondir").rstrip("\n")
        common = os.path.normpath(os.path.join(git_dir, pointer))
    return root or folder, git_dir, common


def record_path(common: str, root: str) -> str:
    return f"{common}/intent/cache/quiet-{os.stat(root).st_ino}"


def head_of(git_dir: str, common: str) -> str:
    """The commit that HEAD names, read from its files; empty if they do not tell."""
    head = _read(f"{git_dir}/HEAD").strip()
    if not head.startswith("ref: "):
        return head
    name = head[5:]
    try:
        return _read(f"{common}/{name}").strip()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        pass
    try:
        packed = _read(f"{common}/packed-refs")
    except FileNotFoundError:
        return ""
    at = packed.find(f" {name}\n")
    return packed[packed.rfind("\n", 0, at) + 1 : at] if at > 0 else ""


def choosing(environ: "Mapping[str, str]") -> str:
    """The variables that choose configuration, in one line."""
    values = (f"{name}={environ[name]}" for name in _CHOOSING if name in environ)
    return "\x1f".join(values)


def sign(path: str) -> str:
    """The line of the record for a file or folder as it is now."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return f"- {path}"
    return (
        f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino} {path}"
    )


def _unchanged(line: str) -> bool:
    path = line[2:] if line.startswith("- ") else line.split(" ", 4)[-1]
    return sign(path) == line


def _busy(git_dir: str, common: str) -> bool:
    """Whether git is in the middle of something, or another scan is at work."""
    signs = [f"{git_dir}/{name}" for name in _UNDER_WAY]
    return any(map(os.path.lexists, [*signs, f"{common}/intent/lock"]))


def _read(path: str) -> str:
    with open(path, "rb") as stream:
        return os.fsdecode(stream.read())
