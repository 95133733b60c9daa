"""Which of a fixed list of vectors are nearest to one, the same on every machine.

Coordinates are rounded to 15 bits and added up as integers: no order of summation, and
no processor's way of adding floats, changes a result.
"""

from collections.abc import Sequence

import numpy
import numpy.typing

_ONE = (1 << 15) - 1
Whole = numpy.typing.NDArray[numpy.int64]
Vectors = Sequence[Sequence[float]]


class Nearest:
    """A list of unit vectors, each with a second one whose nearness counts as much."""

    def __init__(self, vectors: Vectors, seconds: Vectors) -> None:
        self._rows = _rounded(vectors) + _rounded(seconds)

    def best(self, vector: Sequence[float], count: int) -> list[int]:
        """The numbers of the `count` nearest, nearest first; the earlier of a tie."""
        products = self._rows @ _rounded(vector)
        found: list[int] = numpy.argsort(-products, kind="stable")[:count].tolist()
        return found


def _rounded(values: Sequence[float] | Vectors) -> Whole:
    whole: Whole = numpy.rint(numpy.asarray(values) * _ONE).astype(numpy.int64)
    return whole
