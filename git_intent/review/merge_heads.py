"""Which commits a conflict is about: the one merged into, and the one merged."""

from dataclasses import dataclass

from git_intent.git.differing import DEFAULT
from git_intent.git.history import file_versions, merge_base
from git_intent.git.objects import read_names
from git_intent.git.repository import Repository

#: What git leaves while an operation waits, and what it names of the other side.
_OTHERS = (
    ("MERGE_HEAD", "MERGE_HEAD"),
    ("REBASE_HEAD", "REBASE_HEAD"),
    ("CHERRY_PICK_HEAD", "CHERRY_PICK_HEAD"),
    ("REVERT_HEAD", "REVERT_HEAD^"),
)


@dataclass(frozen=True, slots=True)
class Heads:
    """`ours` is what the other side was put on top of, in a rebase its new base.

    `theirs` is empty where git does not tell, as after `git stash pop`.
    """

    ours: str
    theirs: str

    @property
    def known(self) -> list[str]:
        return [oid for oid in (self.ours, self.theirs) if oid]


def find_heads(repo: Repository) -> Heads:
    """The two sides of the operation under way, else of the merge that HEAD is."""
    head = repo.head().oid
    for name, other in _OTHERS:
        if repo.resolve(name):
            return Heads(head, repo.resolve(other) or "")
    if head and (second := repo.resolve("HEAD^2")):
        return Heads(repo.resolve("HEAD^1") or "", second)
    return Heads(head, "")


def base_of(repo: Repository, heads: Heads, path: str) -> bytes | None:
    """What both sides' versions of a file came from, if git can tell.

    The version at the merge base; without one, the newest that both histories have had,
    as after a cherry-pick.
    """
    if not heads.ours or not heads.theirs:
        return None
    base = merge_base(repo, heads.ours, heads.theirs)
    if base:
        (found,) = read_names(repo, [f"{base}:{repo.to_top(path)}"])
        if found is not None:
            return found
    ours = [v.blob for v in file_versions(repo, path, heads.ours)]
    theirs = {v.blob for v in file_versions(repo, path, heads.theirs)}
    common = next((blob for blob in ours if blob and blob in theirs), "")
    return read_names(repo, [common])[0] if common else None


def default_versions(repo: Repository, path: str) -> list[bytes]:
    """A file as the default branch has it: the remote's first, then the local one."""
    tips = [tip for name in DEFAULT if (tip := repo.resolve(name))]
    names = [f"{tip}:{repo.to_top(path)}" for tip in dict.fromkeys(tips)]
    found = read_names(repo, names) if names else []
    return [data for data in found if data is not None]
