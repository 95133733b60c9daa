"""What a merge of one file of the store comes to, of whichever kind it is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from git_intent.store.issue import Issue
from git_intent.store.malformed import Code

#: Is the first commit an ancestor of the second one?
Ancestor = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Merged:
    """The bytes of the merged file, and what a person has to decide.

    With `conflicts` the bytes hold markers, and both sides can be read from them again
    (`merge_markers.sides`). `notes` say what a rule decided. `met` is set where two
    different requirements met under one id: `git intent resolve` gives one a new id.
    """

    data: bytes
    conflicts: tuple[Issue, ...] = ()
    notes: tuple[str, ...] = ()
    met: bool = False


def conflict(path: str, line: int, text: str) -> Issue:
    """A conflict has the code of its marker: any check finds it there, too."""
    return Issue(path, line, 1, Code.CONFLICT.value, text)


def three_ways(
    base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> dict[str, Any]:
    """Keys that are not known here; ours where both sides changed one."""
    found = {}
    for key in {**ours, **theirs}:
        b, o, t = base.get(key), ours.get(key), theirs.get(key)
        found[key] = t if b == o else o
    return {key: value for key, value in found.items() if value is not None}
