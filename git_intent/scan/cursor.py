"""Where the commit cursor stands, and what to do when it stands nowhere any more.

The cursor is scan-state's `last_commit`. A commit counts as read if the cursor reaches
it; after a merge, or when the cursor is lost, also if any earlier value of the cursor
in HEAD's history does, so that what a merged branch had read is not read again.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from git_intent.git import history, objects
from git_intent.git.repository import Repository

SCAN_STATE = ".cloche/intent/scan-state.yaml"
_LAST_COMMIT = re.compile(
    rb"^\s*last_commit:\s*[\"']?([0-9a-f]{40,64})\b", re.MULTILINE
)
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Stand:
    """Which commits are unread: those that `head` reaches and none of `read` does.

    `bounded` is set when nothing limits them, so the caller's maximum has to. `former`
    names commits that a rewrite replaced: equal messages were read with them.
    """

    head: str
    read: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def unread(self) -> list[str]:
        """As `git log` wants it; nothing on an unborn branch."""
        return [self.head, *(f"^{oid}" for oid in self.read)] if self.head else []

    @property
    def bounded(self) -> bool:
        return not self.read


def find(repo: Repository, head: str, cursor: str, state_path: str = "") -> Stand:
    """Where to go on from `cursor`; `state_path` is where its history can be asked."""
    if not head or not cursor:
        return Stand(head)
    commit = repo.resolve(cursor) if _ID.fullmatch(cursor) else None
    if commit == cursor and history.is_ancestor(repo, commit, head):
        straight = Stand(head, (commit,))
        if not history.has_merge(repo, straight.unread):
            return straight
        return Stand(head, (commit, *_earlier(repo, state_path, head, commit)))
    return _fall_back(repo, head, cursor, commit, state_path)


def _fall_back(
    repo: Repository, head: str, cursor: str, commit: str | None, state_path: str
) -> Stand:
    earlier = _earlier(repo, state_path, head, commit or "")
    base = history.merge_base(repo, commit, head) if commit else None
    lost = f"cursor lost, {_why(repo, cursor, commit)}"
    if base:
        remark = f"{lost}; fell back to the merge base {base[:12]}"
        former = (commit, f"^{base}") if commit and commit != base else ()
        return Stand(head, (base, *earlier), former, (remark,))
    if earlier:
        remark = f"{lost}; fell back to the commits that no earlier scan had read"
        return Stand(head, earlier, (), (remark,))
    return Stand(head, (), (), (f"{lost}; fell back to the reachable history",))


def _why(repo: Repository, cursor: str, commit: str | None) -> str:
    if not _ID.fullmatch(cursor) or not cursor.strip("0"):
        return f"{cursor[:12]!r} is not the id of a commit"
    short = cursor[:12]
    if commit and commit != cursor:
        return f"{short} is not a commit but names {commit[:12]}"
    if commit:
        return f"{short} is no longer in the history of HEAD"
    return f"{short} is not in this {'shallow ' if repo.shallow else ''}repository"


def _earlier(
    repo: Repository, state_path: str, head: str, known: str
) -> tuple[str, ...]:
    """Earlier values of the cursor that this repository has, newest first."""
    if not state_path:
        return ()
    values = cursor_values(history.log_values(repo, state_path, head))
    present = objects.sizes(repo, values)
    return tuple(oid for oid in values if oid in present and oid != known)


def cursor_values(contents: Iterable[bytes]) -> list[str]:
    """Each `last_commit` in these versions of scan-state, of whichever repository.

    Read by pattern, not by parser: a version that somebody broke still counts.
    """
    found = (oid.decode() for data in contents for oid in _LAST_COMMIT.findall(data))
    return [
        oid for oid in dict.fromkeys(found) if _ID.fullmatch(oid) and oid.strip("0")
    ]
