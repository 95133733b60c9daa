"""Which files the work at hand touches: what differs from the default branch."""

import os
from dataclasses import dataclass

from git_intent.git.differing import DEFAULT, WITH_MAGIC, changed, untracked
from git_intent.git.history import merge_base
from git_intent.git.process import GitError
from git_intent.git.repository import Repository


@dataclass(frozen=True, slots=True)
class Changes:
    """`base` says in words what the work tree was compared with."""

    paths: tuple[str, ...]
    base: str


def since_default_branch(repo: Repository, without: str) -> Changes:
    """The paths that differ between the work tree and the point where HEAD left the
    default branch, but for those in one folder; untracked files count, deleted ones
    too. Sorted.

    None at all where git cannot tell: an old tree may be missing in a partial clone.
    """
    commit, base = base_of(repo)
    try:
        found = set(_paths(repo, *untracked(without)))
        if commit:
            differing = _paths(repo, *changed(commit, without))
            found |= {repo.from_top(path) for path in differing}
    except GitError:
        return Changes((), base)
    return Changes(tuple(sorted(found)), base)


def base_of(repo: Repository) -> tuple[str, str]:
    """The commit that the work tree is compared with, and what that is in words."""
    head = repo.head()
    if head.unborn:
        return "", "the first commit"
    for name in DEFAULT:
        tip = repo.resolve(name)
        if tip and name != head.branch:
            start = merge_base(repo, tip, head.oid)
            short = name.removeprefix("refs/heads/").removeprefix("refs/remotes/")
            if start:
                return start, f"the branch left {short}"
        elif tip:
            break
    return head.oid, "the last commit"


def _paths(repo: Repository, *args: str) -> list[str]:
    out = repo.git(*args, env=WITH_MAGIC)
    return [os.fsdecode(p) for p in out.split(b"\0") if p]
