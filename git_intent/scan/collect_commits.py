"""New commit messages, oldest first, without what nobody meant to say.

Messages stream from `git log`; the paths of a commit are asked only if its message
bears the scan's own trailer.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from git_intent.git import history
from git_intent.git.history import Commit, commit_of
from git_intent.git.repository import Repository
from git_intent.git.walk import Walk
from git_intent.scan import noise
from git_intent.scan.artifacts import Source
from git_intent.scan.cursor import Stand
from git_intent.store.requirement import Kind

FORMER = "read before the history was rewritten"


@dataclass(frozen=True, slots=True)
class CommitMaterial:
    items: tuple[Source, ...] = ()
    remarks: tuple[str, ...] = ()


def collect_commits(
    repo: Repository, stand: Stand, max_commits: int = 0, name: str = ""
) -> CommitMaterial:
    """The messages that are unread at `stand`.

    `max_commits` bounds a reading without a cursor (0: no bound). `name` is that of a
    repository listed beside the project's own.
    """
    limit = max_commits if stand.bounded else 0
    former = _messages(repo, stand.former)
    skipped: Counter[str] = Counter()
    heard: dict[str, Source] = {}
    claiming: list[Commit] = []
    total = 0
    walk = Walk(repo, stand.unread, limit)
    for row in walk:
        total += 1
        oid, parents, author, email, _, message = row
        text = message.strip()
        if noise.plainly_heard(author, email, parents, text) and text not in former:
            heard[oid] = _source(oid, text, name)
            continue
        commit = commit_of(*row)
        again = former and commit.message in former
        if reason := FORMER if again else noise.noise(commit):
            skipped[reason] += 1
            continue
        heard[oid] = _source(oid, noise.strip_own(commit.message), name)
        if noise.claims_to_be_own(commit):
            claiming.append(commit)
    for oid in _own(repo, claiming):
        del heard[oid]
    remarks = [*stand.remarks, *_unread(repo, stand, total, limit)]
    if left_out := _counts(skipped):
        remarks.append(f"commits left out: {left_out}")
    return CommitMaterial(tuple(walk.oldest_first(heard)), tuple(remarks))


def _messages(repo: Repository, spec: Iterable[str]) -> frozenset[str]:
    return frozenset(commit.message for commit in history.commits(repo, spec))


def _own(repo: Repository, claiming: Sequence[Commit]) -> set[str]:
    """The scan's own commits; where history is cut off, all that claim to be one.

    A commit without parents seems to touch everything. Taking it for a person's would
    make each scan of a shallow clone commit, and each such commit be scanned.
    """
    paths = history.changed_paths(repo, (c.oid for c in claiming if c.parents))
    return {
        c.oid for c in claiming if not c.parents or noise.own_commit(c, paths[c.oid])
    }


def _unread(repo: Repository, stand: Stand, total: int, limit: int) -> list[str]:
    """Say how many commits lie beyond the bound; they count as read."""
    if not limit or total < limit:
        return []
    older = history.count(repo, stand.unread) - total
    if older <= 0:
        return []
    hint = "`git intent scan --full --max-commits 0` reads them"
    plural = "commits count" if older > 1 else "commit counts"
    return [f"{older} older {plural} as read; {hint}"]


def _counts(skipped: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in sorted(skipped.items()))


def _source(oid: str, text: str, name: str) -> Source:
    return Source(Kind.COMMIT, f"repos/{name}@{oid}" if name else oid, text)
