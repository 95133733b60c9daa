"""All commits that a revision reaches, read the fastest way, in the order of `commits`.

To show parents after children git has to read the whole history before it prints the
first commit. By default it does not wait, and prints the same order unless clocks lie
or commits of the same second lie side by side. So its default order is taken as it
comes, and looked through afterwards; only if it may differ is git asked for the other.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from git_intent.git.history import read_columns
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
        self._oids: list[str] = []
        self._parents: list[str] = []
        self._times: list[str] = []

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """A row for each commit, as `commit_of` wants it, in the order that git has."""
        if not self._revs:
            return
        options = [] if self._unsorted else ["--date-order", *self._limit]
        for columns in read_columns(self._repo, options, self._revs):
            oids, parents, _, _, times, _ = columns
            if self._unsorted:
                self._oids += oids
                self._parents += parents
                self._times += times
            yield from zip(*columns, strict=True)

    def oldest_first(self, found: Mapping[str, T]) -> list[T]:
        """What was found, by id in the order of the walk, in that of `commits`."""
        if not self._unsorted or self._in_date_order():
            return list(found.values())[::-1]
        args = ("rev-list", "--reverse", "--date-order", "--stdin")
        oids = self._repo.git(*args, input=self._revs.encode()).decode().split()
        return [found[oid] for oid in oids if oid in found]

    def _in_date_order(self) -> bool:
        return in_date_order(self._oids, self._parents, self._times)


def in_date_order(
    oids: Sequence[str], parents_of: Sequence[str], times: Sequence[str]
) -> bool:
    """Whether commits as git walks by default are for certain as `--date-order` would
    give them.

    Both take the youngest commit that is in line. By default it is as soon as one child
    was taken, in date order once all were: no difference while no parent is taken
    before a child. Of several as young the first in line is taken, which may be another
    one then.
    """
    if parents_of[:-1] == oids[1:]:
        return True  # a straight line has one order only
    in_line_since: dict[str, int] = {}
    last_of_time: dict[str, int] = {}
    taken: set[str] = set()
    for number, (oid, parents, time) in enumerate(
        zip(oids, parents_of, times, strict=True)
    ):
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
