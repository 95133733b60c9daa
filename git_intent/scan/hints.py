"""Retrieval hints: phrases a developer would use who needs the requirement.

Hints are embedded and never shown. One is made of the statement: the question that it
answers, its condition, or the place it stands in. The others say what a developer is
about to do when it matters (`scan.situations`).
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from git_intent.scan.compose import VERBS, clean
from git_intent.scan.folding import folded, holds
from git_intent.store.requirement_file import normalise

LIMIT = 5
_SITUATIONS = 4
_WORD = re.compile(r"[A-Za-z][\w'-]*(?:[./][\w-]+)*")
_END = r"(?:[.;,!?](?:\s|$)|\s?\(|$)"
_ASKED = r"^(?:please\s+|(?:you|we)\s+)?"
_PROHIBITION = re.compile(
    rf"{_ASKED}(?:do not|don't|never|must not|should not|cannot|may not)\s+(.{{3,80}}?)"
    rf"{_END}",
    re.I,
)
_UNWANTED = re.compile(rf"{_ASKED}(?:avoid|no)\s+(.{{3,80}}?){_END}", re.I)
_ORDER = re.compile(
    rf"{_ASKED}(?:(?:always|must|should|need to|have to)\s+)?"
    rf"((?:{VERBS})\s.{{3,70}}?){_END}",
    re.I,
)
_SUBJECT = re.compile(
    r"^(?!(?:after|as|at|before|by|during|for|from|if|in|on|once|to|unless|when|while"
    r"|with|without|you|we|it|they|this|these|there)\b)"
    r"((?:[^,;:.!?]|[.!?](?!\s)){3,50}?)\s+(?:must|should|shall|may|can|need)\b",
    re.I,
)
_CONDITION = re.compile(r"\b((?:when|before|after|if)\s.{4,60}?)(?:[.,;:(]|$)", re.I)
_CONDITIONS = ("when", "before", "after", "if")
#: Lower case without markup, list mark or closing sign: `normalise` keeps it as it is.
_PLAIN = re.compile(r"[a-z](?:[a-z0-9,;:.'/()&-]| (?! ))*(?<=[a-z0-9])")
_STOP = frozenset(
    "the a an and or of to in for on with is are be as by it this that these those "
    "from not no we you your our must should shall never always do don't use when "
    "before after only each all any can may will its than into if unless there here "
    "they them their have has make sure please so at more most other such also".split()
)


def hints(statement: str, headings: tuple[str, ...]) -> tuple[str, ...]:
    """2 to 5 distinct hints, none of them equal to the statement."""
    return hints_of_all([(statement, headings)])[0]


def hints_of_all(
    places: Sequence[tuple[str, tuple[str, ...]]],
) -> list[tuple[str, ...]]:
    """The hints of each statement under its headings.

    One by one they would take four times as long.
    """
    from git_intent.scan.situations import situations  # numpy and the model

    texts = [": ".join([*headings[-2:], said]) for said, headings in places]
    return [
        _distinct(_own(said, headings), near, said)
        for (said, headings), near in zip(
            places, situations().nearest(texts, _SITUATIONS), strict=True
        )
    ]


def _own(statement: str, headings: tuple[str, ...]) -> str:
    """The hint that is made of the statement or its place; it may be empty."""
    path = _place(headings[-2:])
    return _question(statement) or _condition(statement) or " ".join(path)


@lru_cache(maxsize=256)
def _place(headings: tuple[str, ...]) -> tuple[str, ...]:
    """The headings in plain words; the statements below them share the answer."""
    return tuple(said for h in headings if (said := clean(h).lower()))


def _question(statement: str) -> str:
    """The question that somebody asks whom the statement answers."""
    if banned := _PROHIBITION.match(statement):
        return f"is it ok to {banned[1].lower().strip()}"
    if unwanted := _UNWANTED.match(statement):
        return f"what about {unwanted[1].lower().strip()}"
    if subject := _SUBJECT.match(statement):
        return f"what must {subject[1].lower().strip()} do"
    if order := _ORDER.match(statement):
        return f"how should I {order[1][:1].lower()}{order[1][1:].strip()}"
    return ""


def _condition(statement: str) -> str:
    """When the statement applies, if it says so."""
    if not holds(folded(statement), _CONDITIONS):
        return ""
    found = _CONDITION.search(statement)
    return found[1].lower().rstrip(". ") if found else ""


def _keywords(statement: str) -> list[str]:
    """The first words that say what it is about, each once."""
    seen: dict[str, None] = {}
    for match in _WORD.finditer(statement):
        low = match[0].lower()
        if low not in _STOP and len(low) > 2:
            seen.setdefault(low)
            if len(seen) == LIMIT:
                break
    return list(seen)


def _distinct(own: str, near: list[str], statement: str) -> tuple[str, ...]:
    """Each hint once, spare ones only to make two of them."""
    said = normalise(statement)
    kept: dict[str, str] = {}
    for key, hint in (_squeezed(own), *map(_known, near)):
        if key and key != said:
            kept.setdefault(key, hint)
    if len(kept) < 2:
        spare = (" ".join(_keywords(statement)), "project convention", "project rule")
        for key, hint in map(_squeezed, spare):
            if key and key != said and len(kept) < 2:
                kept.setdefault(key, hint)
    return tuple(kept.values())[:LIMIT]


def _squeezed(hint: str) -> tuple[str, str]:
    """By what a hint is told from others, and the hint as it is written."""
    if _PLAIN.fullmatch(hint):
        return hint, hint
    return normalise(hint), " ".join(hint.split())


#: The same for a phrase of the list of situations, which come again and again.
_known = lru_cache(maxsize=1024)(_squeezed)
