"""Where HEAD of a work tree stood at a time in the past, by its reflog.

Only this machine's: a reflog is not cloned, and git forgets entries after a while.
"""

import re

from git_intent.git.repository import Repository

_ENTRY = re.compile(rb"([0-9a-f]{40,64}) [^{]*\{(\d+)[^}]*\} ?(.*)")
_LOG = ("log", "-g", "--no-show-signature", "--date=unix", "--format=%H %gd %P", "HEAD")


def head_at(repo: Repository, seconds: float) -> str | None:
    """The commit that HEAD named then; empty if it named none, None if nobody knows.

    From before the first entry nothing is known, but that a commit without parents was
    the first. Entries are to the second; one of the very second counts as later.
    """
    oldest: re.Match[bytes] | None = None
    for line in repo.git(*_LOG, check=False).splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            continue
        if int(entry[2]) < int(seconds):
            return entry[1].decode()
        oldest = entry
    return "" if oldest is not None and not oldest[3] else None
