"""Which of a fixed list of vectors are nearest to some, the same on every machine.

Coordinates are rounded to 15 bits. All sums of their products are whole numbers that a
double holds exactly, so no order of summation, and no processor's way of adding floats,
changes a result.
"""

from collections.abc import Sequence

import numpy
import numpy.typing

_ONE = (1 << 15) - 1
Vectors = numpy.typing.NDArray[numpy.float64]


class Nearest:
    """A list of unit vectors, each with a second one whose nearness counts as much."""

    def __init__(self, vectors: Vectors, seconds: Vectors) -> None:
        self._rows = whole(vectors) + whole(seconds)

    def best(self, vectors: Vectors, count: int, more: Vectors) -> list[list[int]]:
        """For each whole vector the numbers of the `count` nearest, nearest first.

        `more` has for each of them what every one of the list gets besides, counted as
        a cosine. The earlier goes first in a tie.
        """
        # One product of two matrices would wake a thread for each core, whose waiting
        # costs more than the work: in doubles, vector by vector, it takes a sixth of
        # what it takes in integers, which no library speeds up.
        scores = numpy.array([self._rows @ vector for vector in vectors])
        if not len(scores):
            return []
        scores += numpy.rint(more * (_ONE * _ONE))
        each = numpy.arange(len(scores))
        found = []
        for _ in range(min(count, len(self._rows))):
            best = scores.argmax(axis=1)
            scores[each, best] = -numpy.inf
            found.append(best)
        nearest: list[list[int]] = numpy.stack(found, axis=1).tolist()
        return nearest


def whole(units: Vectors) -> Vectors:
    """The coordinates of unit vectors as whole numbers."""
    rounded: Vectors = numpy.rint(units * _ONE)
    return rounded


def middle(groups: Sequence[Vectors]) -> Vectors:
    """The unit vector in the middle of each group of whole vectors."""
    sums = numpy.array([group.sum(axis=0) for group in groups])
    lengths = numpy.sqrt((sums * sums).sum(axis=1, keepdims=True))
    units: Vectors = sums / numpy.maximum(lengths, 1)
    return units
