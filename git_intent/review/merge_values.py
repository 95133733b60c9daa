"""The values of one requirement that both sides of a merge changed, field by field.

A value that only one side changed is that side's. Where both did, protections add up:
disabled beats superseded, superseded beats active, `user_edited` stays. The rest has a
rule of its own (`_RULES`) or is left to a person. Each value comes from one of the
sides, so that the hard rules, which judge a merge against all its parents, accept it;
hints alone are put together. Nothing depends on which of the sides is called ours.

Two files without a common ancestor that say the same are one requirement found twice:
nothing in them is a conflict, and the *elder* (`_Merge.elder`) decides what no rule
does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from git_intent.store.mutate import MOST_HINTS, NOTICE
from git_intent.store.requirement import Confidence, Status
from git_intent.store.rules_view import Entry
from git_intent.store.stamps import instant
from git_intent.store.wording import normalise

Pointer = tuple[str, ...]

#: The two texts of the body, named like fields.
STATEMENT: Pointer = ("statement",)
RATIONALE: Pointer = ("rationale",)
BODY = (STATEMENT, RATIONALE)

_MAPPINGS = ("scope", "provenance")
_STATUS, _SUCCESSOR = ("status",), ("superseded_by",)
_HINTS, _EDITED = ("hints",), ("user_edited",)
_CREATED, _UPDATED = ("created",), ("updated",)
_CONFIDENCE = ("confidence",)
_STAMPS = (_CREATED, _UPDATED, ("provenance", "extracted_at"))
_ORIGIN = (_CREATED, ("provenance", "extracted_at"), ("provenance", "kind"))
_UNORDERED = (("scope", "domains"), ("scope", "languages"))
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Values:
    """What both sides come to: equal but where a person must choose.

    `clashes` names the places where `ours` and `theirs` differ, with the reason.
    """

    ours: Mapping[Pointer, Any]
    theirs: Mapping[Pointer, Any]
    clashes: Mapping[Pointer, str]
    notes: tuple[str, ...]


def values_of(entry: Entry) -> dict[Pointer, Any]:
    """The values of a file by place; an empty one is as good as none."""
    found: dict[Pointer, Any] = {}
    for key, value in entry.document.value.items():
        if key in _MAPPINGS and isinstance(value, dict):
            found |= {(key, inner): held for inner, held in value.items()}
        else:
            found[key,] = value
    found[STATEMENT] = entry.requirement.statement
    found[RATIONALE] = entry.requirement.rationale
    return {pointer: value for pointer, value in found.items() if value or value == 0}


def same(pointer: Pointer, one: Any, other: Any) -> bool:
    """Whether two values mean the same, however they are spelled."""
    return bool(_meaning(pointer, one) == _meaning(pointer, other))


def strangers(one: Entry, other: Entry) -> bool:
    """Are these two requirements, and not two versions of one?

    Then neither the words are the same nor where and when they were found, which no
    rule lets anybody change.
    """
    a, b = values_of(one), values_of(other)
    if normalise(a[STATEMENT]) == normalise(b[STATEMENT]):
        return False
    return any(not same(at, a.get(at), b.get(at)) for at in _ORIGIN)


def merge_values(base: Entry | None, ours: Entry, theirs: Entry) -> Values:
    merge = _Merge(
        values_of(base) if base else None, values_of(ours), values_of(theirs)
    )
    merge.run()
    return Values(
        _held(merge.a), _held(merge.b), merge.clashes, tuple(dict.fromkeys(merge.notes))
    )


def _held(values: Mapping[Pointer, Any]) -> dict[Pointer, Any]:
    return {pointer: value for pointer, value in values.items() if value or value == 0}


@dataclass(slots=True)
class _Merge:
    base: Mapping[Pointer, Any] | None
    ours: Mapping[Pointer, Any]
    theirs: Mapping[Pointer, Any]
    a: dict[Pointer, Any] = field(default_factory=dict)
    b: dict[Pointer, Any] = field(default_factory=dict)
    clashes: dict[Pointer, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def run(self) -> None:
        for pointer in sorted({*(self.base or ()), *self.ours, *self.theirs}):
            if pointer[0] != "provenance" and pointer not in (_STATUS, _SUCCESSOR):
                self.one(pointer)
        self.status()
        self.origin()
        self.redacted()
        self.empty_domain()

    def elder(self) -> Mapping[Pointer, Any]:
        """Of two files that met, the one that decides: a person's, then the older."""
        return min(self.ours, self.theirs, key=_seniority)

    def take(self, pointer: Pointer, value: Any) -> None:
        self.a[pointer] = self.b[pointer] = value

    def clash(self, pointer: Pointer, text: str) -> None:
        self.a[pointer] = self.ours.get(pointer)
        self.b[pointer] = self.theirs.get(pointer)
        self.clashes[pointer] = text

    def one(self, pointer: Pointer) -> None:
        """A field by itself: three-way, then by its rule."""
        o, t = self.ours.get(pointer), self.theirs.get(pointer)
        if pointer == _EDITED:
            self.take(pointer, o is True or t is True or o or t)
        elif same(pointer, o, t):
            self.take(pointer, o)
        elif pointer in (_CREATED, _UPDATED):
            choose = min if pointer == _CREATED else max
            self.take(pointer, choose((x for x in (o, t) if x), key=_moment))
        elif self.base is not None and same(pointer, self.base.get(pointer), o):
            self.take(pointer, t)
        elif self.base is not None and same(pointer, self.base.get(pointer), t):
            self.take(pointer, o)
        else:
            self.both_changed(pointer, o, t)

    def both_changed(self, pointer: Pointer, o: Any, t: Any) -> None:
        if pointer == _HINTS and isinstance(o or t, list):
            self.take(pointer, _union(o or [], t or []))
        elif pointer == _CONFIDENCE:
            self.take(pointer, min(filter(None, (o, t)), key=list(Confidence).index))
        elif pointer == STATEMENT and normalise(o) == normalise(t):
            self.take(pointer, self.elder()[pointer])
        elif self.base is None and _met_as_one(self.ours, self.theirs):
            # A lone value is kept, unless it belongs to a scope that is another's.
            elder = self.elder().get(pointer)
            whole = pointer[0] == "scope"
            self.take(pointer, elder if whole or (o and t) else o or t)
            if (o and t) or whole:
                self.notes.append(f"{_name(pointer)} of the elder file was kept")
        else:
            self.clash(pointer, "changed on both sides")

    def status(self) -> None:
        o, t = self.ours.get(_STATUS), self.theirs.get(_STATUS)
        pair = {o, t}
        if Status.DISABLED in pair:
            self.take(_STATUS, Status.DISABLED.value)
            if Status.SUPERSEDED in pair:
                side = self.ours if o == Status.SUPERSEDED else self.theirs
                by = side.get(_SUCCESSOR) or "nothing"
                text = f"disabled on one side, superseded by {by} on the other"
                self.notes.append(f"{text}: stays disabled")
            elif len(pair) > 1 and (self.base or {}).get(_STATUS) == Status.DISABLED:
                self.notes.append("enabled on one side only: stays disabled")
            return
        if Status.SUPERSEDED not in pair:
            self.take(_STATUS, o)
            return
        self.take(_STATUS, Status.SUPERSEDED.value)
        named = [
            side.get(_SUCCESSOR)
            for side in (self.ours, self.theirs)
            if side.get(_STATUS) == Status.SUPERSEDED
        ]
        known = (self.base or {}).get(_SUCCESSOR)
        sound = {by for by in named if by}
        if len(sound) < 2:
            self.take(_SUCCESSOR, next(iter(sound), None))
        elif known in sound:  # superseded is terminal: the first successor stays
            self.take(_SUCCESSOR, known)
        else:
            self.clash(_SUCCESSOR, "one successor only, and each side names another")

    def origin(self) -> None:
        """The provenance, whole, of the side that found the requirement first."""
        first = min(
            (self.ours, self.theirs),
            key=lambda side: (
                _moment(side.get(("provenance", "extracted_at"))),
                _moment(side.get(_CREATED)),
                _seniority(side),
            ),
        )
        other = self.theirs if first is self.ours else self.ours
        held = _provenance(first) or _provenance(other)
        for pointer, value in held.items():
            self.take(pointer, value)

    def redacted(self) -> None:
        """A text that was taken out on one side does not come back from the other."""
        sides = [s for s in (self.ours, self.theirs) if _is_redacted(s)]
        if len(sides) != 1 or _is_redacted(self.base or {}):
            return
        for pointer in (*BODY, _HINTS):
            self.take(pointer, sides[0].get(pointer))
            self.clashes.pop(pointer, None)
        if not sides[0].get(("provenance", "ref")):
            for pointer in [p for p in self.a if p[0] == "provenance"]:
                self.take(pointer, None)
            for pointer, value in _provenance(sides[0]).items():
                self.take(pointer, value)
        self.notes.append("redacted on one side: the text of the other was left out")

    def empty_domain(self) -> None:
        """Level and domains from different sides may not fit together."""
        for values in (self.a, self.b):
            level, named = values.get(("scope", "level")), ("scope", "domains")
            if level == "domain" and not values.get(named):
                before = [s.get(named) for s in (self.ours, self.theirs)]
                if any(before):
                    self.clash(("scope", "level"), "domain on one side")
                    self.clash(named, "removed on one side")
                return


