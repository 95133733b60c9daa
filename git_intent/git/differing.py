"""Which files differ from a commit, asked in a way that fast paths can afford.

Two gits at once, and no `subprocess`. Paths are those that git prints: what is not
tracked from the folder it runs in, what is changed from the top of the work tree.
"""

import os
import posixpath

from git_intent.git.process import Begun, begin_git

#: Where the default branch is looked for, in this order.
DEFAULT = (
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/heads/trunk",
)
UNTRACKED = ("ls-files", "-o", "--exclude-standard", "-z")
_CHANGED = ("diff", "--name-only", "--no-renames", "--no-relative", "-z")


def changed(base: str) -> tuple[str, ...]:
    """What to ask git for the files that differ from the commit `base`."""
    return (*_CHANGED, "--no-ext-diff", base, "--")


def from_top(project: str, path: str) -> str:
    """Turn a path as git names it, from the top, into one from the project."""
    if not project:
        return path
    if path.startswith(project):
        return path[len(project) :]
    return posixpath.relpath(path, project)


class Question:
    """Asked already; `answer` waits."""

    __slots__ = ("_changed", "_project", "_untracked")

    def __init__(self, root: str, project: str, base: str) -> None:
        self._project = project
        self._untracked: Begun | None = begin_git(UNTRACKED, root)
        self._changed: Begun | None = begin_git(changed(base), root)

    def answer(self) -> list[str] | None:
        """The paths from the project's root, sorted; None if git cannot say."""
        if self._untracked is None or self._changed is None:
            return None
        (failed, new), (also, old) = self._untracked.end(), self._changed.end()
        self._untracked = self._changed = None
        if failed or also:
            return None
        found = {os.fsdecode(path) for path in new.split(b"\0") if path}
        found |= {
            from_top(self._project, os.fsdecode(path))
            for path in old.split(b"\0")
            if path
        }
        return sorted(found)
