"""How the words of a statement are spelt, as numbers: hashed n-grams of their letters.

The features of `scan.features` know whole words. Letters also tell what a word that was
never met is like: `mustn't` and `must`, `deprecating` and `deprecated`, `test_utils.py`
and `test_foo.py`. Where a statement stands is not looked at here.

Every n-gram is a bucket in a table of 2**17 weights. The score of a text is SCALE over
the root of its number of n-grams, times the sum of their weights; so a word always adds
the same sum, and is looked up once.
"""

from dataclasses import dataclass, field
from math import sqrt
from zlib import crc32

BITS = 17
VERSION = 1  # changes with every change of what is computed here
SCALE = 6.0
_MASK = (1 << BITS) - 1
_SIZES = range(2, 6)  # bytes of an n-gram
_READ = 500  # characters of a statement that are looked at
_LONGEST = 40  # characters of a word
_KNOWN = 60_000

Block = tuple[float, list[int]]  # the scale and the buckets that share it


def describe(text: str) -> Block:
    """The buckets of a text, with what their weights are multiplied by."""
    found = [bucket for word in _words(text) for bucket in _buckets(word)]
    return _scale(len(found)), found


@dataclass(frozen=True, slots=True)
class Spelling:
    """A logistic regression over the letters of a text."""

    weights: list[float]
    bias: float
    # The sum and the number of each word met; bounded, so no document can fill memory.
    known: dict[str, tuple[float, int]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def logit(self, text: str) -> float:
        total, count = 0.0, 0
        for word in _words(text):
            its_sum, its_count = self.known.get(word) or self._learn(word)
            total += its_sum
            count += its_count
        return self.bias + _scale(count) * total

    def _learn(self, word: str) -> tuple[float, int]:
        if len(self.known) >= _KNOWN:
            self.known.clear()
        buckets = _buckets(word)
        found = sum(map(self.weights.__getitem__, buckets)), len(buckets)
        self.known[word] = found
        return found


def _words(text: str) -> list[str]:
    return [word[:_LONGEST] for word in text[:_READ].lower().split()]


def _buckets(word: str) -> list[int]:
    edged = f" {word} ".encode("utf-8", "surrogatepass")
    return [
        crc32(edged[at : at + size]) & _MASK
        for size in _SIZES
        for at in range(len(edged) - size + 1)
    ]


def _scale(count: int) -> float:
    return SCALE / sqrt(count or 1)
