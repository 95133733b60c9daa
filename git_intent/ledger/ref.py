"""The ref of a ledger: read from its file, moved by git, made to survive by us.

A ref is read without git where that is possible (not in a reftable). It is moved by
`git update-ref` with the old value, so a move is a compare-and-swap and hooks of the
repository see it. Whatever git then says, the ref itself tells what happened.

git's own lock of a ref, `<ref>.lock`, is left behind if git dies in the middle. It is
set aside only if it is ours: its bytes name a commit on top of the ref's, made under a
ledger lock whose owner was proved dead, or by this process whose git was killed.
"""

# pathlib costs the hooks more than everything that is done here:
# ruff: noqa: PTH112, PTH116, PTH120

import os
import time

from git_intent.ledger import durable

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.ledger.home import Home

_HEX = frozenset("0123456789abcdef")
_RETRY_SECONDS = 2.0


class Broken(Exception):
    """The file of a ref holds no id; `path` names it."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: holds no commit's id")
        self.path = path


class Unmoved(Exception):
    """The ref is where it was, or somewhere else: `tip`; `words` are git's."""

    def __init__(self, tip: str, words: str, code: int) -> None:
        super().__init__(words)
        self.tip, self.words, self.code = tip, words, code


def read(home: "Home", ref: str) -> str:
    """The id that a ref holds, empty if there is no such ref. Raises Broken."""
    if os.path.isdir(f"{home.common_dir}/reftable"):
        from git_intent.git.process import spawn_git

        args = ["rev-parse", "-q", "--verify", ref]
        _, out = spawn_git(args, home.common_dir, home.environment)
        return out.decode().strip()
    path = f"{home.common_dir}/{ref}"
    try:
        with open(path, "rb") as stream:
            text = stream.read(200).decode("ascii", "replace").rstrip()
    except (FileNotFoundError, NotADirectoryError):
        return _packed(home, ref)
    except IsADirectoryError:
        raise Broken(path) from None
    if not is_id(text):
        raise Broken(path)
    return text


def _packed(home: "Home", ref: str) -> str:
    try:
        with open(f"{home.common_dir}/packed-refs", "rb") as stream:
            data = b"\n" + stream.read()
    except FileNotFoundError:
        return ""
    at = data.find(f" {ref}\n".encode())
    if at < 0:
        return ""
    oid = data[data.rindex(b"\n", 0, at) + 1 : at].decode("ascii", "replace")
    return oid if is_id(oid) else ""


def is_id(text: str) -> bool:
    """Whether this spells an object's id."""
    return len(text) in (40, 64) and _HEX.issuperset(text)


def lock_path(home: "Home", ref: str) -> str:
    """Where git's own lock of the ref lies."""
    return f"{home.common_dir}/{ref}.lock"


def move(home: "Home", ref: str, new: str, old: str, subject: str) -> None:
    """Move the ref from `old` (zeros: it is not there yet) to `new`, to survive.

    Raises Unmoved unless it did move, and OSError if it moved and may not survive.
    """
    from git_intent.git.process import git_result

    loose = not os.path.isdir(f"{home.common_dir}/reftable")
    if loose:
        durable.make_parents(f"{home.common_dir}/{ref}")
    args = ["update-ref", "--no-deref", "-m", subject, ref, new, old]
    before = old if old.strip("0") else ""
    deadline = time.monotonic() + _RETRY_SECONDS
    while True:
        durable.effect("ref lock and rename")
        code, _, words = git_result(args, cwd=home.common_dir, env=home.environment)
        if not code:
            break
        tip = _tip(home, ref)
        if tip == new:
            break
        busy = tip == before and ".lock'" in words and code > 0
        if not busy or time.monotonic() >= deadline:
            raise Unmoved(tip, words.strip(), code)
        time.sleep(0.02)  # others pack refs, or look after them
    durable.effect("sync ref")
    if loose:
        _sync(home, ref)


def remove(home: "Home", ref: str, old: str) -> None:
    """End a ref that holds `old`. Raises Unmoved if it does not."""
    from git_intent.git.process import git_result

    durable.effect("ref delete")
    args = ["update-ref", "--no-deref", "-d", ref, old]
    code, _, words = git_result(args, cwd=home.common_dir, env=home.environment)
    if code:
        raise Unmoved(_tip(home, ref), words.strip(), code)


def _tip(home: "Home", ref: str) -> str:
    try:
        return read(home, ref)
    except Broken:
        return ""


def _sync(home: "Home", ref: str) -> None:
    path = f"{home.common_dir}/{ref}"
    try:
        durable.sync_file(path)
        durable.sync_folder(os.path.dirname(path))
    except FileNotFoundError:  # it was packed meanwhile
        durable.sync_file(f"{home.common_dir}/packed-refs")
        durable.sync_folder(home.common_dir)


def age(path: str) -> str:
    """How old a file looks, for a reader; evidence of nothing."""
    try:
        seconds = max(0, int(time.time() - os.stat(path).st_mtime))
    except OSError:
        return "of unknown age"
    return f"{seconds} seconds old"
