"""Settled records of a ledger, by key: what an append rarely needs.

A live state holds what still matters; what is settled goes here: sources (`src-…`),
actions (`act-57`), gaps, clauses out of force (`out-57.2`), captures by their bytes
(`bytes:SHA256`), requests (`request:ID`). Records are JSON-able dictionaries and are
never changed in place: a later `put` of a key stands for it.

Each sealed segment of the journal has one part, which holds what was put while it was
filled. Parts are immutable and come from outside, newest first, one at a time, and
only when a key is asked for that no newer part has.
"""

from collections.abc import Iterable, Iterator
from typing import Any

Record = dict[str, Any]


class Archive:
    """`fresh` is what was put since the last sealed segment."""

    __slots__ = ("_loaded", "_older", "fresh")

    def __init__(self, older: Iterable[dict[str, Record]] = ()) -> None:
        """`older` gives the parts of the sealed segments, the newest first."""
        self.fresh: dict[str, Record] = {}
        self._loaded: dict[str, Record] = {}
        self._older: Iterator[dict[str, Record]] = iter(older)

    def put(self, key: str, record: Record) -> None:
        """Keep `record` as what `key` names from now on."""
        self.fresh[key] = record

    def get(self, key: str) -> Record | None:
        """What `key` names; loads older parts until one has it."""
        for known in (self.fresh, self._loaded):
            if key in known:
                return known[key]
        for part in self._parts():
            if key in part:
                return part[key]
        return None

    def at_hand(self, key: str) -> bool:
        """Whether `key` names something in what is loaded anyway."""
        return key in self.fresh or key in self._loaded

    def all_keys(self) -> set[str]:
        """Every key of the whole history: loads all of it."""
        for _ in self._parts():
            pass
        return self.fresh.keys() | self._loaded.keys()

    def seal(self) -> dict[str, Record]:
        """End the part of a segment and give it."""
        part, self.fresh = self.fresh, {}
        self._loaded.update(part)
        return part

    def _parts(self) -> Iterator[dict[str, Record]]:
        """Load the older parts, one after the other."""
        for part in self._older:
            for key, record in part.items():
                self._loaded.setdefault(key, record)
            yield part
