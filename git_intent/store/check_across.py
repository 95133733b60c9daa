"""Checks that need several files of the store: names, duplicates, domains, globs."""

from collections.abc import Collection, Iterator, Sequence

from git_intent.store.codes import issue
from git_intent.store.domains import examine_domains
from git_intent.store.globs import matching, valid
from git_intent.store.intent_dir import DOMAINS, is_requirement
from git_intent.store.issue import Issue
from git_intent.store.requirement import Requirement, Status
from git_intent.store.requirement_file import normalise
from git_intent.store.rules_view import Entry, Reader, Snapshot
from git_intent.store.strict_yaml import StrictDocument


def across(
    snapshot: Snapshot, tracked: Collection[str] | None, reader: Reader
) -> Iterator[Issue]:
    """Findings about files that are each readable by themselves."""
    read = [
        reader.read(path, snapshot[path])
        for path in sorted(filter(is_requirement, snapshot))
    ]
    entries = [found for found in read if isinstance(found, Entry)]
    yield from _same_names(snapshot)
    yield from _duplicates(entries)
    yield from _unknown_domains(entries, snapshot)
    if tracked is not None:
        yield from _idle_globs(entries, snapshot, tracked)


def _same_names(snapshot: Snapshot) -> Iterator[Issue]:
    first: dict[str, str] = {}
    for path in sorted(snapshot):
        known = first.setdefault(path.casefold(), path)
        if known != path:
            text = f"differs from {known.rpartition('/')[2]} by case only"
            yield issue("I025", path, text)


def _duplicates(entries: Sequence[Entry]) -> Iterator[Issue]:
    first: dict[str, Requirement] = {}
    for entry in entries:
        requirement = entry.requirement
        if requirement.status is not Status.ACTIVE:
            continue
        known = first.setdefault(normalise(requirement.statement), requirement)
        if known is not requirement:
            text = f"says the same as {known.id}, which is active too"
            yield issue("I031", entry.path, text, entry.document.body_line)


def _unknown_domains(entries: Sequence[Entry], snapshot: Snapshot) -> Iterator[Issue]:
    domains = examine_domains(snapshot.get(DOMAINS, b""), DOMAINS).domains
    if domains is None:
        return  # the file is broken, which is said elsewhere
    for entry in entries:
        for number, name in enumerate(entry.requirement.scope.domains):
            if domains.get(name) is None:
                at = entry.position("scope", "domains", number)
                text = f"the domain {name!r} is not in domains.yaml"
                yield issue("I020", entry.path, text, *at)


def _idle_globs(
    entries: Sequence[Entry], snapshot: Snapshot, tracked: Collection[str]
) -> Iterator[Issue]:
    known: dict[str, bool] = {}
    for path, document, pointer, pattern in _patterns(entries, snapshot):
        if pattern not in known:
            known[pattern] = bool(valid(pattern)) or matching(pattern, tracked)
        if not known[pattern]:
            text = f"the glob {pattern!r} matches no tracked file"
            yield issue("I023", path, text, *document.position(pointer))


def _patterns(
    entries: Sequence[Entry], snapshot: Snapshot
) -> Iterator[tuple[str, StrictDocument, tuple[str | int, ...], str]]:
    """Every glob of the store: file, document, pointer, pattern."""
    for entry in entries:
        for number, pattern in enumerate(entry.requirement.scope.paths):
            pointer = ("scope", "paths", number)
            yield entry.path, entry.document.document, pointer, pattern
    found = examine_domains(snapshot.get(DOMAINS, b""), DOMAINS)
    if found.domains is None or found.fields is None:
        return
    for number, domain in enumerate(found.domains.domains):
        for place, pattern in enumerate(domain.paths):
            at = ("domains", number, "paths", place)
            yield DOMAINS, found.fields.document, at, pattern
