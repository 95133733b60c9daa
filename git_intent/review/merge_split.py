"""Two different requirements met under one id: one keeps it, the other gets a new one.

Two branches may derive the same id from different statements, or add files by hand. The
requirement that the default branch knows keeps the id; if it knows neither, ours does,
onto which the other is merged or rebased. The other one moves to a new file, with every
byte but its id, and links that meant it follow. This is the one change of an id that
the hard rules allow: the old id stays, with the words that one of the parents had.

Running it again changes nothing: a requirement that has moved already is known by its
words and its origin.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from git_intent.review.merge_requirement import merge_requirement
from git_intent.review.merge_result import Merged
from git_intent.review.merge_values import strangers, values_of
from git_intent.store.field_editor import set_fields
from git_intent.store.ids import new_id
from git_intent.store.intent_dir import is_requirement, requirement_path
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.rules_view import Entry, Reader
from git_intent.store.wording import normalise

Snapshot = Mapping[str, bytes]


class Side(StrEnum):
    OURS = "ours"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Meeting:
    """What met under `id`; `base` is what one of the two came from, if anything."""

    id: str
    path: str
    base: bytes | None
    ours: bytes
    theirs: bytes


@dataclass(frozen=True, slots=True)
class Split:
    """`kept` stays under the id. `data`, at `path`, is what moved to the id `new`.

    `said` is its statement, `moved` names the side that it came from. If the file is
    not new (`is_new`), it may hold `conflicts` now.
    """

    id: str
    new: str
    kept: bytes
    path: str
    data: bytes
    said: str
    moved: Side
    is_new: bool
    conflicts: tuple[Issue, ...] = ()


def split(
    meeting: Meeting,
    known: Sequence[bytes],
    store: Snapshot,
    taken: Callable[[str], bool],
    reader: Reader,
) -> Split:
    """Give each of the two an id.

    `known` is what the default branch has under the id, best source first. `store` is
    the rest of the result so far, `taken` says which ids may not be given again.
    """
    ours, theirs = (_read(reader, d) for d in (meeting.ours, meeting.theirs))
    keeper = _keeper(ours, theirs, [_try(reader, data) for data in known])
    moved = Side.THEIRS if keeper is ours else Side.OURS
    other = theirs if keeper is ours else ours
    base = _try(reader, meeting.base) if meeting.base else None
    if base is not None and strangers(base, other):
        base = None
    there = _there_already(meeting.id, base, other, store, reader)
    said = other.requirement.statement
    if there is None:
        new = new_id(said, taken)
        data, path = set_fields(other.data, {"id": new}), requirement_path(new)
        return Split(meeting.id, new, keeper.data, path, data, said, moved, True)
    new, path = there.requirement.id, there.path
    made = _fold(base, there, other)
    return Split(
        meeting.id,
        new,
        keeper.data,
        path,
        made.data,
        said,
        moved,
        False,
        made.conflicts,
    )


def _keeper(ours: Entry, theirs: Entry, known: Sequence[Entry | None]) -> Entry:
    for entry in known:
        near = [_nearness(entry, side) for side in (ours, theirs)] if entry else [0, 0]
        if near[0] != near[1]:
            return ours if near[0] > near[1] else theirs
    return ours


def _nearness(known: Entry, side: Entry) -> int:
    """2 for the same words, 1 for others of the same origin, 0 for a stranger."""
    said = [normalise(entry.requirement.statement) for entry in (known, side)]
    return 2 if said[0] == said[1] else int(not strangers(known, side))


def _there_already(
    id: str, base: Entry | None, other: Entry, store: Snapshot, reader: Reader
) -> Entry | None:
    """The requirement under another id that says what `other` does, or once did."""
    said = [e.requirement.statement for e in (other, base) if e is not None]
    words = {normalise(text) for text in said}
    found = []
    for path in filter(is_requirement, sorted(store)):
        entry = _try(reader, store[path], path)
        if entry is None or entry.requirement.id == id:
            continue
        says = normalise(entry.requirement.statement) in words
        if says and entry.requirement.status is not Status.SUPERSEDED:
            found.append(entry)
    return min(found, key=lambda entry: not _same_origin(entry, other), default=None)


def _same_origin(one: Entry, other: Entry) -> bool:
    a, b = values_of(one), values_of(other)
    return all(a.get(at) == b.get(at) for at in a if at[0] in ("created", "provenance"))


def _fold(base: Entry | None, there: Entry, other: Entry) -> Merged:
    """What `other` changed, brought into the requirement it became."""
    new = there.requirement.id
    if _same_origin(there, other):
        old = set_fields(base.data, {"id": new}) if base else None
        moved = set_fields(other.data, {"id": new})
        return merge_requirement(there.path, old, there.data, moved)
    if other.requirement.status is Status.DISABLED:
        return Merged(set_fields(there.data, {"status": Status.DISABLED.value}))
    return Merged(there.data)


def follow(
    splits: Sequence[Split], result: Snapshot, sides: Mapping[Side, Snapshot]
) -> dict[str, bytes]:
    """The files whose `superseded_by` meant a requirement that moved, corrected.

    `sides` are the stores of both sides. A link that both have, or whose side is not
    known, stays with the one that kept the id.
    """
    reader = Reader()
    changed: dict[str, bytes] = {}
    for path in naming([one.id for one in splits], result):
        entry = _read(reader, result[path])
        for one in splits:
            if entry.requirement.superseded_by != one.id:
                continue
            if _meant(one, splits, path, sides, reader):
                changed[path] = set_fields(entry.data, {"superseded_by": one.new})
    return changed


def naming(ids: Collection[str], store: Snapshot) -> list[str]:
    """The files whose `superseded_by` is one of `ids`."""
    reader = Reader()
    words = [id.encode() for id in ids]
    held = [p for p in sorted(store) if any(word in store[p] for word in words)]
    found = ((path, _try(reader, store[path], path)) for path in held)
    return [p for p, entry in found if entry and entry.requirement.superseded_by in ids]


def _meant(
    one: Split,
    splits: Sequence[Split],
    path: str,
    sides: Mapping[Side, Snapshot],
    reader: Reader,
) -> bool:
    """Did this file's link to the id mean the requirement that moved away?"""
    moved = [s for s in splits if s.path == path and s.is_new]
    if moved:  # a whole file of one side, and so are its links
        return moved[0].moved is one.moved
    links = {
        side: _links(store.get(path), path, one.id, reader)
        for side, store in sides.items()
    }
    kept = Side.OURS if one.moved is Side.THEIRS else Side.THEIRS
    return links.get(one.moved, False) and not links.get(kept, False)


def _links(data: bytes | None, path: str, id: str, reader: Reader) -> bool:
    entry = _try(reader, data, path) if data is not None else None
    return entry is not None and entry.requirement.superseded_by == id


def _read(reader: Reader, data: bytes) -> Entry:
    found = reader.read("requirement", data)
    assert not isinstance(found, Issue)  # what met was readable on both sides
    return found


def _try(reader: Reader, data: bytes, path: str = "requirement") -> Entry | None:
    found = reader.read(path, data)
    return None if isinstance(found, Issue) else found
