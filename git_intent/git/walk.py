"""All commits that a revision reaches, read the fastest way, in the order of `commits`.

To show parents after children git has to read the whole history before it prints the
first commit. By default it does not wait, and prints the same order unless clocks lie
or commits of the same second lie side by side. So its default order is taken as it
comes, and looked through afterwards; only if it may differ is git asked for the other.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from git_intent.git.history import rows
from git_intent.git.repository import Repository

T = TypeVar("T")

_TIME = re.compile(r"[1-9][0-9]{0,11}")  # others may be equal and not look it


class Walk:
    """Read it once to its end, then ask for the order."""

    def __init__(
        self, repo: Repository, spec: Iterable[str], max_count: int = 0
    ) -> None:
        self._repo = repo
        revs = list(spec)
        self._revs = "".join(f"{rev}\n" for rev in revs)
        self._limit = [f"--max-count={max_count}"] if max_count else []
        # Only here does git start to print at once; and the first so many by one order
        # need not be those by another.
        self._unsorted = len(revs) == 1 and not max_count
        self._seen: list[tuple[str, str, str]] = []

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """A row for each commit, as `commit_of` wants it, in the order that git has."""
        if not self._revs:
            return
        if not self._unsorted:
            yield from rows(self._repo, ["--date-order", *self._limit], self._revs)
            return
        note = self._seen.append
        for row in rows(self._repo, [], self._revs):
            note((row[0], row[1], row[4]))
            yield row

    def oldest_first(self, found: Mapping[str, T]) -> list[T]:
        """What was found, by id in the order of the walk, in that of `commits`."""
        if not self._unsorted or in_date_order(self._seen):
            return list(found.values())[::-1]
        args = ("rev-list", "--reverse", "--date-order", "--stdin")
        oids = self._repo.git(*args, input=self._revs.encode()).decode().split()
        return [found[oid] for oid in oids if oid in found]


def in_date_order(walk: Sequence[tuple[str, str, str]]) -> bool:
    """Whether the default walk, id, parents and time of each commit, is for certain
    what `--date-order` would give.

    Both take the youngest commit that is in line. By default it is as soon as one child
    was taken, in date order once all were: no difference while no parent is taken
    before a child. Of several as young the first in line is taken, which may be another
    one then.
    """
    if all(one[1] == next_[0] for one, next_ in pairwise(walk)):
        return True  # a straight line has one order only
    in_line_since: dict[str, int] = {}
    last_of_time: dict[str, int] = {}
    taken: set[str] = set()
    for number, (oid, parents, time) in enumerate(walk):
        if not _TIME.fullmatch(time):
            return False
        if in_line_since.get(oid, -1) < last_of_time.get(time, -1):
            return False
        taken.add(oid)
        last_of_time[time] = number
        for parent in parents.split():
            if parent in taken:
                return False
            in_line_since.setdefault(parent, number)
    return True
