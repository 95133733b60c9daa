"""The one way for a requirement to get another id: two met under one in a merge.

Two branches may give one id to different requirements. Where they meet, one keeps it,
and the other stands under another id from then on (`git intent resolve` does that).
Whatever protected it protects it there. Nothing has moved in a commit of one parent.
"""

from collections.abc import Sequence

from git_intent.store.requirement import Status
from git_intent.store.rules_view import Entry, View
from git_intent.store.wording import normalise


def moved_to(old: Entry, parents: Sequence[View], result: View) -> list[str]:
    """The ids under which a parent's requirement stands now; empty if it did not move.

    The id that it had must hold the words of another parent.
    """
    name = old.requirement.id
    new = result.entries.get(name)
    if len(parents) < 2 or new is None or _words(new) == _words(old):
        return []
    held = [parent.entries[name] for parent in parents if name in parent.entries]
    if all(_words(other) != _words(new) for other in held):
        return []
    return [
        other
        for other, entry in result.entries.items()
        if other != name and _words(entry) == _words(old) and _protected(old, entry)
    ]


def _words(entry: Entry) -> str:
    return normalise(entry.requirement.statement)


def _protected(old: Entry, new: Entry) -> bool:
    was, now = old.requirement, new.requirement
    kept = was.status in (Status.ACTIVE, now.status)
    return kept and now.user_edited >= was.user_edited
