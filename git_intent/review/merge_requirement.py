"""Merge three versions of a requirement file, field by field, without losing a byte.

What the fields come to is decided in `merge_values`. Here it is brought into a file:
the result of a merge by lines, if the caller has one, else our version, else theirs, is
taken, and only the values that differ from what is wanted are edited. Comments, order,
quoting and line ends survive that way. The result is read again and compared, and put
before the hard rules; what does not pass is left to a person as a conflict.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from git_intent.errors import IntentError
from git_intent.review.merge_markers import SIZE, mark
from git_intent.review.merge_result import Merged, conflict
from git_intent.review.merge_values import (
    BODY,
    RATIONALE,
    STATEMENT,
    Pointer,
    Values,
    differing,
    merge_values,
    strangers,
    values_of,
)
from git_intent.store.field_editor import set_body, set_fields
from git_intent.store.intent_dir import requirement_path
from git_intent.store.issue import Issue
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import examine
from git_intent.store.rules import Actor, judge
from git_intent.store.rules_view import Entry, Reader
from git_intent.store.wording import normalise


def merge_requirement(
    path: str,
    base: bytes | None,
    ours: bytes,
    theirs: bytes,
    *,
    lines: bytes | None = None,
    size: int = SIZE,
    labels: tuple[str, str] = ("ours", "theirs"),
) -> Merged:
    """The file that both sides come to; `base` is None if each has added it.

    `lines` is what a merge by lines made of the three, if it met no conflict. `size`
    and `labels` are those of the conflict markers.
    """
    if ours == theirs or base == theirs:
        return Merged(ours)
    if base == ours:
        return Merged(theirs)
    marked = _Marked(path, ours, theirs, size, labels)
    reader = Reader()
    o, t = reader.read(path, ours), reader.read(path, theirs)
    if isinstance(o, Issue) or isinstance(t, Issue):
        side, broken = ("ours", o) if isinstance(o, Issue) else ("theirs", t)
        assert isinstance(broken, Issue)
        text = f"{side} cannot be read ({broken.code} {broken.message})"
        return marked.whole(f"{text}; keep what holds of the two")
    if o.requirement.id != t.requirement.id:
        ids = f"{o.requirement.id} and {t.requirement.id}"
        return marked.whole(f"two ids in one file, {ids}; keep the one in its name")
    read = None if base is None else reader.read(path, base)
    b = None if isinstance(read, Issue) else read
    lost = b is not None and (strangers(b, o) or strangers(b, t))
    if (base is None or lost) and not _equal(o.requirement, t.requirement):
        text = "two different requirements under one id"
        met = marked.whole(f"{text}; `git intent resolve` gives one a new id")
        return replace(met, met=True)
    b = None if lost else b
    return _merge(path, b, o, t, [lines, ours, theirs], marked)


def _merge(
    path: str,
    base: Entry | None,
    ours: Entry,
    theirs: Entry,
    starts: Iterable[bytes | None],
    marked: "_Marked",
) -> Merged:
    values = merge_values(base, ours, theirs)
    data = _first(_edited(path, start, values.ours) for start in starts if start)
    if data is None:
        return marked.whole("these cannot be put together safely; do it by hand")
    notes = tuple(f"{ours.requirement.id}: {note}" for note in values.notes)
    if values.clashes:
        other = _edited(path, data, values.theirs)
        return marked.places(data, other, values, notes)
    for issue in _refused(path, ours, theirs, data):
        return marked.whole(f"merged, it would break {issue.code}: {issue.message}")
    return Merged(data, (), notes)


def _edited(path: str, start: bytes, wanted: Mapping[Pointer, Any]) -> bytes | None:
    """`start` with the wanted values, None if it cannot be brought to say them."""
    found = Reader().read(path, start)
    if isinstance(found, Issue):
        return None
    changes = dict(differing(values_of(found), wanted))
    try:
        data = start
        if changes.keys() & {*BODY}:
            texts = (wanted.get(STATEMENT, ""), wanted.get(RATIONALE, ""))
            data = set_body(data, *texts, path)
        fields = {p: value for p, value in changes.items() if p not in BODY}
        for pointer, value in fields.items():
            data = _set(data, pointer, value, values_of(found).get(pointer), path)
    except IntentError:
        return None
    made = Reader().read(path, data)
    if isinstance(made, Issue) or dict(differing(values_of(made), wanted)):
        return None
    return data


def _set(data: bytes, pointer: Pointer, value: Any, old: Any, path: str) -> bytes:
    if value is None:  # emptied: the key is kept, as everywhere in the store
        value = {bool: False, list: []}.get(type(old), "")
    plain = isinstance(value, str | bool) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )
    if not plain or any("." in step for step in pointer):
        raise IntentError(f"{path}: {pointer[0]} holds more than a text or a list")
    return set_fields(data, {".".join(pointer): value}, path)


def _refused(path: str, ours: Entry, theirs: Entry, data: bytes) -> list[Issue]:
    """What the hard rules find in the merged file.

    Whatever else is linked to stands in all states: whether it exists, and whether
    links make a circle, shows in the whole store alone.
    """
    made = examine(data, path).requirement
    assert made is not None
    found = (ours.requirement, theirs.requirement, made)
    known = {requirement_path(r.superseded_by): b"" for r in found if r.superseded_by}
    home = requirement_path(made.id)
    known.pop(home, None)
    states = [{**known, home: entry.data} for entry in (ours, theirs)]
    return judge(states, {**known, home: data}, Actor.PERSON)


class _Marked:
    """Makes conflicts: both versions in one file, and what is to be decided."""

    def __init__(
        self, path: str, ours: bytes, theirs: bytes, size: int, labels: tuple[str, str]
    ) -> None:
        self._path, self._ours, self._theirs = path, ours, theirs
        self._size, self._labels = size, labels

    def whole(self, text: str) -> Merged:
        """The two files one after the other."""
        data, line = mark(
            self._ours, self._theirs, size=self._size, labels=self._labels, whole=True
        )
        return Merged(data, (conflict(self._path, line, text),))

    def places(
        self, ours: bytes, theirs: bytes | None, values: Values, notes: tuple[str, ...]
    ) -> Merged:
        """One file, in which only what is undecided stands twice."""
        names = ", ".join(".".join(pointer) for pointer in values.clashes)
        reasons = "; ".join(dict.fromkeys(values.clashes.values()))
        text = f"{names}: {reasons}; keep one of the two"
        if theirs is None:
            return self.whole(text)
        data, line = mark(ours, theirs, size=self._size, labels=self._labels)
        return Merged(data, (conflict(self._path, line, text),), notes)


def _equal(one: Requirement, other: Requirement) -> bool:
    return normalise(one.statement) == normalise(other.statement)


def _first(found: Iterator[bytes | None]) -> bytes | None:
    return next((data for data in found if data is not None), None)
