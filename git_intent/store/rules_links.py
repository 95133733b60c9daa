"""Rule I102: superseded is the end, and its link leads to one other requirement.

The links of the whole result are always judged, whoever made it: two clean sides of a
merge can close a circle that neither had.
"""

from collections.abc import Iterator, Mapping, Sequence

from git_intent.store.codes import issue
from git_intent.store.issue import Issue
from git_intent.store.requirement import Status
from git_intent.store.rules_moved import moved_to
from git_intent.store.rules_view import Entry, View


def judge_links(result: View) -> Iterator[Issue]:
    """Every superseded requirement names another one, and no chain is a circle."""
    links = _links(result)
    for name, successor in links.items():
        entry = result.entries[name]
        if not successor:
            yield _found(entry, "superseded, but superseded_by is empty")
        elif successor == name:
            yield _found(entry, "is superseded by itself")
        elif successor not in result.ids:
            yield _found(entry, f"is superseded by {successor}, which does not exist")
    for circle in _circles(links):
        chain = " -> ".join([*circle, circle[0]])
        yield _found(result.entries[circle[0]], f"supersede each other: {chain}")


def judge_terminal(parents: Sequence[View], result: View) -> Iterator[Issue]:
    """What a parent has as superseded stays so, with the same successor."""
    for name in sorted({name for parent in parents for name in _links(parent)}):
        new = result.entries.get(name)
        if new is None:
            continue  # deleted or broken: another rule's
        olds = [
            parent.entries[name]
            for parent in parents
            if name in parent.entries
            and not moved_to(parent.entries[name], parents, result)
        ]
        if all(old.requirement.status is not Status.SUPERSEDED for old in olds):
            continue  # it met another one, and is superseded where it is now
        status = new.requirement.status
        if _closes_circle(name, parents, result):
            continue  # the way out of a circle that a merge has closed
        if status is not Status.SUPERSEDED:
            # In a merge, disabled beats superseded.
            known = {old.requirement.status for old in olds}
            if not (status is Status.DISABLED and status in known):
                yield _found(new, f"superseded becomes {status.value}", "status")
        elif not _successor_kept(name, parents, result):
            old = _targets(name, parents)[0]
            successor = new.requirement.superseded_by or "nothing"
            yield _found(new, f"its successor changed from {old} to {successor}")


def _successor_kept(name: str, parents: Sequence[View], result: View) -> bool:
    target = result.entries[name].requirement.superseded_by
    olds = _targets(name, parents)
    known = set().union(*(parent.ids for parent in parents))
    sound = [old for old in olds if old and old != name and old in known]
    return target in olds or not sound or _followed(name, target, parents, result)


def _followed(name: str, target: str, parents: Sequence[View], result: View) -> bool:
    """Did the successor move to another id in this merge, and the link with it?"""
    for parent in parents:
        origin = parent.entries.get(_links(parent).get(name, ""))
        if origin and target in moved_to(origin, parents, result):
            return True
    return False


def _closes_circle(name: str, parents: Sequence[View], result: View) -> bool:
    """Would keeping the link close a circle of links that all come from parents?"""
    links = _links(result)
    inherited = {
        source: target
        for source, target in links.items()
        if any(_links(parent).get(source) == target for parent in parents)
    }
    for target in _targets(name, parents):
        seen = {name}
        while target and target not in seen:
            seen.add(target)
            target = inherited.get(target, "")
        if target == name and len(seen) > 1:
            return True
    return False


def _targets(name: str, parents: Sequence[View]) -> list[str]:
    found = [_links(parent).get(name) for parent in parents]
    return [target for target in found if target is not None]


def _links(of: View) -> dict[str, str]:
    return {
        name: entry.requirement.superseded_by
        for name, entry in of.entries.items()
        if entry.requirement.status is Status.SUPERSEDED
    }


def _circles(links: Mapping[str, str]) -> Iterator[list[str]]:
    """Each circle of two or more once, starting at its smallest member."""
    done: set[str] = set()
    for start in sorted(links):
        path: list[str] = []
        name = start
        while name in links and name not in done and name not in path:
            path.append(name)
            name = links[name]
        if name in path:
            circle = path[path.index(name) :]
            if len(circle) > 1:
                first = circle.index(min(circle))
                yield circle[first:] + circle[:first]
        done.update(path)


def _found(entry: Entry, message: str, key: str = "superseded_by") -> Issue:
    # Without the line that is wanted, point to the one that wants it.
    line, col = entry.position(key if key in entry.document.value else "status")
    text = f"{entry.requirement.id}: {message}"
    return issue("I102", entry.path, text, line, col)
