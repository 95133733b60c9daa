"""Who made a commit: a scan, an agent or a person.

A scan's commit bears the trailer `Intent-Scan:`; an agent's has an author or a
`Co-authored-by:` that matches a pattern of `intent.git.agentAuthors`; any other is a
person's. It is a claim, not a proof, so reports print the reason with it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from git_intent.store.rules import Actor

#: What a scan sets for the hooks that see its commit: the name of the run.
SCAN_VARIABLE = "GIT_INTENT_SCAN"

_SCAN = re.compile(r"^Intent-Scan:[ \t]*(\S+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_WITH = re.compile(
    r"^Co-authored-by:[ \t]*(\S.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_NAMED = re.compile(r"(.*?)[ \t]*<([^<>]*)>")


@dataclass(frozen=True, slots=True)
class Maker:
    """The actor of a commit and why; `run` is the scan's, if a scan made it."""

    actor: Actor
    reason: str
    run: str = ""


def maker(message: str, author: str, email: str, patterns: Iterable[str]) -> Maker:
    """Judge a commit by its message and its author; `patterns` name agents."""
    *above, last = re.split(r"\n[ \t]*\n", message.strip())
    if not above:
        last = ""  # a subject alone has no trailers
    scan = _SCAN.search(last)
    if scan:
        return Maker(
            Actor.AGENT, f"the trailer Intent-Scan names run {scan[1]}", scan[1]
        )
    for name, address in ((author, email), *_co_authors(last)):
        for pattern in patterns:
            if _matches(pattern, name, address):
                said = f"{name} <{address}>"
                return Maker(Actor.AGENT, f"{said} matches {pattern!r} in agentAuthors")
    return Maker(Actor.PERSON, "no trailer and no pattern in agentAuthors says agent")


def _co_authors(trailers: str) -> Iterator[tuple[str, str]]:
    for found in _WITH.findall(trailers):
        named = _NAMED.fullmatch(found)
        yield (named[1], named[2]) if named else (found, "")


def _matches(pattern: str, name: str, email: str) -> bool:
    """A pattern is for a whole name, a whole address, or both as git prints them.

    Brackets are no class of characters: hosts put them into the names of their bots.
    """
    wanted = pattern.casefold().replace("[", "[[]")
    texts = (name, email, f"{name} <{email}>")
    return any(fnmatchcase(text.casefold(), wanted) for text in texts)
