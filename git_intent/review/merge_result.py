"""What a merge of one file of the store comes to."""

from dataclasses import dataclass

from git_intent.store.issue import Issue
from git_intent.store.malformed import Code


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
