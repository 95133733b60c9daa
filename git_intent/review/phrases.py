"""Changes in the words that text, Markdown, log and blame have in common."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from git_intent.review.changes import ORDER, Change, Changes, What
from git_intent.review.domain_changes import DomainChange
from git_intent.review.hands import Hand
from git_intent.review.scan_changes import CursorMove
from git_intent.review.words import Op, Segment, compare
from git_intent.store.domains import Domain
from git_intent.store.requirement import (
    Confidence,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.rules import Actor

_SHORT = 12
_NAMED = 3  # so many commits are named, the rest is counted


@dataclass(frozen=True, slots=True)
class Detail:
    """A line about a change; without a label it is the statement."""

    label: str
    segments: tuple[Segment, ...]


def headline(change: Change) -> str:
    """What happened, and the status of a new one that is not in use."""
    words = ", ".join(change.what)
    added = change.what[0] is What.ADDED and change.after
    if added and added.status is not Status.ACTIVE:
        words += f" ({added.status})"
    was = change.before.status if change.before else Status.ACTIVE
    if What.ENABLED in change.what and was is Status.SUPERSEDED:
        words += " (was superseded)"
    return words


def details(change: Change) -> Iterator[Detail]:
    """What a reviewer wants to read below the headline."""
    before, after = change.before, change.after
    if before is None or after is None:
        yield from _whole(before or after)
        return
    if What.REDACTED in change.what:
        yield Detail("", _same(after.statement))
    else:
        yield Detail("", compare(before.statement, after.statement))
    if What.SUPERSEDED in change.what:
        found = change.successor
        words = found.statement if found else "(not in this store)"
        yield Detail(f"by {after.superseded_by or '?'}", _same(words))
    if What.REASONED in change.what:
        yield Detail("why", compare(before.rationale, after.rationale))
    if What.RESCOPED in change.what:
        yield Detail("scope", _turned((scope(before.scope), scope(after.scope))))
    if What.REHINTED in change.what:
        yield from _hints(before, after)
    if What.CONFIDENCE in change.what:
        yield Detail("confidence", _turned((before.confidence, after.confidence)))
    if What.FLAG in change.what:
        flags = (f"{before.user_edited}".lower(), f"{after.user_edited}".lower())
        yield Detail("user_edited", _turned(flags))
    if What.ORIGIN in change.what:
        yield Detail("from", _turned((_origin(before), _origin(after))))
    if change.keys:
        yield Detail("keys", _same(", ".join(change.keys)))


def _whole(r: Requirement | None) -> Iterator[Detail]:
    assert r is not None
    yield Detail("", _same(r.statement))
    if r.rationale:
        yield Detail("why", _same(r.rationale))
    yield Detail("scope", _same(scope(r.scope)))
    yield Detail("from", _same(source(r.provenance)))
    if r.superseded_by:
        yield Detail("by", _same(r.superseded_by))
    if r.confidence is not Confidence.HIGH:
        yield Detail("confidence", _same(r.confidence))


def _hints(before: Requirement, after: Requirement) -> Iterator[Detail]:
    for text in before.hints:
        if text not in after.hints:
            yield Detail("hint", (Segment(Op.DELETED, text),))
    for text in after.hints:
        if text not in before.hints:
            yield Detail("hint", (Segment(Op.INSERTED, text),))


def scope(found: Scope) -> str:
    """A scope on one line."""
    whom = "project"
    if found.level is Level.DOMAIN:
        whom = f"domain {', '.join(found.domains)}" if found.domains else "domain"
    elif found.domains:
        whom = f"project (domains {', '.join(found.domains)})"
    parts = [whom]
    if found.paths:
        parts.append(f"paths {' '.join(found.paths)}")
    if found.languages:
        parts.append(f"languages {', '.join(found.languages)}")
    return "; ".join(parts)


def source(found: Provenance) -> str:
    """Where a statement was taken from, and by whom."""
    words = f"{found.kind} {found.ref}".strip()
    return f"{words}, by {found.extracted_by}" if found.extracted_by else words


def _origin(r: Requirement) -> str:
    stamps = [s for s in (r.provenance.extracted_at, f"created {r.created}") if s]
    return ", ".join([source(r.provenance), *stamps])


def by(found: Sequence[Hand]) -> str:
    """By whom, newest first; the rest is counted."""
    words = [_by(one) for one in found[:_NAMED]]
    more = len(found) - _NAMED
    if more > 0:
        words.append(f"{more} more commit{'s' if more > 1 else ''}")
    return "; ".join(words)


def _by(found: Hand) -> str:
    who = author(found)
    return f"{who}, {found.commit[:_SHORT]}" if found.commit else f"{who}, uncommitted"


def author(found: Hand) -> str:
    """A person by name, an agent as such."""
    name = found.author or "somebody"
    if found.run:
        return f"scan {found.run}"
    return f"{name} (agent)" if found.actor is Actor.AGENT else name


def domain(found: DomainChange) -> str:
    """What happened to a domain, on one line."""
    present = found.after or found.before
    assert present is not None
    if not found.fields or found.before is None or found.after is None:
        paths = f": {' '.join(present.paths)}" if present.paths else ""
        return f"domain {found.name} {found.what}{paths}"
    turns = (
        f"{name} {_value(found.before, name)} -> {_value(found.after, name)}"
        for name in found.fields
    )
    return f"domain {found.name} changed: {'; '.join(turns)}"


def _value(found: Domain, name: str) -> str:
    value = getattr(found, name)
    if isinstance(value, bool):
        return f"{value}".lower()
    if isinstance(value, tuple):
        return " ".join(value) or "none"
    return f'"{value}"'


def cursor(found: CursorMove) -> str:
    """How far a cursor moved, on one line."""
    whose = f" of {found.repository}" if found.repository else ""
    parts = []
    if found.before != found.after:
        old, new = found.before[:_SHORT] or "nothing", found.after[:_SHORT] or "nothing"
        parts.append(f"{old} -> {new}")
    for count, one, many in (
        (found.documents, "document", "documents"),
        (found.runs, "run", "runs"),
    ):
        if count:
            parts.append(f"{count} {one if count == 1 else many}")
    return f"scan cursor{whose}: {', '.join(parts) or 'only its stamp'}"


def total(changes: Changes) -> str:
    """How many requirements of each kind, or that nothing of it has a meaning."""
    counts = Counter(change.what[0] for change in changes.requirements)
    parts = [f"{counts[what]} {what}" for what in sorted(counts, key=ORDER.__getitem__)]
    domains = len(changes.domains)
    if domains:
        parts.append(f"{domains} domain{'s' if domains > 1 else ''}")
    if parts:
        return ", ".join(parts)
    differs = changes.formatting or changes.cursors or changes.unread
    return "no change in meaning" if differs else "nothing changed"


def one_line(text: str) -> str:
    return " ".join(text.split())


def _same(text: str) -> tuple[Segment, ...]:
    return (Segment(Op.SAME, text),)


def _turned(sides: tuple[str, str]) -> tuple[Segment, ...]:
    """One value in place of the other."""
    old, new = sides
    if old == new:
        return _same(new)
    return (Segment(Op.DELETED, old), Segment(Op.INSERTED, new))
