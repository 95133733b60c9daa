"""What two states of the store differ in, told by requirement.

Pure: `compare` reads two snapshots and gives what a reviewer wants to know. Only paths
whose bytes differ need to be in the snapshots; `known` gives requirements that did not
change, such as a successor that was there before. The order is total: what is new
first, then by what happened, then by id.

The old text of a redacted requirement is in no result: a report may be published.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from git_intent.review.domain_changes import DomainChange, compare_domains
from git_intent.review.scan_changes import CursorMove, compare_states
from git_intent.store.frontmatter import Frontmatter
from git_intent.store.intent_dir import (
    DOMAINS,
    SCAN_STATE,
    is_requirement,
    misnamed,
    requirement_path,
)
from git_intent.store.issue import Issue, Severity
from git_intent.store.mutate import NOTICE
from git_intent.store.requirement import Requirement, Scope, Status
from git_intent.store.requirement_file import KEYS, examine
from git_intent.store.stamps import instant


class What(StrEnum):
    """What happened to a requirement, in the order in which it is told."""

    ADDED = "added"
    DELETED = "deleted"
    SUPERSEDED = "superseded"
    REDACTED = "redacted"
    DISABLED = "disabled"
    ENABLED = "enabled"
    REWORDED = "reworded"
    REASONED = "reason changed"
    RESCOPED = "re-scoped"
    REHINTED = "re-hinted"
    CONFIDENCE = "confidence changed"
    FLAG = "user_edited changed"
    ORIGIN = "origin changed"
    OTHER = "other keys changed"
    NOTHING = "no change in meaning"


ORDER = {what: number for number, what in enumerate(What)}


@dataclass(frozen=True, slots=True)
class Change:
    """One requirement on both sides; `before` or `after` is None where it is not there.

    `successor` is set if it was superseded and its successor can be read. `keys` are
    changed keys of the frontmatter that this program does not know.
    """

    id: str
    path: str
    what: tuple[What, ...]
    before: Requirement | None
    after: Requirement | None
    successor: Requirement | None = None
    keys: tuple[str, ...] = ()

    @property
    def meaning(self) -> bool:
        """Whether anything but formatting changed."""
        return self.what != (What.NOTHING,)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that cannot be compared, and why; `side` is before or after."""

    path: str
    side: str
    text: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that differs. `formatting` are files of the same meaning as before."""

    requirements: tuple[Change, ...] = ()
    domains: tuple[DomainChange, ...] = ()
    cursors: tuple[CursorMove, ...] = ()
    formatting: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def meaning(self) -> bool:
        return bool(self.requirements or self.domains)


def compare(
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    known: Callable[[str], Requirement | None] = lambda id: None,
    missing: Sequence[Unread] = (),
) -> Changes:
    """What became of each file of `before` and `after` whose bytes differ.

    `missing` are files that the caller could not even get the bytes of.
    """
    found: list[Change] = []
    formatting: list[str] = []
    unread = list(missing)
    paths = sorted(p for p in {*before, *after} if before.get(p) != after.get(p))
    for path in filter(is_requirement, paths):
        old, new = _read(before, path), _read(after, path)
        unread += _unread(path, old, new)
        if isinstance(old, Issue) or isinstance(new, Issue):
            continue
        change = describe(old, new, path, _lookup(after, known))
        if change.meaning:
            found.append(change)
        else:
            formatting.append(path)
    domains, broken = compare_domains(before, after)
    unread += [Unread(DOMAINS, side, text) for side, text in broken]
    cursors, broken = compare_states(before, after)
    unread += [Unread(SCAN_STATE, side, text) for side, text in broken]
    for path, told in ((DOMAINS, domains), (SCAN_STATE, cursors)):
        if path in paths and not told and path not in {u.path for u in unread}:
            formatting.append(path)
    found.sort(key=lambda change: (ORDER[change.what[0]], change.id))
    return Changes(tuple(found), domains, cursors, tuple(formatting), tuple(unread))


@dataclass(frozen=True, slots=True)
class File:
    """A requirement file that could be read."""

    requirement: Requirement
    document: Frontmatter


def read_file(data: bytes, path: str) -> File | Issue:
    """A requirement file, or the first thing that is wrong with it."""
    found = examine(data, path)
    if found.requirement is None or found.document is None:
        return next(i for i in found.issues if i.severity is Severity.ERROR)
    if path != requirement_path(found.requirement.id):
        return misnamed(path, found.requirement.id)
    return File(found.requirement, found.document)


def describe(
    old: File | None,
    new: File | None,
    path: str,
    successor: Callable[[str], Requirement | None] = lambda id: None,
) -> Change:
    """What happened between two versions of one file, at least one of them there."""
    before = old.requirement if old else None
    after = new.requirement if new else None
    present = after or before
    assert present is not None
    keys = _other_keys(old, new) if old and new else ()
    what = _what(before, after, keys)
    if What.REDACTED in what and before:
        before = replace(before, statement="", rationale="", hints=())
    by = after.superseded_by if after and What.SUPERSEDED in what else ""
    return Change(
        id=present.id,
        path=path,
        what=what,
        before=before,
        after=after,
        successor=successor(by) if by else None,
        keys=keys,
    )


def _what(
    before: Requirement | None, after: Requirement | None, keys: tuple[str, ...]
) -> tuple[What, ...]:
    if before is None or after is None:
        return (What.ADDED,) if before is None else (What.DELETED,)
    redacted = after.statement == NOTICE != before.statement
    found = [What.REDACTED] if redacted else []
    found += _status(before, after)
    for what, differs in (
        (What.REWORDED, before.statement != after.statement and not redacted),
        (What.REASONED, before.rationale != after.rationale and not redacted),
        (What.RESCOPED, _scope(before.scope) != _scope(after.scope)),
        (What.REHINTED, {*before.hints} != {*after.hints} and not redacted),
        (What.CONFIDENCE, before.confidence is not after.confidence),
        (What.FLAG, before.user_edited != after.user_edited),
        (What.ORIGIN, _origin(before) != _origin(after)),
        (What.OTHER, bool(keys)),
    ):
        if differs:
            found.append(what)
    return tuple(sorted(found, key=ORDER.__getitem__)) or (What.NOTHING,)


def _status(before: Requirement, after: Requirement) -> list[What]:
    ours = (after.status, after.superseded_by)
    if (before.status, before.superseded_by) == ours:
        return []
    if after.status is Status.SUPERSEDED:
        return [What.SUPERSEDED]
    if after.status is before.status:
        return []
    return [What.DISABLED if after.status is Status.DISABLED else What.ENABLED]


def _scope(scope: Scope) -> tuple[object, ...]:
    """Names in any order; of paths the order has a meaning."""
    return scope.level, {*scope.domains}, scope.paths, {*scope.languages}


def _origin(r: Requirement) -> tuple[object, ...]:
    """Where and when it began; stamps count as instants, however they are spelled."""
    p = r.provenance
    stamps = (instant(p.extracted_at), instant(r.created))
    return (p.kind, p.ref, p.extracted_by, p.patch_id, *stamps)


def _other_keys(old: File, new: File) -> tuple[str, ...]:
    one, other = old.document.value, new.document.value
    known = KEYS[()]
    names = (name for name in {**one, **other} if name not in known)
    return tuple(sorted(str(n) for n in names if one.get(n) != other.get(n)))


def _read(snapshot: Mapping[str, bytes], path: str) -> File | Issue | None:
    data = snapshot.get(path)
    return None if data is None else read_file(data, path)


def _unread(path: str, *sides: File | Issue | None) -> list[Unread]:
    return [
        Unread(path, name, str(found))
        for name, found in zip(("before", "after"), sides, strict=True)
        if isinstance(found, Issue)
    ]


def _lookup(
    after: Mapping[str, bytes], known: Callable[[str], Requirement | None]
) -> Callable[[str], Requirement | None]:
    def find(id: str) -> Requirement | None:
        found = _read(after, requirement_path(id))
        return found.requirement if isinstance(found, File) else known(id)

    return find
