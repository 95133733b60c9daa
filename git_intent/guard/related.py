"""What the rules must know besides the files that differ.

A rule about one requirement may ask for others: the successor that it names, the ones
behind that, and whoever claims an id that is gone. They are added to a `Delta` until
nothing is missing, so that `store.rules.judge` finds in it what it would find in the
whole store: everything that the difference brings about. A fault in files that do not
differ (a link into nothing, a file with the id of another) was there before, and is for
the check of the whole store.
"""

from collections.abc import Collection, Iterator, Mapping

from git_intent.guard.states import Delta
from git_intent.store.intent_dir import is_requirement, requirement_path
from git_intent.store.requirement import Status
from git_intent.store.rules_view import Entry, Reader, view


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
            for name in _named(path, data, reader)
        } - {*asked, ""}
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


def _named(path: str, data: bytes, reader: Reader) -> Iterator[str]:
    """The successor that a requirement names, and whose id it claims to have."""
    found = reader.read(path, data) if is_requirement(path) else None
    if not isinstance(found, Entry):
        return
    if found.requirement.status is Status.SUPERSEDED:
        yield found.requirement.superseded_by
    if path != requirement_path(found.requirement.id):
        yield found.requirement.id


def _claiming(files: Mapping[str, bytes], ids: Collection[str]) -> dict[str, bytes]:
    """The files that name one of `ids`, or that YAML may read as if they did."""
    names = [name.encode() for name in ids]
    return {
        path: data
        for path, data in files.items()
        if b"\\" in data or any(name in data for name in names)
    }
