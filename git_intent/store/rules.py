"""The hard rules: may the store go from these states to that one, by this actor?

`judge` is pure. Scan, hooks, command line, console, merge driver and `resolve` all call
it, so no way into the store is laxer than another.

| code | rule | agent | person |
|---|---|---|---|
| I101 | a requirement is neither deleted nor renamed, an id never changes | no | no |
| I102 | superseded is terminal, its link sound (`rules_links`) | no | no |
| I103 | a disabled one is not enabled, superseded, reworded | no | yes |
| I104 | statement and scope of a user_edited one are not rewritten | no | yes |
| I105 | changed statement or scope: flag and new `updated` are set | – | repaired |
| I106 | a user_edited domain is kept as it is (`rules_domains`) | no | yes |
| I107 | `created` and provenance do not change | no | no |

A merge has several parents. A value that some parent has is allowed; one that none has
is judged against all. Protections add up: present stays present, disabled beats
superseded and active, user_edited stays.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from git_intent.store.codes import issue
from git_intent.store.intent_dir import requirement_path
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.rules_domains import judge_domains
from git_intent.store.rules_links import judge_links, judge_terminal
from git_intent.store.rules_moved import moved_to
from git_intent.store.rules_view import (
    Entry,
    Reader,
    Snapshot,
    View,
    new_damage,
    view,
)
from git_intent.store.rules_words import changed_words
from git_intent.store.stamps import instant


class Actor(StrEnum):
    """Who makes the change; a claim, so I101, I102 and I107 do not look at it."""

    AGENT = "agent"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class _Change:
    """What became of one requirement: as each parent has it, and as it is now."""

    olds: Sequence[Entry]
    new: Entry
    actor: Actor
    merge: bool

    def found(self, code: str, message: str, *pointer: str | int) -> Issue:
        line, col = self.new.position(*pointer) if pointer else (1, 1)
        text = f"{self.new.requirement.id}: {message}"
        return issue(code, self.new.path, text, line, col)


def judge(
    before: Sequence[Snapshot],
    after: Snapshot,
    actor: Actor,
    *,
    deletable: Collection[str] = (),
    reader: Reader | None = None,
) -> list[Issue]:
    """Every hard rule that the step from `before` to `after` breaks.

    `before` holds the parents: none for a first commit, several for a merge.
    `deletable` names ids that exist nowhere but in the commit that is being amended.
    `reader` may have read some of the files already.
    """
    reader = reader or Reader()
    parents = [view(snapshot, reader) for snapshot in before]
    result = view(after, reader)
    issues = new_damage(parents, result)
    for name in sorted(set().union(*(parent.ids for parent in parents))):
        issues += _judge_requirement(name, parents, result, actor, deletable)
    issues += judge_terminal(parents, result)
    issues += judge_links(result)
    issues += judge_domains(before, after, by_agent=actor is Actor.AGENT)
    return sorted(set(issues))


def _judge_requirement(
    name: str,
    parents: Sequence[View],
    result: View,
    actor: Actor,
    deletable: Collection[str],
) -> Iterator[Issue]:
    olds = [parent.entries[name] for parent in parents if name in parent.entries]
    new = result.entries.get(name)
    if new is None:
        if name not in result.ids and name not in deletable:
            yield _deleted(name, olds, result)
        return
    if new.path not in {requirement_path(name), *(old.path for old in olds)}:
        text = f"{name} was renamed from {requirement_path(name)}"
        yield issue("I101", new.path, text)
    if all(old.data == new.data for old in olds) and olds:
        return
    # Of two that met under this id, the one that moved is judged where it is now.
    olds = [old for old in olds if not moved_to(old, parents, result)] or olds
    if not olds:
        if actor is Actor.AGENT:
            text = f"{name}: the old version cannot be read, so it counts as a person's"
            yield issue("I104", new.path, text)
        return
    change = _Change(olds, new, actor, merge=len(olds) > 1)
    for rule in _RULES[actor]:
        yield from rule(change)


def _deleted(name: str, olds: Sequence[Entry], result: View) -> Issue:
    path = olds[0].path if olds else requirement_path(name)
    for other in result.entries.values():
        if other.path == path:
            line, col = other.position("id")
            text = f"the id changed from {name} to {other.requirement.id}"
            return issue("I101", path, text, line, col)
    text = f"{name} was deleted; disable it, or `git intent redact {name}`"
    return issue("I101", path, text)


def _protect_disabled(change: _Change) -> Iterator[Issue]:
    if all(old.requirement.status is not Status.DISABLED for old in change.olds):
        return
    status = change.new.requirement.status
    if status is not Status.DISABLED:
        verb = "enabled" if status is Status.ACTIVE else "superseded"
        yield change.found("I103", f"disabled, {verb} by an agent", "status")
    for name in changed_words(change.olds, change.new, exact=True):
        text = f"disabled, {name} changed by an agent"
        yield change.found("I103", text, *_pointer(name))


def _protect_words(change: _Change) -> Iterator[Issue]:
    if not any(old.requirement.user_edited for old in change.olds):
        return
    if not change.new.requirement.user_edited:
        text = "an agent took user_edited back"
        yield change.found("I104", text, "user_edited")
    for name in changed_words(change.olds, change.new, exact=True):
        text = f"user_edited, {name} changed by an agent"
        yield change.found("I104", text, *_pointer(name))


def _mark_words(change: _Change) -> Iterator[Issue]:
    new = change.new.requirement
    changed = changed_words(change.olds, change.new, exact=False)
    lost = change.merge and any(old.requirement.user_edited for old in change.olds)
    if (changed or lost) and not new.user_edited:
        what = f"{changed[0]} changed" if changed else "a parent has user_edited: true"
        text = f"{what}; add the line `user_edited: true`"
        yield change.found("I105", text, "user_edited")
    if changed:
        stamp = instant(new.updated)
        known = {instant(old.requirement.updated) for old in change.olds}
        if stamp is None or stamp in known:
            text = f"{changed[0]} changed; `updated` needs the time of the change"
            yield change.found("I105", text, "updated")


def _keep_origin(change: _Change) -> Iterator[Issue]:
    new = change.new
    stamps = [old.requirement.created for old in change.olds]
    readable = [text for text in stamps if instant(text) is not None]
    if readable and all(
        not _same_stamp(text, new.requirement.created) for text in stamps
    ):
        text = f"created was {readable[0]}"
        yield change.found("I107", text, "created")
    origin = _origin(new)
    known = [_origin(old) for old in change.olds]
    if any(known) and origin not in known:
        differing = {
            key
            for old in known
            for key in old.keys() | origin.keys()
            if old.get(key) != origin.get(key)
        }
        names = ", ".join(sorted(differing))
        yield change.found("I107", f"provenance changed: {names}", "provenance")


_RULES: dict[Actor, tuple[Callable[[_Change], Iterator[Issue]], ...]] = {
    Actor.AGENT: (_protect_disabled, _protect_words, _keep_origin),
    Actor.PERSON: (_mark_words, _keep_origin),
}


def _origin(entry: Entry) -> dict[str, Any]:
    """The provenance as a mapping: absent equals empty, stamps are instants."""
    written = entry.fields("provenance")
    found = {key: value for key, value in written.items() if value not in ("", None)}
    stamp = instant(str(found.get("extracted_at", "")))
    return found if stamp is None else {**found, "extracted_at": stamp}


def _same_stamp(old: str, new: str) -> bool:
    moment = instant(old)
    return old == new if moment is None else moment == instant(new)


def _pointer(name: str) -> tuple[str, ...]:
    return ("scope",) if name == "scope" else ()
