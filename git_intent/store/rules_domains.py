"""Rules I106 and I105 for domains.yaml: what a person wrote about a domain stays.

A domain may be added by anybody. Whoever is a person may rewrite or remove one, and
marks what he rewrote; white space in a description does not count.
"""

from collections.abc import Iterator, Mapping, Sequence

from git_intent.store.codes import issue
from git_intent.store.domains import Domain, parse_domains
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.issue import Issue
from git_intent.store.malformed import MalformedFile
from git_intent.store.rules_view import Snapshot
from git_intent.store.strict_yaml import parse_yaml


def judge_domains(
    before: Sequence[Snapshot], after: Snapshot, *, by_agent: bool
) -> Iterator[Issue]:
    datas = [snapshot.get(DOMAINS) for snapshot in before]
    data = after.get(DOMAINS)
    if data in datas and len(before) == 1:
        return
    try:
        new = _domains(data)
    except MalformedFile as error:
        if data not in datas:
            yield error.issue()
        return
    parents: list[Mapping[str, Domain]] = []
    for old in datas:
        try:
            parents.append(_domains(old))
        except MalformedFile:
            if by_agent and len(before) == 1:
                text = (
                    "domains.yaml cannot be read in its old version: left to a person"
                )
                yield issue("I106", DOMAINS, text)
    for name in sorted({name for parent in parents for name in parent}):
        olds = [parent[name] for parent in parents if name in parent]
        place = _place(data, name)
        if by_agent:
            yield from _keep(name, olds, new.get(name), place)
        elif name in new:
            yield from _mark(name, olds, new[name], place)


def _keep(
    name: str, olds: Sequence[Domain], new: Domain | None, place: tuple[int, int]
) -> Iterator[Issue]:
    if not any(old.user_edited for old in olds):
        return
    if new is None:
        text = f"{name}: an agent removed this domain, which is user_edited"
        yield issue("I106", DOMAINS, text)
        return
    for what in _changed(olds, new):
        text = f"{name}: user_edited, {what} changed by an agent"
        yield issue("I106", DOMAINS, text, *place)
    if not new.user_edited:
        text = f"{name}: an agent took user_edited back"
        yield issue("I106", DOMAINS, text, *place)


def _mark(
    name: str, olds: Sequence[Domain], new: Domain, place: tuple[int, int]
) -> Iterator[Issue]:
    changed = _changed(olds, new)
    lost = len(olds) > 1 and any(old.user_edited for old in olds)
    if (changed or lost) and not new.user_edited:
        what = f"{changed[0]} changed" if changed else "a parent has user_edited: true"
        text = f"domain {name}: {what}; add the line `user_edited: true`"
        yield issue("I105", DOMAINS, text, *place)


def _changed(olds: Sequence[Domain], new: Domain) -> list[str]:
    """What has a value that no parent has."""
    found = []
    words = " ".join(new.description.split())
    if all(" ".join(old.description.split()) != words for old in olds):
        found.append("description")
    if all(tuple(old.paths) != tuple(new.paths) for old in olds):
        found.append("paths")
    return found


def _domains(data: bytes | None) -> Mapping[str, Domain]:
    if data is None:
        return {}
    return {domain.name: domain for domain in parse_domains(data, DOMAINS).domains}


def _place(data: bytes | None, name: str) -> tuple[int, int]:
    """Where the entry stands in the file."""
    if data is None:
        return 1, 1
    document = parse_yaml(data, DOMAINS)
    entries = document.value.get("domains") or []
    for number, entry in enumerate(entries):
        if isinstance(entry, dict) and entry.get("name") == name:
            return document.position(("domains", number, "name"))
    return 1, 1
