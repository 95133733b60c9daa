"""The links of a whole store: rule I102 for files that no change touches.

The rules are asked about changes; a link that leads nowhere may have been there before.
Facts tell whether each link is sound. Only where one is not, the files that take part
are read, for the rules to say what is wrong with it.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from git_intent.store.facts import Fact
from git_intent.store.ids import ID
from git_intent.store.intent_dir import is_requirement, requirement_path
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.rules_links import judge_links
from git_intent.store.rules_view import Reader, Snapshot, view


def broken_links(
    facts: Sequence[Fact], snapshot: Snapshot, reader: Reader
) -> list[Issue]:
    """What the rules say about the links of a store as it stands.

    `facts` are those of the snapshot, sorted.
    """
    superseded = Status.SUPERSEDED.value
    if all(one.status != superseded for one in facts):
        return []
    holders: dict[str, Fact] = {}
    for one in facts:  # the file that bears an id as its name goes first
        if one.id not in holders or one.path == requirement_path(one.id):
            holders[one.id] = one
    links = {
        name: one.successor for name, one in holders.items() if one.status == superseded
    }
    broken = _broken(facts, snapshot) if set(links.values()) - holders.keys() else {}
    if set(links.values()) <= holders.keys() | broken.keys() and _all_end(links):
        return []
    ids = links.keys() | links.values()
    part = {one.path for one in facts if one.id in ids}
    part |= {path for name, path in broken.items() if name in ids}
    return sorted(judge_links(view({path: snapshot[path] for path in part}, reader)))


def _broken(facts: Sequence[Fact], snapshot: Snapshot) -> dict[str, str]:
    """The files that cannot be read, by the ids that they still hold."""
    unread = set(snapshot) - {one.path for one in facts}
    found = {PurePosixPath(path).stem: path for path in unread if is_requirement(path)}
    return {name: path for name, path in found.items() if ID.fullmatch(name)}


def _all_end(links: Mapping[str, str]) -> bool:
    """Whether no chain of links comes back to where it was."""
    ending: set[str] = set()
    for start in links:
        name, chain = start, dict[str, None]()
        while name in links and name not in ending and name not in chain:
            chain[name] = None
            name = links[name]
        if name in chain:
            return False
        ending.update(chain)
    return True
