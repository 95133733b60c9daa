"""libgit2, where it is right: questions of ancestry, asked many times in a run.

It answers several times faster than a process for each, but does not know everything
that git knows. `open_library` gives None where the answers could differ, or where it
cannot open the repository at all (SHA-256, reftable, some partial clones); there git
answers.
"""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from git_intent.git.repository import Repository

if TYPE_CHECKING:
    import pygit2


def open_library(repo: Repository) -> "pygit2.Repository | None":
    """The repository in libgit2, if it sees the same history there as git does."""
    if repo.shallow or repo.object_format != "sha1":
        return None
    if (repo.common_dir / "info" / "grafts").exists() or _replaces(repo.common_dir):
        return None
    return _open(str(repo.git_dir))


def _replaces(common_dir: Path) -> bool:
    """Whether some object stands for another (`git replace`)."""
    if any((common_dir / "refs" / "replace").glob("*")):
        return True
    try:
        return b" refs/replace/" in (common_dir / "packed-refs").read_bytes()
    except FileNotFoundError:
        return False


@lru_cache(maxsize=4)
def _open(git_dir: str) -> "pygit2.Repository | None":
    import pygit2

    try:
        return pygit2.Repository(git_dir)
    except pygit2.GitError:
        return None


def contains(library: "pygit2.Repository", old: str, new: str) -> bool | None:
    """Whether the history of `new` holds `old`; None if either is not known."""
    import pygit2

    try:
        older, newer = (
            library.revparse_single(rev).peel(pygit2.Commit).id for rev in (old, new)
        )
    except (KeyError, ValueError, pygit2.GitError):
        return None
    return older == newer or bool(library.descendant_of(newer, older))
