"""Which files differ from a commit, asked in a way that fast paths can afford.

Two gits at once, and no `subprocess`. Paths are those that git prints: what is not
tracked from the folder it runs in, what is changed from the top of the work tree.
"""

import os
import posixpath

from git_intent.git.process import begin_git

#: Where the default branch is looked for, in this order.
DEFAULT = (
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/heads/trunk",
)
#: What is asked leaves out a folder: the rest of its name follows.
_OUT = ":(exclude,literal)"
#: Without it git takes such a name as it stands, see `process`.
WITH_MAGIC = {"GIT_LITERAL_PATHSPECS": "0"}


def untracked(without: str) -> tuple[str, ...]:
    """What to ask git for the files that are not tracked, nor in a folder."""
    return ("ls-files", "-o", "--exclude-standard", "-z", "--", f"{_OUT}{without}")


def changed(base: str, without: str) -> tuple[str, ...]:
    """What to ask git for the files that differ from `base`, but for those in a folder
    (whose files it does not even look at)."""
    options = ("--name-only", "--no-renames", "--no-relative", "-z", "--no-ext-diff")
    return ("diff", *options, base, "--", f"{_OUT}{without}")


def from_top(project: str, path: str) -> str:
    """Turn a path as git names it, from the top, into one from the project."""
    if not project:
        return path
    if path.startswith(project):
        return path[len(project) :]
    return posixpath.relpath(path, project)


class Question:
    """Asked already; `answer`, called once, waits."""

    __slots__ = ("_changed", "_project", "_untracked")

    def __init__(self, root: str, project: str, base: str, without: str) -> None:
        self._project = project
        self._untracked = begin_git(untracked(without), root, WITH_MAGIC)
        self._changed = begin_git(changed(base, without), root, WITH_MAGIC)

    def answer(self) -> list[str] | None:
        """The paths from the project's root, sorted; None if git cannot say."""
        (failed, new), (also, old) = self._untracked.end(), self._changed.end()
        if failed or also:
            return None
        found = {os.fsdecode(path) for path in new.split(b"\0") if path}
        found |= {
            from_top(self._project, os.fsdecode(path))
            for path in old.split(b"\0")
            if path
        }
        return sorted(found)
