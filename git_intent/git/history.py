"""What happened: commits, which paths they touched, how lines and files got here.

Nearly everything is asked of `git log` and its plumbing: it honours grafts, replaced
objects and shallow borders, opens every repository, and reads messages twice as fast as
a walk through a library. Replaced commits show their replacement under their old id.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from git_intent.git.library import contains, open_library
from git_intent.git.objects import read_blobs, tree
from git_intent.git.process import GitError, git_result
from git_intent.git.repository import Repository
from git_intent.git.stream import stream_columns, stream_git

_FIELDS = "%H%x00%P%x00%an%x00%ae%x00%ct%x00%B"
_PER_COMMIT = 6
_LOG = (
    "log",
    "-z",
    "--no-show-signature",
    "--no-mailmap",
    "--no-notes",
    "--no-color",
    "--encoding=UTF-8",
    "--no-ext-diff",
)


@dataclass(frozen=True, slots=True)
class Commit:
    """`time` is the committer's, in seconds since 1970. `subject` is the first
    paragraph on one line, `body` the rest."""

    oid: str
    parents: tuple[str, ...]
    author: str
    author_email: str
    time: int
    subject: str
    body: str

    @property
    def message(self) -> str:
        return f"{self.subject}\n\n{self.body}" if self.body else self.subject


@dataclass(frozen=True, slots=True)
class Version:
    """A commit that changed a file, and the blob that it left (empty: deleted)."""

    commit: str
    blob: str


def commits(
    repo: Repository, spec: Iterable[str], max_count: int = 0
) -> Iterator[Commit]:
    """The commits that `spec` reaches (`["HEAD", "^abc"]`), parents before children.

    With `max_count`, the newest so many. They stream: memory stays flat.
    """
    revs = "".join(f"{rev}\n" for rev in spec)
    if not revs:
        return iter(())
    limit = [f"--max-count={max_count}"] if max_count else []
    return _read(repo, ["--reverse", "--date-order", *limit], revs)


def read_commits(repo: Repository, oids: Iterable[str]) -> dict[str, Commit]:
    """The named commits themselves."""
    revs = "".join(f"{oid}\n" for oid in oids)
    if not revs:
        return {}
    return {c.oid: c for c in _read(repo, ["--no-walk=unsorted"], revs)}


def _read(repo: Repository, options: list[str], revs: str) -> Iterator[Commit]:
    for columns in read_columns(repo, options, revs):
        yield from map(commit_of, *columns)


def read_columns(
    repo: Repository, options: list[str], revs: str
) -> Iterator[list[list[str]]]:
    """What `commit_of` wants of each commit that `git log` shows, many at a time, each
    argument a list. `revs` has one revision a line."""
    args = [*_LOG, "--no-patch", f"--format=tformat:{_FIELDS}", *options, "--stdin"]
    return stream_columns(
        args, _PER_COMMIT, cwd=repo.root, input=revs.encode(), env=repo.exports
    )


def commit_of(
    oid: str, parents: str, author: str, email: str, time: str, message: str
) -> Commit:
    """The commit that a row of git's describes."""
    subject, body = _paragraphs(message)
    seconds = int(time or 0)  # a damaged commit may have none
    return Commit(oid, tuple(parents.split()), author, email, seconds, subject, body)


def _paragraphs(message: str) -> tuple[str, str]:
    """Subject and body, as git tells them apart."""
    first, _, rest = message.strip().partition("\n")
    if not rest or rest[0] == "\n":  # nearly always; the rest is for oddities
        return first.rstrip(), rest.strip()
    lines = [first]
    more = rest.split("\n")
    while more and more[0].strip():
        lines.append(more.pop(0))
    return " ".join(line.strip() for line in lines), "\n".join(more).strip()


def count(repo: Repository, spec: Iterable[str]) -> int:
    """How many commits `spec` reaches."""
    revs = "".join(f"{rev}\n" for rev in spec)
    if not revs:
        return 0
    return int(repo.git("rev-list", "--count", "--stdin", input=revs.encode()))


def has_merge(repo: Repository, spec: Iterable[str]) -> bool:
    """Whether a merge is among the commits that `spec` reaches."""
    revs = "".join(f"{rev}\n" for rev in spec)
    args = ("rev-list", "--merges", "--max-count=1", "--stdin")
    return bool(revs) and bool(repo.git(*args, input=revs.encode()))


