"""Whom a statement concerns: the whole project, or some domains and paths.

Project-level requirements are put into every prompt, so the level is given sparingly:
to rules about how anybody works here at all. Everything else belongs to a domain of the
project's map, found by topic, by the words of the domain's name and description, or by
the folder that the document lies in; what speaks of code only, to the code's style.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from git_intent.scan.folding import folded, holds
from git_intent.scan.topics import CODE_STYLE, Topic, topic_of
from git_intent.store import globs
from git_intent.store.domains import Domain
from git_intent.store.requirement import Level, Scope

_WORD = re.compile(r"[a-z][a-z0-9]+")
_EVERYWHERE = re.compile(
    r"\b(?:(?:secrets?|credentials?|passwords?|tokens?) (?:in|into|to) (?:the )?"
    r"(?:repo|code|git|version|source)|"
    r"(?:never|do not|don't) (?:push|commit|publish|release|delete)\b|force[- ]push|"
    r"without (?:asking|permission|approval|explicit)|"
    r"ask (?:first|before)|(?:explicitly|specifically) (?:asked|requested|instructed|"
    r"told)|unless (?:asked|requested|told)|destructive|"
    r"scope of the (?:task|change)|unrelated (?:\w+ )?(?:changes?|files?|edits?)|"
    r"(?:smallest|minimal) (?:possible )?(?:changes?|diffs?|edits?)|drive-by|"
    r"(?:before|prior to) (?:every |each |you |any )?commit(?:ting)?\b(?! messages?)|"
    r"code of conduct|contributor licen[sc]e|discloses?|disclosure|"
    r"minimum supported|core principles?)\b",
    re.I,
)
#: One of them stands in every match: a text without any need not be searched.
_EVERYWHERE_STEMS = tuple(
    "secret credential password token never not don't force without ask explicitly"
    " specifically unless destructive scope unrelated smallest minimal drive-by commit"
    " conduct contributor disclos minimum principle".split()
)
# What somebody writes with a machine is everybody's concern; "ai" in a word is not.
_AI = re.compile(r"\b(?:AI|LLMs?)\b")
# Headings over what holds for all work.
_PRINCIPLES = re.compile(
    r"\b(?:principles?|philosophy|(?:hard|golden|critical|core|key) rules|boundaries|"
    r"non-negotiable|mission|goals|mindset|simplicity|surgical|scope discipline|"
    r"before you start|git safety|safety rules|(?:ai|"
    r"agents?)(?: \w+)? (?:attribution|policy|"
    r"usage|assist\w*|contributions?)|ai-\w+|code of conduct|governance|licen[sc]\w+|"
    r"communication|new features|what we accept)\b",
    re.I,
)
#: Topics whose rules hold whatever part is worked on.
_SHARED_TOPICS = frozenset(("ai-agents", "community", "security"))
# What only somebody who writes code has to know.
_CODE = re.compile(
    r"\b(?:functions?|variables?|class(?:es)?|methods?|structs?|type hints?|types|"
    r"spaces|tabs|parameters?|arguments?|const|loops?|quotes?|semicolons?|objects?|"
    r"constants?|arrays?|strings?|macros?|headers?|callbacks?|expressions?|enums?|"
    r"traits?|properties|null|async|await|pointers?|symbols|characters|braces|nested|"
    r"syntax)\b|`[^`]*(?:\(|\.\w+|::|_|=>)[^`]*`|`[a-z]+`",
    re.I,
)
_CODE_PLACE = re.compile(r"\b(?:style|coding|code)|_style\b", re.I)
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
    topic = topic_of(headings, statement)
    names = (
        _domains(topic, statement, headings, domains)
        or _around(path, tuple(domains))
        or _of_code(statement, headings, path, domains)
    )
    if not names:
        return Scope(Level.PROJECT, paths=paths, languages=languages)
    if not paths and _for_everybody(topic, statement, headings):
        return Scope(Level.PROJECT, languages=languages)
    return Scope(Level.DOMAIN, names, paths, languages)


def _for_everybody(
    topic: Topic | None, statement: str, headings: tuple[str, ...]
) -> bool:
    if holds(folded(statement), _EVERYWHERE_STEMS) and _EVERYWHERE.search(statement):
        return True
    if _AI.search(statement) or (topic and topic.name in _SHARED_TOPICS):
        return True
    return _under_principles(headings[-2:])


@lru_cache(maxsize=256)
def _under_principles(headings: tuple[str, ...]) -> bool:
    """Whether the nearest heading is about all work, or is silent under one that is.

    "Error handling philosophy" is about errors.
    """
    if not headings:
        return False
    near = topic_of(headings[-1:], "")
    if near and near.name not in _SHARED_TOPICS:
        return near.name == "architecture" and _of_principles(headings[-1])
    return any(map(_of_principles, headings))


@lru_cache(maxsize=256)
def _of_principles(heading: str) -> bool:
    return _PRINCIPLES.search(heading) is not None


def _of_code(
    statement: str, headings: tuple[str, ...], path: str, domains: Sequence[Domain]
) -> tuple[str, ...]:
    """The domain of the code's style, for what speaks of code and nothing else."""
    if not any(domain.name == CODE_STYLE for domain in domains):
        return ()
    place = " ".join((path.rpartition("/")[2], *headings[-2:]))
    of_code = _CODE_PLACE.search(place) or _languages(headings[-2:])
    return (CODE_STYLE,) if of_code or _CODE.search(statement) else ()


def _domains(
    topic: Topic | None,
    statement: str,
    headings: tuple[str, ...],
    domains: Sequence[Domain],
) -> tuple[str, ...]:
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
