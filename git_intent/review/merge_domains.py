"""Merge three versions of domains.yaml, entry by entry.

An entry that one side alone added, changed or removed is that side's. Where both
changed one, what a person wrote beats what a scan wrote; of two that scans wrote, the
longer text and the longer list are taken, whichever side has them. What is left to a
person: two persons who wrote different things, and an entry that one side removed while
the other changed it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from git_intent.errors import IntentError
from git_intent.review.merge_markers import SIZE, mark
from git_intent.review.merge_result import Merged, conflict, three_ways
from git_intent.store.domains import (
    Domain,
    add_domain,
    edit_domain,
    examine_domains,
    remove_domain,
)

_KEYS = ("description", "paths", "user_edited")


@dataclass(frozen=True, slots=True)
class _Map:
    """The entries of a file by name, as written, and its other keys."""

    entries: Mapping[str, Mapping[str, Any]]
    rest: Mapping[str, Any]


@dataclass(slots=True)
class _Outcome:
    """What each side's file is to hold; they differ where a person must choose."""

    ours: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    theirs: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    clashes: list[str] = field(default_factory=list)

    def take(self, name: str, entry: Mapping[str, Any] | None) -> None:
        if entry is not None:
            self.ours[name] = self.theirs[name] = entry


def merge_domains(
    path: str,
    base: bytes | None,
    ours: bytes,
    theirs: bytes,
    *,
    lines: bytes | None = None,
    size: int = SIZE,
    labels: tuple[str, str] = ("ours", "theirs"),
) -> Merged:
    """The map that both sides come to; the arguments are `merge_requirement`'s."""
    if ours == theirs or base == theirs:
        return Merged(ours)
    if base == ours:
        return Merged(theirs)
    o, t = _read(ours, path), _read(theirs, path)
    if isinstance(o, str) or isinstance(t, str):
        said = f"ours cannot be read: {o}" if isinstance(o, str) else ""
        said = said or f"theirs cannot be read: {t}"
        data, line = mark(ours, theirs, size=size, labels=labels, whole=True)
        return Merged(data, (conflict(path, line, f"{said}; keep what holds"),))
    read = _read(base or b"", path)
    b = _Map({}, {}) if isinstance(read, str) else read
    outcome = _merge(b, o, t)
    rest = three_ways(b.rest, o.rest, t.rest)
    for start in (lines, ours, theirs):
        mine = _edited(path, start, outcome.ours, rest)
        yours = _edited(path, mine, outcome.theirs, rest)
        if mine is not None and yours is not None:
            break
    else:
        mine, yours = ours, theirs
        outcome.clashes.append("these cannot be put together safely")
    if not outcome.clashes:
        return Merged(mine)
    data, line = mark(mine, yours, size=size, labels=labels)
    text = "; ".join(outcome.clashes)
    return Merged(data, (conflict(path, line, f"{text}; keep one of the two"),))


def _read(data: bytes, path: str) -> _Map | str:
    """What the file says, or what is wrong with it."""
    found = examine_domains(data, path)
    if found.domains is None or found.fields is None:
        return str(found.issues[0].message)
    value = found.fields.document.value
    entries = {entry["name"]: _held(entry) for entry in value.get("domains") or []}
    rest = {key: held for key, held in value.items() if key != "domains"}
    return _Map(entries, rest)


def _held(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is as good as missing."""
    return {key: value for key, value in entry.items() if value}


def _merge(base: _Map, ours: _Map, theirs: _Map) -> _Outcome:
    outcome = _Outcome()
    for name in [*ours.entries, *(n for n in theirs.entries if n not in ours.entries)]:
        b, o, t = (side.entries.get(name) for side in (base, ours, theirs))
        if o == t or b == t:
            outcome.take(name, o)
        elif b == o:
            outcome.take(name, t)
        elif o is None or t is None:
            text = f"domain {name} was removed on one side and changed on the other"
            outcome.clashes.append(text)
            for values, entry in ((outcome.ours, o), (outcome.theirs, t)):
                values.update({name: entry} if entry else {})
        else:
            _both(name, b or {}, o, t, outcome)
    return outcome


def _both(
    name: str,
    base: Mapping[str, Any],
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
    outcome: _Outcome,
) -> None:
    edited = [side for side in (ours, theirs) if side.get("user_edited") is True]
    if len(edited) == 1:
        outcome.take(name, edited[0])
        return
    mine: dict[str, Any] = {}
    yours: dict[str, Any] = {}
    for key in sorted({*base, *ours, *theirs}, key=_place):
        b, o, t = (side.get(key) for side in (base, ours, theirs))
        if o == t or b in (o, t):
            mine[key] = yours[key] = t if b == o else o
        elif not edited and key in _KEYS:
            mine[key] = yours[key] = max(o or "", t or "", key=_size)
        else:
            mine[key], yours[key] = o, t
            text = f"domain {name}: {key} was changed on both sides"
            outcome.clashes.append(text)
    outcome.ours[name], outcome.theirs[name] = _held(mine), _held(yours)


def _place(key: str) -> tuple[int, str]:
    return (("name", *_KEYS).index(key) if key in ("name", *_KEYS) else 9), key


def _size(value: Any) -> tuple[int, str]:
    return len(value), str(value)


def _edited(
    path: str,
    start: bytes | None,
    wanted: Mapping[str, Mapping[str, Any]],
    rest: Mapping[str, Any],
) -> bytes | None:
    """`start` with the wanted entries, None if it cannot be brought to hold them."""
    if start is None:
        return None
    found = _read(start, path)
    if isinstance(found, str):
        return None
    try:
        data = start
        for change in _changes(found.entries, wanted):
            data = change(data, path=path)
    except IntentError:
        return None
    made = _read(data, path)
    if isinstance(made, str) or made.entries != wanted or made.rest != rest:
        return None
    return data


def _changes(
    held: Mapping[str, Mapping[str, Any]], wanted: Mapping[str, Mapping[str, Any]]
) -> Iterator[Callable[..., bytes]]:
    """The edits that make one set of entries of another, keys of others left out."""
    for name in held.keys() - wanted.keys():
        yield partial(remove_domain, name=name)
    for name, entry in wanted.items():
        made = Domain(
            name,
            entry.get("description", ""),
            tuple(entry.get("paths", ())),
            entry.get("user_edited", False),
        )
        if name not in held:
            yield partial(add_domain, domain=made)
        elif any(held[name].get(key) != entry.get(key) for key in _KEYS):
            yield partial(
                edit_domain,
                name=name,
                description=made.description,
                paths=made.paths,
                user_edited=made.user_edited,
            )
