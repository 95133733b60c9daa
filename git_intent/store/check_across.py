"""Checks that need several files of the store: names, duplicates, domains, globs.

They go by facts (`store.facts`), so that a file need not be read at all; where in a
file something stands is looked up when there is something to say.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence

from git_intent.store.codes import issue
from git_intent.store.domains import Domains, examine_domains
from git_intent.store.facts import Fact
from git_intent.store.globs import literal_start, matching, valid
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.issue import Issue
from git_intent.store.rules_view import Entry, Reader, Snapshot
from git_intent.store.strict_yaml import Pointer


def across(
    facts: Sequence[Fact],
    snapshot: Snapshot,
    tracked: Collection[str] | None,
    reader: Reader,
) -> Iterator[Issue]:
    """Findings about files that are each readable by themselves."""
    places = _Places(snapshot, reader)
    yield from _same_names(snapshot)
    yield from _duplicates(facts, places)
    if places.domains is not None:  # else it is broken, which is said elsewhere
        yield from _unknown_domains(facts, places.domains, places)
    if tracked is not None:
        yield from _idle_globs(facts, sorted(tracked), places)


class _Places:
    """Where something stands in a file of the snapshot."""

    def __init__(self, snapshot: Snapshot, reader: Reader) -> None:
        self._snapshot, self._reader = snapshot, reader
        self._map = examine_domains(snapshot.get(DOMAINS, b""), DOMAINS)

    @property
    def domains(self) -> Domains | None:
        return self._map.domains

    def entry(self, path: str) -> Entry:
        """The file of a fact, read in full."""
        entry = self._reader.read(path, self._snapshot[path])
        assert isinstance(entry, Entry), f"{path}: {entry}"
        return entry

    def at(self, path: str, pointer: Pointer) -> tuple[int, int]:
        if path != DOMAINS:
            return self.entry(path).position(*pointer)
        assert self._map.fields is not None
        return self._map.fields.document.position(pointer)


def _same_names(snapshot: Snapshot) -> Iterator[Issue]:
    first: dict[str, str] = {}
    for path in sorted(snapshot):
        known = first.setdefault(path.casefold(), path)
        if known != path:
            text = f"differs from {known.rpartition('/')[2]} by case only"
            yield issue("I025", path, text)


def _duplicates(facts: Iterable[Fact], places: _Places) -> Iterator[Issue]:
    first: dict[bytes, Fact] = {}
    for one in facts:
        if not one.wording:
            continue
        known = first.setdefault(one.wording, one)
        if known is not one:
            text = f"says the same as {known.id}, which is active too"
            line = places.entry(one.path).document.body_line
            yield issue("I031", one.path, text, line)


def _unknown_domains(
    facts: Iterable[Fact], domains: Domains, places: _Places
) -> Iterator[Issue]:
    known = {domain.name for domain in domains.domains}
    for one in facts:
        for number, name in enumerate(one.domains):
            if name not in known:
                at = places.at(one.path, ("scope", "domains", number))
                text = f"the domain {name!r} is not in domains.yaml"
                yield issue("I020", one.path, text, *at)


def _idle_globs(
    facts: Iterable[Fact], tracked: Sequence[str], places: _Places
) -> Iterator[Issue]:
    used: dict[str, bool] = {}
    for path, pointer, pattern in _patterns(facts, places.domains):
        if pattern not in used:
            used[pattern] = bool(valid(pattern)) or _matches(pattern, tracked)
        if not used[pattern]:
            text = f"the glob {pattern!r} matches no tracked file"
            yield issue("I023", path, text, *places.at(path, pointer))


def _matches(pattern: str, tracked: Sequence[str]) -> bool:
    """Whether any of the sorted paths matches; only those that can are tried."""
    start = literal_start(pattern)
    if not start:
        return matching(pattern, tracked)
    first = bisect_left(tracked, start)
    last = bisect_left(tracked, start + chr(0x10FFFF), first)
    return matching(pattern, tracked[first:last])


def _patterns(
    facts: Iterable[Fact], domains: Domains | None
) -> Iterator[tuple[str, Pointer, str]]:
    """Every glob of the store: file, pointer, pattern."""
    for one in facts:
        for number, pattern in enumerate(one.paths):
            yield one.path, ("scope", "paths", number), pattern
    for number, domain in enumerate(domains.domains if domains else ()):
        for place, pattern in enumerate(domain.paths):
            yield DOMAINS, ("domains", number, "paths", place), pattern
