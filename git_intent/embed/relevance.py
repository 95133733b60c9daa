"""How much each requirement bears on a task: one calibrated number.

What is compared is prepared once (`prepare`): the index of vectors, where the text of a
requirement has its domains before it, the words for BM25, and which rows share a
domain. A hint that is one of the known `situations` stands for all that is said there.
A task then gets, for each requirement,

    raw     = cosine + 0.3 x share of the task's terms (BM25, 0 to 1)
    near    = raw + 0.6 x mean raw of the requirement's domains
    clear   = near's place among the store's own scores: above the mean, in standard
              deviations; the mean and deviation lean on those of an ordinary store,
              so that a store of three requirements is judged as well
    margin  = clear - 0.3 x the best clear + 0.135 x the best near
              - 0.45 x ln(requirements / 35)
    score   = margin, less the margin that is asked for, bent to lie between 0 and 1

`near` counts in units of the model's own floor, the least cosine that means something
with it: everything else has no unit, so that only a model whose floor was measured can
be used. A score of `FLOOR` is what a requirement needs to be worth its line; a task
that has nothing to do with the store gives none, because its best is low, or, in a big
store, because the best of many must stand out further. There is no top-k.

Without a cosine (the keyword adapter) the number is the evidence of words, bent the
same way.

The constants were chosen on labelled tasks of 15 projects; `benchmarks/retrieval.py`
measures what they are worth. All sums are exact or correctly rounded, and scores have
four decimals, so that a store and a task have the same scores on every machine. This
module is light enough for hot paths.
"""

from math import fsum, sqrt

from git_intent.embed.keywords import Words, log_of
from git_intent.embed.keywords import prepare as prepare_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from git_intent.embed.index_file import Index

    class Item(Protocol):
        """What is asked of a requirement; `texts` has the words, then each hint."""

        @property
        def id(self) -> str: ...
        @property
        def texts(self) -> Sequence[str]: ...
        @property
        def domains(self) -> Sequence[str]: ...


FLOOR, STRICT = 0.5, 0.85
DECIMALS = 4

_WORDS, _DOMAIN = 0.3, 0.6
_LEAN, _MEAN, _SPREAD, _GRAIN = 12, 0.74, 0.444, 0.37
_BEST, _TOP, _SIZE = 0.3, 0.135, 0.45
_ORDINARY = 35
_ASKED = 0.58
#: The evidence of words that counts as much as a task's own requirement.
_EVIDENCE = 0.34


class Scored:
    """The number that counts, and what it was made of; no cosine without a model."""

    __slots__ = ("cosine", "keyword", "score")

    def __init__(self, score: float, cosine: float | None, keyword: float) -> None:
        self.score, self.cosine, self.keyword = score, cosine, keyword

    def __repr__(self) -> str:
        return f"Scored({self.score}, {self.cosine}, {self.keyword})"


class Prepared:
    """A store made ready for tasks; rows are in the order of `ids`, which is sorted.

    `groups` has the rows of each domain. `index` is None where words alone count.
    """

    __slots__ = ("groups", "ids", "index", "words")

    def __init__(
        self,
        ids: list[str],
        words: Words,
        groups: list[list[int]],
        index: "Index | None" = None,
    ) -> None:
        self.ids, self.words, self.groups, self.index = ids, words, groups, index


def prepare(items: "Sequence[Item]", meaning: bool = True) -> Prepared:
    """Without an index yet; `meaning` says whether there will be one."""
    ordered = _ordered(items)
    groups: dict[str, list[int]] = {}
    for row, item in enumerate(ordered):
        for domain in dict.fromkeys(item.domains):
            groups.setdefault(domain, []).append(row)
    return Prepared(
        [item.id for item in ordered],
        words_of(items, meaning),
        [groups[domain] for domain in sorted(groups)],
    )


def words_of(items: "Sequence[Item]", meaning: bool) -> Words:
    """The words for BM25. Where they alone count, hints do not stand for more than they
    say: any task has words in common with some situation."""
    from git_intent.embed.situations import worded

    return prepare_words(
        [*item.texts[:1], *(map(worded, item.texts[1:]) if meaning else item.texts[1:])]
        for item in _ordered(items)
    )


def _ordered(items: "Sequence[Item]") -> "list[Item]":
    return sorted(items, key=lambda item: item.id)


def embedded(items: "Sequence[Item]") -> dict[str, list[str]]:
    """The texts of each requirement that become its row of the index."""
    return {item.id: _with_domains(item) for item in items}


def _with_domains(item: "Item") -> list[str]:
    from git_intent.embed.situations import widened

    texts = [*item.texts[:1], *map(widened, item.texts[1:])]
    if item.domains and texts:
        names = ", ".join(domain.replace("-", " ") for domain in item.domains)
        texts[0] = f"{names}: {texts[0]}"
    return texts


def by_meaning(
    cosines: list[float],
    shares: list[float],
    prepared: Prepared,
    unit: float,
    least: float = 0.0,
) -> list[float]:
    """The scores of the rows; `unit` is the model's floor. Scores below `least` may be
    given as 0, which is quicker."""
    raw = [c + _WORDS * share for c, share in zip(cosines, shares, strict=True)]
    near = _shared(raw, prepared.groups, unit)
    if not near:
        return []
    best, count = max(near), len(near)
    mean = (fsum(near) + _LEAN * _MEAN) / (count + _LEAN)
    off = fsum([(value - mean) * (value - mean) for value in near])
    prior = _LEAN * (_SPREAD * _SPREAD + (_MEAN - mean) * (_MEAN - mean))
    spread = sqrt((off + prior) / (count + _LEAN)) + _GRAIN
    asked = (
        _ASKED
        + _BEST * (best - mean) / spread
        - _TOP * best
        + _SIZE * (log_of(count) - log_of(_ORDINARY))
    )
    # A little below, so that rounding takes nothing away.
    low = max(0.0, mean + (asked + _straight(least) - 0.01) * spread)
    return [
        _bent((value - mean) / spread - asked) if value > low else 0.0 for value in near
    ]


def _shared(raw: list[float], groups: list[list[int]], unit: float) -> list[float]:
    """Each value with a share of its domains' mean, in units: rules have families."""
    total, count = [0.0] * len(raw), [0] * len(raw)
    for rows in groups:
        mean = fsum([raw[row] for row in rows]) / len(rows)
        for row in rows:
            total[row] += mean
            count[row] += 1
    return [
        (own + _DOMAIN * (sum_ / times if times else own)) / unit
        for own, sum_, times in zip(raw, total, count, strict=True)
    ]


def by_words(evidence: list[float]) -> list[float]:
    """The scores of the rows where there is no cosine."""
    return [round(value / (value + _EVIDENCE), DECIMALS) for value in evidence]


def _straight(score: float) -> float:
    """The margin of a score; far below all margins for none."""
    bent = 2 * score - 1
    return bent / sqrt(1 - bent * bent) if -1 < bent < 1 else bent * 1000


def _bent(margin: float) -> float:
    return round(0.5 + 0.5 * margin / sqrt(1 + margin * margin), DECIMALS)
