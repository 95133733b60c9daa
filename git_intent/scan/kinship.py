"""Pairs of requirements that say the same, or the opposite: for a person to look at.

Pure, and looser than the reconciler (`scan.sameness`), as nothing is done about a pair
but to show it. Only active requirements whose scopes overlap make one. What is close in
meaning is compared word by word: equal but for a negation, a number, the direction of
an "instead of", or one word against its opposite, is a contradiction; what agrees in
all of these and is close enough is a duplicate.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from git_intent.scan.overlap import overlap
from git_intent.scan.sameness import Likeness, Shape, likeness, shape, stem
from git_intent.store.requirement import Requirement, Status

#: Pairs less alike than this (cosine of the statements) are not compared at all.
FLOOR = 0.55
#: From here on two statements that agree in all that is guarded are taken for one.
_ALIKE = 0.88
#: How much of their words two statements share that differ in one thing.
_SHARED = 0.6

_OPPOSITES = tuple(
    tuple(frozenset(map(stem, side.split("|"))) for side in line.split(" / "))
    for line in """\
tabs|tab / spaces|space
add / remove
allow|permit / forbid|prohibit|disallow|ban|reject
enable / disable
public / private
sync|synchronous / async|asynchronous
snake_case / camelcase
single / double
rebase|rebasing / merge|merging
squash / merge|merging
first / last
minor / major
short / long
singular / plural
absolute / relative
manual / automatic
local / remote
ascending / descending
uppercase / lowercase
include / exclude
optional / required
mutable / immutable
static / dynamic
present / past
imperative / past
imperative / indicative""".splitlines()
)
#: How a statement begins that chooses one thing among several.
_CHOOSES = frozenset(("use", "prefer", "choose", "pick"))


_WORD = re.compile(r"[\w-]+")


class Kinship(StrEnum):
    DUPLICATE = "duplicate"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two requirements, the older id first, what they are to each other, and why."""

    first: str
    second: str
    kinship: Kinship
    why: str


@dataclass(frozen=True, slots=True)
class _Told:
    """A requirement with the shape of its statement, and its words by their stems."""

    requirement: Requirement
    shape: Shape
    said: Mapping[str, str]

    @classmethod
    def of(cls, requirement: Requirement) -> "_Told":
        text = requirement.statement
        said = {stem(word.casefold()): word for word in _WORD.findall(text)}
        return cls(requirement, shape(text), said)

    def quoted(self, stems: Iterable[str]) -> str:
        return ", ".join(f"“{self.said.get(s, s)}”" for s in sorted(stems))


def pairs(
    requirements: Mapping[str, Requirement], near: Iterable[tuple[str, str, float]]
) -> list[Pair]:
    """What is worth showing among the pairs that a model finds `near`.

    `near` holds ids and the cosine of their statements; statements of the same words
    are compared whatever it says. The result is in the order of the ids, contradictions
    before duplicates.
    """
    told = {
        name: _Told.of(one)
        for name, one in requirements.items()
        if one.status is Status.ACTIVE
    }
    scores = dict.fromkeys(_same_bags(told), 0.0)
    for one, other, score in near:
        if one in told and other in told:
            scores[min(one, other), max(one, other)] = score
    found = []
    for (one, other), score in scores.items():
        a, b = told[one], told[other]
        if overlap(a.requirement.scope, b.requirement.scope):
            kin = _kin(a, b, score)
            if kin:
                found.append(Pair(one, other, *kin))
    return sorted(found, key=lambda p: (p.kinship, p.first, p.second))


def _same_bags(told: Mapping[str, _Told]) -> Iterator[tuple[str, str]]:
    groups: dict[frozenset[str], list[str]] = {}
    for name in sorted(told):
        groups.setdefault(told[name].shape.bag, []).append(name)
    for bag, names in groups.items():
        if bag:
            yield from combinations(names, 2)


def _kin(one: _Told, other: _Told, score: float) -> tuple[Kinship, str] | None:
    why = _contradiction(one, other)
    if why:
        return Kinship.CONTRADICTION, why
    a, b = one.shape, other.shape
    like = likeness(a, b)
    if like is Likeness.SAME or (like is Likeness.CLOSE and score >= _ALIKE):
        return Kinship.DUPLICATE, "the same in other words"
    agree = (a.numbers, a.negations, a.identifiers) == (
        b.numbers,
        b.negations,
        b.identifiers,
    )
    if agree and score >= _ALIKE and _share(a.bag, b.bag) >= _SHARED:
        return Kinship.DUPLICATE, f"nearly the same, alike by {score:.2f}"
    return None


def _contradiction(one: _Told, other: _Told) -> str:
    """Why two statements about one thing cannot both be followed, or nothing."""
    a, b = one.shape, other.shape
    if a.negations % 2 != b.negations % 2 and _about_one_thing(a, b):
        if a.numbers == b.numbers:
            return "one asks for what the other forbids"
        return ""
    if a.negations != b.negations:
        return ""
    if a.numbers and b.numbers and a.numbers != b.numbers:
        numbers = {*a.numbers, *b.numbers}
        if _same_words(a.bag - numbers, b.bag - numbers):
            return f"{', '.join(a.numbers)} here, {', '.join(b.numbers)} there"
        return ""
    turned = {"instead", "rather", "over", "than"} & {*a.words, *a.conditions}
    if turned and a.bag == b.bag and a.words != b.words:
        return "each asks for the other way round"
    return _differ(one, other, _opposite(a, b) or _other_choice(a, b))


def _differ(one: _Told, other: _Told, words: tuple[str, str] | None) -> str:
    if words is None:
        return ""
    return f"{one.quoted(words[:1])} here, {other.quoted(words[1:])} there"


def _opposite(a: Shape, b: Shape) -> tuple[str, str] | None:
    """A word and its opposite, where little else differs."""
    shared, mine, theirs = a.bag & b.bag, a.bag - b.bag, b.bag - a.bag
    few = sorted((len(mine), len(theirs))) in ([1, 1], [1, 2])
    if not few or not shared or a.conditions != b.conditions:
        return None
    for left, right in _OPPOSITES:
        for here, there in ((left, right), (right, left)):
            if mine & here and theirs & there:
                return min(mine & here), min(theirs & there)
    return None


def _other_choice(a: Shape, b: Shape) -> tuple[str, str] | None:
    """ "Use X for tests" and "use Y for tests"; "use X for docs" is another matter."""
    mine, theirs = a.bag - b.bag, b.bag - a.bag
    if len(mine) != 1 or len(theirs) != 1 or a.conditions != b.conditions:
        return None
    if not a.words or a.words[0] not in _CHOOSES or len(a.bag & b.bag) < 2:
        return None
    chosen = min(mine), min(theirs)
    return chosen if (a.words[1], b.words[1]) == chosen else None


def _about_one_thing(a: Shape, b: Shape) -> bool:
    """The same words, or those of the one are all among the other's but for a few.

    A condition on one side alone makes an exception of it, not a contradiction.
    """
    if a.conditions != b.conditions:
        return False
    return _same_words(a.bag, b.bag)


def _same_words(a: frozenset[str], b: frozenset[str]) -> bool:
    return len(a & b) >= 2 and _share(a, b) >= 0.75


def _share(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0
