"""Situations in which rules matter, and how people say that they are in one.

`situations.txt` has a line for each: what it is about, in the words that its rules are
made of. Indented below it stand phrases that somebody would type who is about to need
them. No phrase stands twice.

A hint that is one of the phrases stands for its situation when requirements are
compared with tasks: it reads well, but few tasks have its very words, and many have
words of its situation. By meaning it has all of them (`widened`), by words only those
that few situations have (`worded`): the others tell nothing apart, and cost most.
"""

import os
from functools import lru_cache

from git_intent.embed.terms import terms

_LIST = __file__.rpartition(os.sep)[0] + "/situations.txt"
_INDENT = "  "
_FEW = 8


class Situation:
    """Immutable by agreement."""

    __slots__ = ("about", "phrases")

    def __init__(self, about: str, phrases: tuple[str, ...]) -> None:
        self.about, self.phrases = about, phrases

    @property
    def text(self) -> str:
        return ", ".join([self.about, *self.phrases])


@lru_cache(maxsize=1)
def situations() -> tuple[Situation, ...]:
    """Those of the package, in the order of the file."""
    with open(_LIST, encoding="utf-8") as file:
        return tuple(parse(file.read()))


def parse(text: str) -> list[Situation]:
    """The situations of a text of that form."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith(_INDENT):
            found[-1][1].append(line.strip())
        else:
            found.append((line, []))
    return [Situation(about, tuple(phrases)) for about, phrases in found]


def widened(hint: str) -> str:
    """The hint with its situation, if it has one."""
    situation = _by_phrase().get(hint)
    return f"{hint}, {situation.text}" if situation else hint


def worded(hint: str) -> str:
    """The hint with the words of its situation that few have, if it has one."""
    situation = _by_phrase().get(hint)
    return f"{hint} {_rare()[situation]}" if situation else hint


@lru_cache(maxsize=1)
def _by_phrase() -> dict[str, Situation]:
    return {phrase: one for one in situations() for phrase in one.phrases}


@lru_cache(maxsize=1)
def _rare() -> dict[Situation, str]:
    holders: dict[str, int] = {}
    for one in situations():
        for term in set(terms(one.text)):
            holders[term] = holders.get(term, 0) + 1

    def rare(word: str) -> bool:
        found = terms(word)
        return bool(found) and max(holders[term] for term in found) <= _FEW

    return {
        one: " ".join(filter(rare, one.text.replace(",", " ").split()))
        for one in situations()
    }
