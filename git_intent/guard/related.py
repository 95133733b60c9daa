"""What the rules must know besides the files that differ.

A rule about one requirement may ask for others: the successor that it names, the ones
behind that, and whoever claims an id that is gone. They are added to a `Delta` until
nothing is missing, so that `store.rules.judge` finds in it what it would find in the
whole store: everything that the difference brings about. A fault that is the same
before and after, in files that do not differ, is for the check of the whole store.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from git_intent.guard.states import Delta
from git_intent.store.intent_dir import is_requirement, requirement_path
from git_intent.store.issue import Issue
from git_intent.store.rules_view import Reader, view

_ID = re.compile(rb"req-[0-9a-f]{4}(?![0-9a-z])")


def complete(delta: Delta, reader: Reader) -> Delta:
    """The delta with all that a judgement of it asks for."""
    before = [dict(side) for side in delta.before]
    after = dict(delta.after)

    def add(found: Mapping[str, bytes]) -> None:
        for side in (*before, after):
            side.update(found)

    asked: set[str] = set()
    searched: set[str] = set()
    while True:
        wanted = {
            name
            for side in (*before, after)
            for path, data in side.items()
            for name in _linked(path, data, reader)
        } - asked
        if wanted:
            asked |= wanted
            add(delta.rest.read(map(requirement_path, wanted)))
        held = view(after, reader)
        named = {id for id in held.entries if requirement_path(id) in after}
        known = set().union(*(view(side, reader).ids for side in before))
        lost = ((known | asked) - named) - searched
        if lost:
            searched |= lost
            add(_claiming(delta.rest.requirements(), lost))
        elif not wanted:
            return Delta(tuple(before), after, delta.rest)


def _linked(path: str, data: bytes, reader: Reader) -> Iterator[str]:
    """Ids that a superseded requirement may name as its successor; rather too many."""
    if not is_requirement(path):
        return
    if b"superseded" in data:
        yield from (name.decode() for name in _ID.findall(data))
    if b"\\" in data:  # YAML can spell both words otherwise
        found = reader.read(path, data)
        if not isinstance(found, Issue) and found.requirement.superseded_by:
            yield found.requirement.superseded_by


def _claiming(files: Mapping[str, bytes], ids: Collection[str]) -> dict[str, bytes]:
    """The files that speak of one of `ids`, or in a way that hides what they say."""
    names = [name.encode() for name in ids]
    return {
        path: data
        for path, data in files.items()
        if b"\\" in data or any(name in data for name in names)
    }
