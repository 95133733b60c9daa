"""What the files of a repository tell without asking git: for paths that must be fast.

Whoever uses this must be content with "not certain": what cannot be told is None or
empty, and then git is to be asked. Only `os` is imported.
"""

# pathlib costs more than everything that is done here:
# ruff: noqa: PTH110, PTH112, PTH116, PTH118, PTH120

import os

TYPE_CHECKING = False  # importing typing for it would cost more than the answer
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Variables that lead git or us elsewhere: with any of them, git is to be asked.
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
#: Variables that choose configuration files.
_CHOOSING = (
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
)


def led_elsewhere(environ: "Mapping[str, str]") -> bool:
    """Whether a variable says more about the repository than its files do."""
    return any(name.startswith(_ELSEWHERE) for name in environ)


def choosing(environ: "Mapping[str, str]") -> str:
    """The variables that choose configuration, in one line."""
    values = (f"{name}={environ[name]}" for name in _CHOOSING if name in environ)
    return "\x1f".join(values)


def find_project(folder: str) -> tuple[str, str, str, str] | None:
    """The project's root, the work tree's top and git directory, the common one."""
    root = ""
    while True:
        if not root and os.path.isdir(f"{folder}/.cloche"):
            root = folder
        if os.path.lexists(f"{folder}/.git"):
            break
        parent = os.path.dirname(folder)
        if parent == folder or os.path.lexists(f"{folder}/HEAD"):
            return None  # nothing, or a git directory, which has no project
        folder = parent
    if os.stat(folder).st_uid != os.geteuid():
        return None  # git may refuse a repository that belongs to somebody else
    git_dir = f"{folder}/.git"
    if not os.path.isdir(git_dir):
        pointer = read(git_dir).removeprefix("gitdir: ").rstrip("\n")
        git_dir = os.path.normpath(os.path.join(folder, pointer))
    common = git_dir
    if os.path.exists(f"{git_dir}/commondir"):
        pointer = read(f"{git_dir}/commondir").rstrip("\n")
        common = os.path.normpath(os.path.join(git_dir, pointer))
    return root or folder, folder, git_dir, common


def head_of(git_dir: str, common: str) -> str:
    """The commit that HEAD names, read from its files; empty if they do not tell."""
    return refs(git_dir, common, ())[1]


def refs(git_dir: str, common: str, names: "Sequence[str]") -> list[str]:
    """The branch of HEAD (empty if detached), its commit, and what `names` lead to.

    Empty is what is not there, or cannot be told.
    """
    packed: list[str] = []
    head = read(f"{git_dir}/HEAD").strip()
    branch = head[5:] if head.startswith("ref: ") else ""
    found = [branch, _tip(common, branch, packed) if branch else head]
    return found + [_tip(common, name, packed) for name in names]


def _tip(common: str, name: str, packed: list[str]) -> str:
    """Where a ref leads, through symbolic ones; `packed` remembers packed-refs."""
    for _ in range(5):
        try:
            text = read(f"{common}/{name}").strip()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return _packed_tip(common, name, packed)
        if not text.startswith("ref: "):
            return text
        name = text[5:]
    return ""


def _packed_tip(common: str, name: str, packed: list[str]) -> str:
    if not packed:
        try:
            packed.append(read(f"{common}/packed-refs"))
        except FileNotFoundError:
            packed.append("")
    text = packed[0]
    at = text.find(f" {name}\n")
    return text[text.rfind("\n", 0, at) + 1 : at] if at > 0 else ""


def sign(path: str) -> str:
    """One line for a file or folder as it is now: size, times, inode, and its path."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return f"- {path}"
    return (
        f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino} {path}"
    )


def read(path: str) -> str:
    with open(path, "rb") as stream:
        return os.fsdecode(stream.read())
