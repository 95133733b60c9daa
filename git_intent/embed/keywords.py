"""BM25 over the texts of requirements, exact and prepared.

A requirement is one document: statement with rationale, and all hints. What a query and
a document have in common is told in two ways: as a share of what a document that holds
every term of the query endlessly would get (added to a cosine), and as evidence, which
does not shrink with the length of the query (where there is no cosine). A store of few
texts says little about rarity: it counts as one of `LEAST`.

`Words` is what a hot path keeps: for each term its rarity and where it stands, as
integers. All arithmetic up to the last division is on integers, so a score is the same
everywhere.

    postings    term -> 4 bytes x documents with it, unsigned, the machine's byte order:
                document x 4096 + weight, the weight being 4095 times the share of the
                most that a term can give
"""

from git_intent.embed.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

K1, B = 1.2, 0.6
LEAST = 20
BITS = 12
SHARE, SHIFT = (1 << BITS) - 1, 1 << BITS
_RARITY = 1024
_CHANCE = 0.1


class Words:
    """The terms of some documents; immutable by agreement."""

    __slots__ = ("count", "postings")

    def __init__(self, count: int, postings: dict[str, bytes]) -> None:
        self.count, self.postings = count, postings

    def covered(self, query: str) -> "Covered":
        """How much of `query` each document has."""
        totals, most = [0] * self.count, 0
        for term in set(terms(query)):
            found = self.postings.get(term, b"")
            rarity = rarity_of(len(found) // 4, self.count)
            most += rarity
            for entry in memoryview(found).cast("I"):
                totals[entry >> BITS] += rarity * (entry & SHARE)
        return Covered(totals, most)


class Covered:
    """What a query has in common with each document, in the documents' order."""

    __slots__ = ("_most", "_totals")

    def __init__(self, totals: list[int], most: int) -> None:
        self._totals, self._most = totals, most

    def shares(self) -> list[float]:
        """Of the query, from 0 to 1: long tasks have low shares."""
        whole = self._most * SHARE or 1
        return [total / whole for total in self._totals]

    def evidence(self) -> list[float]:
        """Whatever else the query says: 1 is two terms or three that no other document
        of a small store has; more in a big one, where any query finds something."""
        size = log_of(len(self._totals))
        whole = _RARITY * SHARE * size * (1 + _CHANCE * (size - log_of(LEAST)))
        return [total / whole for total in self._totals]


def log_of(count: int) -> float:
    """The logarithm of a store's size, where a small one counts as `LEAST`."""
    from math import log

    # Far above the last bit, which not all machines agree on.
    return round(log(max(count, LEAST)), 6)


def rarity_of(holders: int, count: int) -> int:
    """The inverse document frequency of a term that `holders` documents have."""
    from math import log

    rest = max(count, LEAST) - holders
    # Rounded for the same reason.
    return round(_RARITY * log(1 + (rest + 0.5) / (holders + 0.5)))


def prepare(documents: "Iterable[Sequence[str]]") -> Words:
    """The words of documents, each given as its texts."""
    known: dict[str, list[str]] = {}
    hints: dict[str, dict[str, int]] = {}
    counts = [_counted(texts, known, hints) for texts in documents]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
    found: dict[str, list[int]] = {}
    for place, count in enumerate(counts):
        norm = K1 * (1 - B + B * lengths[place] / mean)
        entry_of = {
            times: place * SHIFT + round(SHARE * times / (times + norm))
            for times in set(count.values())
        }
        for term, times in count.items():
            found.setdefault(term, []).append(entry_of[times])
    from array import array

    postings = {term: array("I", found[term]).tobytes() for term in sorted(found)}
    return Words(len(counts), postings)


def _counted(
    texts: "Sequence[str]",
    known: dict[str, list[str]],
    hints: dict[str, dict[str, int]],
) -> dict[str, int]:
    """How often a document has each term. `hints` remembers all texts but the first:
    many documents have them in common."""
    total: dict[str, int] = {}
    for place, text in enumerate(texts):
        count = hints.get(text) if place else None
        if count is None:
            count = {}
            for term in terms(text, known):
                count[term] = count.get(term, 0) + 1
            if place:
                hints[text] = count
        for term, times in count.items():
            total[term] = total.get(term, 0) + times
    return total
