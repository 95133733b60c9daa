"""Which files the work at hand touches: what differs from the default branch."""

import os
from dataclasses import dataclass

from git_intent.git.history import merge_base
from git_intent.git.repository import Repository

#: Where the default branch is looked for, in this order.
_DEFAULT = (
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/heads/trunk",
)


@dataclass(frozen=True, slots=True)
class Changes:
    """`base` says in words what the work tree was compared with."""

    paths: tuple[str, ...]
    base: str


def since_default_branch(repo: Repository) -> Changes:
    """The paths that differ between the work tree and the point where HEAD left the
    default branch; untracked files count, deleted ones too. Sorted."""
    commit, base = _base(repo)
    found = set(_paths(repo, "ls-files", "-o", "--exclude-standard", "-z"))
    if commit:
        options = ("--name-only", "--no-renames", "--no-relative", "-z")
        found |= {
            repo.from_top(path)
            for path in _paths(repo, "diff", *options, "--no-ext-diff", commit, "--")
        }
    return Changes(tuple(sorted(found)), base)


def _base(repo: Repository) -> tuple[str, str]:
    head = repo.head()
    if head.unborn:
        return "", "the first commit"
    for name in _DEFAULT:
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
    return [os.fsdecode(p) for p in repo.git(*args).split(b"\0") if p]
