"""The vectors of many texts at once, to the last bit those of the lean reader.

A vector is the sum of the rows of a text's tokens, exact in integers, divided by its
length in doubles.
"""

from collections.abc import Sequence
from typing import Any

import numpy
import numpy.typing

from git_intent.embed.errors import ModelError
from git_intent.embed.model import Model

Vectors = numpy.typing.NDArray[numpy.float64]


class Pool:
    """A model whose weights are in memory: a quarter of the lean reader's time."""

    def __init__(self, model: Model) -> None:
        self._model = model
        shape = model.rows, model.dim
        data = numpy.fromfile(
            f"{model.folder}/model.safetensors",
            dtype=numpy.int8,
            count=model.rows * model.dim,
            offset=model.offset,
        )
        if data.size != model.rows * model.dim:
            raise ModelError(f"{model.folder}: the weights are cut off")
        self._weights = data.reshape(shape)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row for each text; zeros if no token of it is known."""
        return pooled(self._weights, [self._model.tokens(text) for text in texts])


def pooled(weights: Any, batch: Sequence[Sequence[int]]) -> Vectors:
    """The vectors of texts whose tokens are known."""
    sums = numpy.zeros((len(batch), weights.shape[1]))
    for total, tokens in zip(sums, batch, strict=True):
        if tokens:  # 32 bits hold the sum of any text's rows, doubles that of squares
            total[:] = weights.take(tokens, axis=0).sum(axis=0, dtype=numpy.int32)
    lengths = numpy.sqrt((sums * sums).sum(axis=1, keepdims=True))
    return sums / numpy.where(lengths, lengths, 1.0)
