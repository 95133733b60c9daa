"""Which of many vectors are close to one another: every pair at or above a floor."""

from collections.abc import Iterator, Sequence

_BLOCK = 1024


def neighbours(
    vectors: Sequence[Sequence[float]], floor: float
) -> Iterator[tuple[int, int, float]]:
    """(i, j, cosine) with i < j, in order; `vectors` are of unit length, or zeros.

    Memory is a block of 1,024 rows times the number of vectors.
    """
    if len(vectors) < 2:
        return
    import numpy

    matrix = numpy.asarray(vectors, dtype=numpy.float32)
    for start in range(0, len(matrix), _BLOCK):
        scores = matrix[start : start + _BLOCK] @ matrix[start:].T
        rows, columns = numpy.nonzero(scores >= floor)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            if row < column:
                yield start + row, start + column, float(scores[row, column])
