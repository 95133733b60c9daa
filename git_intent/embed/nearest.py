"""Cosines of one vector with a fixed list of others, the same on every machine.

Coordinates are rounded to 15 bits and added up as integers: no order of summation, and
no processor's way of adding floats, changes a result.
"""

from collections.abc import Sequence

import numpy
import numpy.typing

_ONE = (1 << 15) - 1
Whole = numpy.typing.NDArray[numpy.int64]


class Nearest:
    """A list of unit vectors, ready to be compared."""

    def __init__(self, vectors: Sequence[Sequence[float]]) -> None:
        self._rows = _rounded(vectors)

    def cosines(self, vector: Sequence[float]) -> list[float]:
        """One cosine for each vector of the list, in its order."""
        found: list[float] = (self._rows @ _rounded(vector) / (_ONE * _ONE)).tolist()
        return found


def _rounded(values: Sequence[float] | Sequence[Sequence[float]]) -> Whole:
    whole: Whole = numpy.rint(numpy.asarray(values) * _ONE).astype(numpy.int64)
    return whole
