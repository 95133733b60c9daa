"""The fast lane of `check`: says that all is well, or nothing.

Two kinds of command lines are answered here, because hooks run them before every
commit: single requirement files that are plain and sound (`store.canonical`), and
`--rules`, `--hook` or `--staged` where neither the index nor HEAD has any store.
Wherever that is not certain the answer is False, and the command line does the work.
"""

# pathlib costs the hot path:
# ruff: noqa: PTH109, PTH113, PTH114, PTH118

import os

from git_intent.git.look import find_project
from git_intent.git.process import begin_git

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping

_STORE = "/.cloche/intent/"
_REQUIREMENTS = "requirements/req-"
_STORES = ":(top,glob)**/.cloche/intent/**"
_WHOLE = ("--rules", "--hook", "--staged")
#: What git needs to find the repository that a hook was started for.
_REPOSITORY = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")


def reads_index(environ: "Mapping[str, str]") -> bool:
    """Whether files that are named are looked up in the index.

    In a commit hook (git names the index to it) what counts is what was staged.
    pre-commit has put everything else out of the way, so there the files are the same.
    """
    return "GIT_INDEX_FILE" in environ and environ.get("PRE_COMMIT") != "1"


def all_well(words: list[str], environ: "Mapping[str, str]") -> bool:
    """Whether it is certain that `check WORDS` finds nothing at all."""
    try:
        if len(words) == 1 and words[0] in _WHOLE:
            return _no_store(words[0], environ)
        files = words[1:] if words[:1] == ["--fix"] else words
        if not files or any(not name or name.startswith("-") for name in files):
            return False
        return not reads_index(environ) and _sound(files)
    except OSError:
        return False


def _sound(names: list[str]) -> bool:
    folder = os.getcwd()
    mine = {os.path.normpath(os.path.join(folder, name)) for name in names}
    linked: dict[str, bool] = {}
    for path in sorted(mine):
        root, inside, rest = path.rpartition(_STORE)
        if not inside:
            if path.endswith("/.cloche/config.toml") or not os.path.isfile(path):
                return False
            continue
        if not rest.startswith(_REQUIREMENTS):
            return False
        if root not in linked:
            linked[root] = _linked(root)
        if linked[root] or not _plain(path, inside[1:] + rest):
            return False
    return True


def _linked(root: str) -> bool:
    """Whether a folder on the way to the requirements is a symbolic link."""
    folders = (".cloche", ".cloche/intent", ".cloche/intent/requirements")
    return any(os.path.islink(f"{root}/{folder}") for folder in folders)


def _plain(path: str, name: str) -> bool:
    from git_intent.store.canonical import brief

    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as stream:
        return brief(name, stream.read()) is not None


def _no_store(word: str, environ: "Mapping[str, str]") -> bool:
    """Whether a commit is being made, and neither it nor the one before has a store."""
    if "PRE_COMMIT_FROM_REF" in environ or "CI" in environ:
        return False  # another base than HEAD
    if any(name.startswith("GITHEAD_") for name in environ):
        return False  # a merge
    if word != "--rules" and os.path.lexists(".cloche"):
        return False  # it may hold settings
    git_dir = environ.get("GIT_DIR") or _git_dir()
    if not git_dir or os.path.lexists(f"{git_dir}/MERGE_HEAD"):
        return False
    exports = {name: environ[name] for name in _REPOSITORY if name in environ}
    env = {**exports, "GIT_LITERAL_PATHSPECS": "0"}
    names = ("--cached", "--name-only", "--no-renames", "-z")
    if _in_index(environ.get("GIT_INDEX_FILE") or f"{git_dir}/index", env):
        return False
    failed, staged = begin_git(("diff-index", *names, "HEAD"), ".", env).end()
    if failed:
        return False
    if not staged and "GIT_INDEX_FILE" not in environ:
        return False  # nothing is being committed: what is there is compared instead
    return _STORE.encode() not in b"/" + staged.replace(b"\0", b"\0/")


def _git_dir() -> str:
    found = find_project(os.getcwd())
    return found[2] if found else ""


def _in_index(path: str, env: dict[str, str]) -> bool:
    """Whether any path of the index may belong to a store.

    The usual index spells each path out, so a search in its bytes tells. In versions
    that do not, or with parts of it elsewhere, git is asked.
    """
    with open(path, "rb") as stream:
        data = stream.read()
    spelled = data[:4] == b"DIRC" and data[4:8] in (b"\0\0\0\2", b"\0\0\0\3")
    if spelled and b"link" not in data and b"sdir" not in data:
        return _STORE[1:].encode() in data
    failed, stores = begin_git(("ls-files", "-z", "--", _STORES), ".", env).end()
    return bool(failed or stores)
