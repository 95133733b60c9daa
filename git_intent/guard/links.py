"""The links of a whole store: rule I102 for files that no change touches.

The rules are asked about changes; a link that leads nowhere may have been there before.
Nearly every superseded file is in the writer's own form, where two lines tell the link,
so YAML is read for the others only, and where a link is found to be broken.
"""

import re
from collections.abc import Iterator, Mapping

from git_intent.store.intent_dir import is_requirement, requirement_path
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.rules_links import judge_links
from git_intent.store.rules_view import Entry, Reader, Snapshot, view

_PLAIN = re.compile(
    rb"---\nid: (req-[0-9a-f]{4})\n"
    rb"status: superseded\nsuperseded_by: (req-[0-9a-f]{4})\n"
)


def broken_links(snapshot: Snapshot) -> list[Issue]:
    """What the rules say about the links of a store as it stands."""
    reader = Reader()
    links = dict(_links(snapshot, reader))
    if _sound(links, snapshot):
        return []
    # The files that take part, and whatever may claim an id that has no file.
    missing = [
        name.encode()
        for name in links.values()
        if requirement_path(name) not in snapshot
    ]
    known = {requirement_path(name) for name in links.keys() | links.values()}
    part = {
        path: data
        for path, data in snapshot.items()
        if path in known or any(name in data for name in missing if name)
    }
    return sorted(judge_links(view(part, reader)))


def _links(snapshot: Snapshot, reader: Reader) -> Iterator[tuple[str, str]]:
    """Each superseded requirement, and its successor."""
    for path, data in snapshot.items():
        # YAML can spell a word with escapes.
        if not is_requirement(path) or not (b"superseded" in data or b"\\" in data):
            continue
        plain = _PLAIN.match(data)
        if plain and path == requirement_path(plain[1].decode()):
            yield plain[1].decode(), plain[2].decode()
            continue
        found = reader.read(path, data)
        if isinstance(found, Entry):
            known = found.requirement
            if known.status is Status.SUPERSEDED:
                yield known.id, known.superseded_by


def _sound(links: Mapping[str, str], snapshot: Snapshot) -> bool:
    """Whether each link leads to a file, and each chain of them to an end."""
    if any(requirement_path(name) not in snapshot for name in links.values()):
        return False
    ending: set[str] = set()
    for start in links:
        name, chain = start, list[str]()
        while name in links and name not in ending:
            ending.add(name)
            chain.append(name)
            name = links[name]
        if name in chain:
            return False
    return True
