"""Read and move refs; every move is a compare-and-swap."""

import os

from git_intent.errors import IntentError
from git_intent.files import effect
from git_intent.git.process import git_result
from git_intent.git.repository import Repository


class RefMovedError(IntentError):
    """The ref no longer holds the value that the caller had seen."""


def read_ref(repo: Repository, name: str) -> str:
    """The id that the ref holds, or nothing."""
    out = repo.git("rev-parse", "-q", "--verify", name, check=False)
    return out.decode().strip()


def swap_ref(
    repo: Repository, name: str, new: str, old: str, message: str = ""
) -> None:
    """Move `name` from `old` to `new`; an empty `old` makes it, an empty `new` ends it.

    Raises RefMovedError if somebody else was faster. `HEAD` moves what HEAD points to.
    """
    wanted = f"update {name}\0{new or repo.zero}\0{old or repo.zero}\0"
    if not new:
        wanted = f"delete {name}\0{old}\0"
    effect(f"ref {name}")
    code, _, words = git_result(
        ["update-ref", "-m", message or "intent", "--stdin", "-z"],
        cwd=repo.root,
        input=os.fsencode(wanted),
        env=repo.exports,
    )
    if code:
        raise RefMovedError(
            f"{name}: {words.strip().removeprefix('fatal: ')}",
            "something else moved it meanwhile; run the command again",
        )


def for_each_ref(repo: Repository, prefix: str) -> dict[str, str]:
    """The refs below `prefix` (like `refs/intent/`) and their ids."""
    out = repo.git("for-each-ref", "--format=%(objectname) %(refname)", prefix)
    rows = (line.split(" ", 1) for line in os.fsdecode(out).splitlines())
    return {name: oid for oid, name in rows}
