"""All cosines of a query with an index at once, exact, without numpy.

Each column of the index is spread over the 32-bit lanes of one long integer, a lane a
requirement, and multiplied by the query's coordinate: 256 products of a long integer
and a small one instead of 256,000 of floats. With coordinates that count from zero
(query 16 bits, rows 8 bits) no lane overflows: 65,535 x 255 x 256 < 2^32. What the
shifts added is taken off with the sums that the index keeps. All of it is integer
arithmetic up to the last division, so that order and score are the same everywhere.
"""

import sys
from math import sqrt

from git_intent.embed.index_file import ZERO, Index

_REACH = 32767
_NARROW = 256


def rank(index: Index, query: list[float]) -> list[tuple[str, float]]:
    """Every requirement with its cosine, best first; ids break ties.

    Raises ValueError if `query` has not the index's dimension. The cosine with a zero
    vector is 0.
    """
    scored = zip(cosines(index, query), index.ids, strict=True)
    return [(id_, score) for score, id_ in sorted(scored, key=_order)]


def _order(pair: tuple[float, str]) -> tuple[float, str]:
    return -pair[0], pair[1]


def cosines(index: Index, query: list[float]) -> list[float]:
    """The cosine of every requirement, in the order of the index; see `rank`."""
    if len(query) != index.dim:
        raise ValueError(f"{len(query)} coordinates for {index.dim}")
    count = len(index.ids)
    widest = max(map(abs, query)) if count else 0.0
    if not widest:
        return [0.0] * count
    scale = _REACH / widest
    coordinates = [round(value * scale) for value in query]
    length = sqrt(sum(value * value for value in coordinates))
    totals = _products(index.columns, count, [q + _REACH + 1 for q in coordinates])
    fixed = ZERO * sum(coordinates) + ZERO * (_REACH + 1) * index.dim
    sums = memoryview(index.sums).cast("i")
    squares = memoryview(index.squares).cast("I")
    return [
        (total - fixed - (_REACH + 1) * row) / (length * sqrt(square or 1))
        for total, row, square in zip(totals, sums, squares, strict=True)
    ]


def _products(columns: bytes, count: int, coordinates: list[int]) -> list[int]:
    """The product sum of each row with the query, both counting from zero."""
    # Vectors of more than 256 coordinates, which other models make, need wider lanes.
    width = 4 if len(coordinates) <= _NARROW else 8
    first = 0 if sys.byteorder == "little" else width - 1
    total, at = 0, 0
    lanes = bytearray(width * count)
    for value in coordinates:
        lanes[first::width] = columns[at : at + count]
        total += value * int.from_bytes(lanes, sys.byteorder)
        at += count
    packed = total.to_bytes(width * count, sys.byteorder)
    return memoryview(packed).cast("I" if width == 4 else "Q").tolist()
