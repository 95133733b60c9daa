"""Many texts at once; for the scan.

Tens of thousands go through model2vec, fewer through the lean reader, which is done
before model2vec is imported. Rows are summed exactly on both ways, so that a text has
the same vector to the last bit whichever it took.

Only a folder that the lean reader has opened is ever handed to model2vec: it takes any
other path for the name of a model on the hub and goes looking for it. Nothing here uses
the network.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from git_intent.embed.model import BUNDLED, Model
from git_intent.embed.wordpiece import UNKNOWN

#: From so many texts on the import of model2vec pays.
MANY = 10_000
BATCH = 1024


def encode(texts: Sequence[str], folder: str | Path = BUNDLED) -> list[list[float]]:
    """The unit vector of each text, or zeros if no token of it is known.

    Raises ModelError if `folder` does not hold a model that is read here.
    """
    if len(texts) < MANY:
        return Model.open(folder).embed_all(list(texts))
    return encode_by_model2vec(texts, folder)


def encode_by_model2vec(
    texts: Sequence[str], folder: str | Path = BUNDLED
) -> list[list[float]]:
    """The same vectors, whatever the number of texts."""
    from git_intent.embed.pool import pooled  # numpy

    lean, model = Model.open(folder), load(str(folder))
    unknown = model.tokenizer.token_to_id(UNKNOWN)
    vectors: list[list[float]] = []
    for start in range(0, len(texts), BATCH):
        # Halves of surrogate pairs would be refused.
        batch = [
            lean.cut(text).encode("utf-8", "ignore").decode("utf-8")
            for text in texts[start : start + BATCH]
        ]
        found = model.tokenizer.encode_batch(batch, add_special_tokens=False)
        tokens = [
            [row for row in encoding.ids[: lean.max_tokens] if row != unknown]
            for encoding in found
        ]
        vectors += pooled(model.embedding, tokens).tolist()
    return vectors


def load(folder: str) -> Any:
    """The `model2vec.StaticModel` in a local folder.

    Raises ModelError if there is none, or none that the lean reader reads as well.
    """
    model = Model.open(folder)
    # Tells by content whether the files fit each other, before they are parsed anew.
    return _load(folder, model.id)


@lru_cache(maxsize=1)
def _load(folder: str, model_id: str) -> Any:
    """The model; loaded anew once its content changed."""
    from model2vec import StaticModel

    return StaticModel.from_pretrained(folder)
