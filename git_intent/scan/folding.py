"""Text folded as `re.IGNORECASE` folds it, for looking a word up before a pattern runs.

Most texts hold none of the words that a pattern needs, and `word in text` costs a tenth
of the search. Lower case alone would miss four letters that IGNORECASE takes for ASCII.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_

_LIKE_ASCII = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")


def folded(text: str) -> str:
    """`text` in lower case; each character that matches an ASCII letter as that."""
    return text.lower() if text.isascii() else text.translate(_LIKE_ASCII).lower()


class Marks(dict[str, int]):
    """For each word, as white space parts them, the bits that `mark` gives it.

    Remembered, since a few thousand words are most of what anybody writes; bounded, so
    that no document can fill memory.
    """

    limit = 20_000
    longest = 60

    def __init__(self, mark: Callable[[str], int]) -> None:
        self._mark = mark

    def __missing__(self, word: str) -> int:
        bits = self._mark(word)
        if len(word) <= self.longest:
            if len(self) >= self.limit:
                self.clear()
            self[word] = bits
        return bits

    def of(self, text: str) -> int:
        """The bits of all words of the text."""
        return reduce(or_, map(self.__getitem__, text.split()), 0)


def holding(groups: Sequence[tuple[str, ...]]) -> Marks:
    """Tells which of the groups has a word that stands in a folded text: bit n for n.

    None of the groups' words may hold white space.
    """
    words = {word for group in groups for word in group}
    any_of = re.compile("|".join(map(re.escape, sorted(words))))

    def mark(word: str) -> int:
        # nearly every word holds none, which one search tells
        if not any_of.search(word):
            return 0
        return bits_of(holds(word, group) for group in groups)

    return Marks(mark)


def bits_of(flags: Iterable[bool]) -> int:
    """Bit n is set if the n-th of the flags is."""
    return sum(1 << n for n, flag in enumerate(flags) if flag)


def holds(text: str, words: tuple[str, ...]) -> bool:
    """Whether any of the words, in lower case, stands in the folded text."""
    return any(map(text.__contains__, words))