def _meaning(pointer: Pointer, value: Any) -> Any:
    if pointer in _STAMPS and isinstance(value, str):
        return instant(value) or value
    if pointer in _UNORDERED and isinstance(value, list):
        return sorted(map(str, value))
    return value or None


def _moment(text: Any) -> tuple[datetime, str]:
    """For sorting stamps; what is none comes last."""
    found = instant(text) if isinstance(text, str) else None
    return found or _NEVER, str(text or "")


def _seniority(side: Mapping[Pointer, Any]) -> tuple[Any, ...]:
    spelled = sorted((pointer, str(value)) for pointer, value in side.items())
    return (side.get(_EDITED) is not True, _moment(side.get(_CREATED)), spelled)


def _met_as_one(ours: Mapping[Pointer, Any], theirs: Mapping[Pointer, Any]) -> bool:
    said = [normalise(side.get(STATEMENT, "")) for side in (ours, theirs)]
    return said[0] == said[1]


def _union(ours: list[str], theirs: list[str]) -> list[str]:
    """The first five by text; of two that say the same, one."""
    found: dict[str, str] = {}
    for hint in sorted({*ours, *theirs}):
        found.setdefault(normalise(hint), hint)
    return list(found.values())[:MOST_HINTS]


def _provenance(side: Mapping[Pointer, Any]) -> dict[Pointer, Any]:
    return {p: value for p, value in side.items() if p[0] == "provenance"}


def _is_redacted(side: Mapping[Pointer, Any]) -> bool:
    retired = side.get(_STATUS) != Status.ACTIVE.value
    return retired and side.get(STATEMENT) == NOTICE


def _name(pointer: Pointer) -> str:
    return ".".join(pointer)


def differing(
    one: Mapping[Pointer, Any], other: Mapping[Pointer, Any]
) -> Iterator[tuple[Pointer, Any]]:
    """Each place where `one` must be changed to mean what `other` does, and to what."""
    for pointer in sorted({*one, *other}):
        if not same(pointer, one.get(pointer), other.get(pointer)):
            yield pointer, other.get(pointer)
