"""All commits that a revision reaches, read the fastest way, in the order of `commits`.

To show parents after children git has to read the whole history before it prints the
first commit. By default it does not wait. So its default order is taken as it comes,
and put into the other afterwards.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import TypeVar

from git_intent.git.history import read_columns
from git_intent.git.repository import Repository

T = TypeVar("T")

_TIME = re.compile(r"[1-9][0-9]{0,11}")  # git reads others in ways of its own


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
        if not self._unsorted or self._parents[:-1] == self._oids[1:]:
            return list(found.values())[::-1]  # a straight line has one order only
        if all(map(_TIME.fullmatch, self._times)):
            order = date_order(self._oids, self._parents, map(int, self._times))
        else:
            args = ("rev-list", "--date-order", "--stdin")
            out = self._repo.git(*args, input=self._revs.encode())
            order = out.decode().split()
        return [found[oid] for oid in reversed(order) if oid in found]


def date_order(
    oids: Sequence[str], parents_of: Iterable[str], times: Iterable[int]
) -> list[str]:
    """All commits that the first reaches, as `--date-order` has them: of those whose
    children were all shown the youngest, and of several as young the first in line."""
    parents = {o: line.split() for o, line in zip(oids, parents_of, strict=True)}
    time_of = dict(zip(oids, times, strict=True))
    missing = Counter(parent for some in parents.values() for parent in some)
    line = [(0, 0, oids[0])]
    order: list[str] = []
    place = 0
    while line:
        oid = heappop(line)[2]
        order.append(oid)
        for parent in parents[oid]:
            missing[parent] -= 1
            if not missing[parent]:
                place += 1
                heappush(line, (-time_of[parent], place, parent))
    return order
