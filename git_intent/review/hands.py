"""By whose hand each file of the store changed: commits between two sides, or nobody's
yet."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from git_intent.git.history import Commit, read_commits, versions
from git_intent.git.repository import Repository
from git_intent.review.sides import Place, Range, Side, difference
from git_intent.store.commit_actor import maker
from git_intent.store.intent_dir import STORE
from git_intent.store.rules import Actor


@dataclass(frozen=True, slots=True)
class Hand:
    """A commit and who made it; `commit` is empty for what is not committed yet.

    `actor` is a claim and `reason` what it rests on; `run` is the scan's.
    """

    commit: str
    author: str
    email: str
    time: int
    subject: str
    actor: Actor
    reason: str
    run: str = ""


def hand(commit: Commit, patterns: Iterable[str]) -> Hand:
    """The hand that made a commit; `patterns` name authors that are agents."""
    made = maker(commit.message, commit.author, commit.author_email, patterns)
    return Hand(
        commit=commit.oid,
        author=commit.author,
        email=commit.author_email,
        time=commit.time,
        subject=commit.subject,
        actor=made.actor,
        reason=made.reason,
        run=made.run,
    )


def hands(
    repo: Repository, range: Range, patterns: Collection[str], nobody: Hand
) -> Mapping[str, tuple[Hand, ...]]:
    """For each file that the commits of the range changed, those commits, newest first.

    `nobody` stands first for what differs from HEAD: it is not committed yet.
    """
    found: dict[str, list[Hand]] = {path: [nobody] for path in _open(repo, range.new)}
    if range.commits:
        listed = versions(repo, STORE, range.commits)
        oids = {v.commit for each in listed.values() for v in each}
        made = {o: hand(c, patterns) for o, c in read_commits(repo, oids).items()}
        for path, each in listed.items():
            found.setdefault(path, []).extend(made[v.commit] for v in each)
    return {path: tuple(dict.fromkeys(each)) for path, each in found.items()}


def _open(repo: Repository, side: Side) -> set[str]:
    """The files that differ between HEAD and a side that is no commit."""
    if side.place is Place.COMMIT:
        return set()
    head = Side(Place.COMMIT, repo.head().oid)
    differing = difference(repo, Range(head, side))
    return {*differing.before, *differing.after}
