"""Which situations a statement matters in, in the words of somebody who is in one.

A statement gets the situations (`embed.situations`) that are nearest to it by meaning,
both by what they are about and by what is said there, and that have words in common
with it; of each it gets the phrase that is nearest. Its own words would add nothing:
what finds a rule are the words that it lacks.
"""

from collections.abc import Sequence
from functools import lru_cache

from git_intent.embed import situations as known
from git_intent.embed.keywords import prepare
from git_intent.embed.model import Model
from git_intent.embed.nearest import Nearest, middle, whole
from git_intent.embed.pool import Pool
from git_intent.embed.shares import Coverage


class Situations:
    """The situations with their vectors; made once a process."""

    def __init__(self, listed: Sequence[known.Situation], model: Model) -> None:
        self._pool = Pool(model)
        self._phrases = [one.phrases for one in listed]
        self._said = [whole(self._pool.vectors(said)) for said in self._phrases]
        about = self._pool.vectors([one.about for one in listed])
        self._nearest = Nearest(middle(self._said), about)
        self._words = Coverage(prepare([one.text] for one in listed))

    def nearest(self, texts: Sequence[str], count: int) -> list[list[str]]:
        """For each text a phrase of each situation that fits, the best one first.

        None if no word of it is known.
        """
        vectors = whole(self._pool.vectors(texts))
        best = self._nearest.best(vectors, count, self._words.shares(texts))
        return [
            [
                self._phrases[n][(self._said[n] @ vector).argmax()]
                for n in (numbers if vector.any() else ())
            ]
            for numbers, vector in zip(best, vectors, strict=True)
        ]


@lru_cache(maxsize=1)
def situations() -> Situations:
    """Those of the package with the bundled model."""
    return Situations(known.situations(), Model.open())
