"""Thousands of texts at once, through model2vec; for the scan and for building indexes.

model2vec loads and tokenises; the rows are summed here, exactly, so that a text has the
same vector to the last bit whether it came through here or through the lean reader.
Only a folder that exists is ever handed to model2vec: it takes any other path for the
name of a model on the hub and goes looking for it. Nothing here uses the network.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from git_intent.embed.errors import ModelError
from git_intent.embed.model import BUNDLED, stat_files

BATCH = 1024


def encode(texts: Sequence[str], folder: str | Path = BUNDLED) -> list[list[float]]:
    """The unit vector of each text, or zeros if no token of it is known.

    Raises ModelError if `folder` does not hold a model2vec model.
    """
    if not texts:
        return []
    import numpy

    try:
        signature = stat_files(str(folder))[1]
    except OSError as error:
        raise ModelError(
            f"{error.filename}: {error.strerror}",
            "name the local folder of a model2vec model; nothing is downloaded",
        ) from error
    model = _load(str(folder), signature)
    vectors: list[list[float]] = []
    for start in range(0, len(texts), BATCH):
        batch = [_cut(text, model) for text in texts[start : start + BATCH]]
        for tokens in model.tokenize(batch):
            sums = model.embedding[tokens].sum(axis=0, dtype=numpy.int64)
            length = numpy.sqrt(float((sums * sums).sum()))
            vectors.append((sums / length if length else sums * 0.0).tolist())
    return vectors


@lru_cache(maxsize=1)
def _load(folder: str, signature: str) -> Any:
    """The model; loaded anew once `signature` says that its files changed."""
    from model2vec import StaticModel

    try:
        model = StaticModel.from_pretrained(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder}: not a readable model ({error})") from error
    if model.embedding.dtype != "int8" or model.weights is not None:
        raise ModelError(f"{folder}: not an int8 model without token weights")
    return model


def _cut(text: str, model: Any) -> str:
    """What model2vec reads of a text, without halves of surrogate pairs."""
    cut = text[: model.max_length * model.median_token_length]
    return cut.encode("utf-8", "ignore").decode("utf-8")