def changed_paths(repo: Repository, oids: Iterable[str]) -> dict[str, list[str]]:
    """For each commit the paths it touched; for a merge, those its first parent has
    differently. A rename counts as both of its paths."""
    asked = list(dict.fromkeys(oids))
    if not asked:
        return {}
    args = ["diff-tree", "--stdin", "-r", "-z", "-m", "--root", "--no-renames", "--raw"]
    revs = "".join(f"{oid}\n" for oid in asked).encode()
    found: dict[str, list[str]] = {oid: [] for oid in asked}
    seen: set[str] = set()
    current: list[str] = []
    pieces = stream_git(args, cwd=repo.root, input=revs, env=repo.exports)
    for piece in pieces:
        if piece.startswith(b":"):
            current.append(repo.from_top(os.fsdecode(next(pieces))))
            continue
        oid = piece.decode()[: len(repo.zero)]
        # git repeats a merge once a parent; only the first counts
        current = [] if oid in seen else found[oid]
        seen.add(oid)
    return found


def merge_base(repo: Repository, one: str, other: str) -> str | None:
    out = repo.git("merge-base", one, other, check=False)
    return out.decode().strip() or None


def is_ancestor(repo: Repository, old: str, new: str) -> bool:
    """Whether `new` contains `old`; a commit contains itself."""
    library = open_library(repo)
    answer = contains(library, old, new) if library else None
    if answer is not None:
        return answer
    args = ["merge-base", "--is-ancestor", old, new]
    code, _, words = git_result(args, cwd=repo.root, env=repo.exports)
    if code not in (0, 1):
        raise GitError(args, code, words)
    return code == 0


def shallow_border(repo: Repository) -> frozenset[str]:
    """The commits at which a shallow clone's history is cut off."""
    try:
        return frozenset((repo.common_dir / "shallow").read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()


def versions(
    repo: Repository, prefix: str, rev: str = "HEAD"
) -> dict[str, list[Version]]:
    """Each file ever at or below `prefix`, with its versions, newest first.

    Both sides of merges count, and a merge that made something of its own.
    """
    args = [*_LOG, "--format=tformat:%H", "--full-history", "-c", "--raw"]
    args += ["--no-abbrev", "--no-renames", "--topo-order", rev, "--", prefix]
    found: dict[str, list[Version]] = {}
    commit = ""
    pieces = stream_git(args, cwd=repo.root, env=repo.exports)
    for piece in pieces:
        row = piece.lstrip(b"\n")
        if not row.startswith(b":"):
            commit = row.decode() or commit
            continue
        parents = len(row) - len(row.lstrip(b":"))
        blob = row.decode().split(" ")[2 * parents + 1]
        path = repo.from_top(os.fsdecode(next(pieces)))
        gone = "" if blob == repo.zero else blob
        found.setdefault(path, []).append(Version(commit, gone))
    return found


def file_versions(repo: Repository, path: str, rev: str = "HEAD") -> list[Version]:
    """The versions of one file, newest first; renames are not followed."""
    return versions(repo, path, rev).get(path, [])


def log_values(repo: Repository, path: str, rev: str = "HEAD") -> list[bytes]:
    """Every content that the file has had, newest first, each once."""
    blobs = [v.blob for v in file_versions(repo, path, rev) if v.blob]
    contents = read_blobs(repo, blobs)
    return list(dict.fromkeys(contents[b] for b in blobs if b in contents))


def paths_in_refs(repo: Repository, prefix: str) -> set[str]:
    """Every file that HEAD's history or a local or remote-tracking branch has ever
    had at or below `prefix`."""
    head = repo.head()
    revs = ["--branches", "--remotes", *([] if head.unborn else ["HEAD"])]
    args = [*_LOG, "--format=", "--name-only", "--full-history", "--no-renames", "-c"]
    pieces = stream_git([*args, *revs, "--", prefix], cwd=repo.root, env=repo.exports)
    found = {repo.from_top(os.fsdecode(piece)) for piece in pieces if piece}
    if not head.unborn:
        found.update(entry.path for entry in tree(repo, "HEAD", prefix))
    return found
