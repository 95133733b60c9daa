"""What a developer is about to do when a rule matters: phrases from a fixed list.

`situations.txt` has a line for each kind of rule: what such rules are about, and after
each `|` a way in which people say what they do when they need one. A statement gets the
phrases whose meaning is nearest to its own, each helped by the nearness of its line.
Its own words would add nothing: what finds a rule are the words that it lacks.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from git_intent.embed.model import Model
from git_intent.embed.nearest import Nearest
from git_intent.embed.pool import Pool

_LIST = Path(__file__).with_name("situations.txt")


class Situations:
    """The list with its vectors; made once a process."""

    def __init__(self, text: str, model: Model) -> None:
        self._pool = Pool(model)
        kinds = [line.split(" | ") for line in text.splitlines()]
        pairs = [(phrase, about) for about, *said in kinds for phrase in said]
        self._phrases = [phrase for phrase, _ in pairs]
        vectors = map(self._pool.vectors, zip(*pairs, strict=True))
        self._nearest = Nearest(*vectors)

    def nearest(self, texts: Sequence[str], count: int) -> list[list[str]]:
        """For each text the phrases that fit best, best first.

        None if no word of it is known.
        """
        vectors = self._pool.vectors(texts)
        best = self._nearest.best(vectors, count)
        return [
            [self._phrases[n] for n in numbers] if vector.any() else []
            for numbers, vector in zip(best, vectors, strict=True)
        ]


@lru_cache(maxsize=1)
def situations() -> Situations:
    """The list of the package with the bundled model."""
    return Situations(_LIST.read_text(encoding="utf-8"), Model.open())
