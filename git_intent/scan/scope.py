"""Whom a statement concerns: the whole project, or some domains and paths.

Project-level requirements are put into every prompt, so the level is given sparingly:
to rules about how anybody works here at all. Everything else belongs to a domain of the
project's map, found by topic, by the words of the domain's name and description, or by
the folder that the document lies in.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from git_intent.scan.folding import folded, holds
from git_intent.scan.topics import topic_of
from git_intent.store import globs
from git_intent.store.domains import Domain
from git_intent.store.requirement import Level, Scope

_WORD = re.compile(r"[a-z][a-z0-9]+")
_EVERYWHERE = re.compile(
    r"\b(?:secrets?|credentials?|force[- ]push|without (?:asking|permission|approval)|"
    r"(?:never|do not|don't) (?:push|commit|delete|publish|release)|licen[sc]e|"
    r"code of conduct|ask (?:first|before)|scope of the (?:task|change)|"
    r"destructive|backwards?[- ]compatib\w+|core principles?)\b",
    re.I,
)
#: One of them stands in every match: a text without any need not be searched.
_EVERYWHERE_STEMS = tuple(
    "secret credential force without never not don't licen conduct ask destructive"
    " compatib principle".split()
)
_PRINCIPLES = re.compile(
    r"\b(?:principles?|philosophy|hard rules?|golden rules?|boundaries|non-negotiable|"
    r"always|never|mission|values|before you start|general)\b",
    re.I,
)
_LANGUAGES = {
    "python": "python",
    "golang": "go",
    "go": "go",
    "rust": "rust",
    "typescript": "typescript",
    "javascript": "javascript",
    "java": "java",
    "kotlin": "kotlin",
    "swift": "swift",
    "ruby": "ruby",
    "php": "php",
    "c++": "cpp",
    "c#": "csharp",
    "shell": "shell",
    "bash": "shell",
    "sql": "sql",
    "css": "css",
    "html": "html",
}
# Agents' instruction files, whose folder is what they speak about.
_TO_ALL = re.compile(r"(?:claude|agents|gemini|contribut\w*|style|polic|govern)", re.I)
_FOLDER_DOCUMENTS = re.compile(r"^(?:claude|agents|gemini|readme|contributing)", re.I)


def scope_of(
    statement: str,
    headings: tuple[str, ...],
    path: str,
    domains: Sequence[Domain],
) -> Scope:
    """The narrowest scope that the place and the words of a statement support."""
    paths = _folder(path)
    languages = _languages(headings[-2:])
    names = _domains(statement, headings, domains) or _around(path, tuple(domains))
    if not paths and _for_everybody(statement, headings, bool(names)):
        return Scope(Level.PROJECT, languages=languages)
    if not names:
        return Scope(Level.PROJECT, paths=paths, languages=languages)
    return Scope(Level.DOMAIN, names, paths, languages)


def _for_everybody(statement: str, headings: tuple[str, ...], has_domain: bool) -> bool:
    if holds(folded(statement), _EVERYWHERE_STEMS) and _EVERYWHERE.search(statement):
        return True
    return not has_domain or any(map(_of_principles, headings[-1:]))


@lru_cache(maxsize=256)
def _of_principles(heading: str) -> bool:
    return _PRINCIPLES.search(heading) is not None


def _domains(
    statement: str, headings: tuple[str, ...], domains: Sequence[Domain]
) -> tuple[str, ...]:
    topic = topic_of(headings, statement)
    if topic and topic.name in [domain.name for domain in domains]:
        return (topic.name,)
    place = set(_WORD.findall(" ".join(headings[-2:]).lower()))
    words = place | set(_WORD.findall(statement.lower()))
    best: tuple[int, str] = (0, "")
    for domain in domains:
        own, said = _vocabulary(domain.name, domain.description)
        weight = 4 * (own <= place) + 3 * (own <= words) + len(said & words)
        if weight > best[0]:
            best = (weight, domain.name)
    return (best[1],) if best[0] >= 3 else ()


@lru_cache(maxsize=64)
def _around(path: str, domains: tuple[Domain, ...]) -> tuple[str, ...]:
    """The domain that a document lies in, unless it is one that speaks to everybody."""
    if "/" not in path or path.startswith(".") or _TO_ALL.search(path):
        return ()
    within = (d.name for d in domains if globs.matches(d.paths, path))
    return tuple(within)[:1]


@lru_cache(maxsize=256)
def _vocabulary(name: str, description: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a domain's name, and what its description adds to them."""
    own = frozenset(_WORD.findall(name))
    return own, frozenset(_WORD.findall(description.lower())) - own - _COMMON


@lru_cache(maxsize=64)
def _folder(path: str) -> tuple[str, ...]:
    """`packages/ui/AGENTS.md` speaks about `packages/ui/**`; a root document of all."""
    place = PurePosixPath(path)
    folder = place.parent.as_posix()
    if folder in (".", "") or folder.startswith((".", "docs", "doc/")):
        return ()
    return (f"{folder}/**",) if _FOLDER_DOCUMENTS.match(place.name) else ()


@lru_cache(maxsize=256)
def _languages(headings: tuple[str, ...]) -> tuple[str, ...]:
    for heading in reversed(headings):
        words = re.findall(r"[a-z+#]+", heading.lower())
        found = tuple(dict.fromkeys(_LANGUAGES[w] for w in words if w in _LANGUAGES))
        if found and len(words) <= 4 and not ("go" in words and words[0] != "go"):
            return found
    return ()


_COMMON = frozenset("the and for with how what are their which that from".split())
