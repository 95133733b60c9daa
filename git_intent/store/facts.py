"""What a look at all of the store has to know of each requirement file.

A fact follows from a file's path and bytes alone. So whoever keeps facts by blob id
need not read the file again to find duplicates, unknown domains, idle globs or broken
links.
"""

from hashlib import blake2b
from typing import NamedTuple

from git_intent.store.canonical import Brief, outline
from git_intent.store.intent_dir import is_requirement
from git_intent.store.requirement import Status
from git_intent.store.rules_view import Entry, Reader
from git_intent.store.wording import normalise

_DIGEST = 16


class Fact(NamedTuple):
    """One readable requirement file.

    `wording` is equal for active requirements that say the same, and empty for others.
    `successor` is what a superseded one names, and empty for others.
    """

    path: str
    id: str
    status: str
    wording: bytes
    domains: tuple[str, ...]
    paths: tuple[str, ...]
    successor: str


def fact(path: str, data: bytes, reader: Reader) -> Fact | None:
    """None for a broken file, and for one that is no requirement."""
    plain = outline(path, data)
    if plain is not None:
        return of_brief(plain)
    entry = reader.read(path, data) if is_requirement(path) else None
    if not isinstance(entry, Entry):
        return None
    r = entry.requirement
    superseded = r.status is Status.SUPERSEDED
    return Fact(
        path,
        r.id,
        r.status.value,
        _wording(r.status.value, r.statement),
        r.scope.domains,
        r.scope.paths,
        r.superseded_by if superseded else "",
    )


def of_brief(brief: Brief) -> Fact:
    """What the narrow reader tells, as a fact."""
    return Fact(
        brief.path,
        brief.id,
        brief.status,
        _wording(brief.status, brief.statement),
        brief.domains,
        brief.paths,
        brief.successor,
    )


def _wording(status: str, statement: str) -> bytes:
    if status != Status.ACTIVE.value:
        return b""
    return blake2b(normalise(statement).encode(), digest_size=_DIGEST).digest()
