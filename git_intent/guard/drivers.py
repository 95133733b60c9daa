"""The diff and merge drivers that `.cloche/intent/.gitattributes` names, in the local
git configuration.

`git diff` then heads each hunk with the status of the requirement, and `git merge` asks
`git intent merge-driver`. Where that program is missing, git's own merge of texts takes
its place, with conflict markers; without a registered driver git does that by itself.
What a person set under these names stays.
"""

import os
from dataclasses import dataclass

from git_intent.files import effect
from git_intent.git.repository import Repository

_MERGE = (
    "git-intent merge-driver %O %A %B %L %P"
    " || { code=$?; test $code -lt 126 && exit $code;"
    " git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B; }"
)
SETTINGS = {
    "diff.git-intent.xfuncname": r"^((id|status): .*|\*\*Why:\*\*.*)$",
    "merge.git-intent.name": "requirements, the domain map and the scan's cursors",
    "merge.git-intent.driver": _MERGE,
}
#: By these words a value of another version is known as ours.
_OURS = {"merge.git-intent.driver": "merge-driver %O %A %B"}


@dataclass(frozen=True, slots=True)
class Setting:
    """A key whose value is to change; without a new one it is to go."""

    key: str
    value: str | None

    def __str__(self) -> str:
        return f"{self.key} {'unset' if self.value is None else 'set'}"

    def set(self, repo: Repository) -> None:
        effect(f"config {self.key}")
        if self.value is None:
            repo.git("config", "--local", "--unset", self.key)
        else:
            repo.git("config", "--local", self.key, self.value)


def plan_settings(repo: Repository, *, remove: bool) -> tuple[list[Setting], list[str]]:
    """What to set or to unset, and which keys somebody else has set otherwise."""
    found: list[Setting] = []
    foreign: list[str] = []
    for key, value in SETTINGS.items():
        present = _values(repo, key)
        ours = all(p == value or _OURS.get(key, value) in p for p in present)
        if not ours:
            foreign.append(f"{key} is set otherwise, which stays")
        elif remove and present:
            found.append(Setting(key, None))
        elif not remove and present != [value]:
            found.append(Setting(key, value))
    return found, foreign


def _values(repo: Repository, key: str) -> list[str]:
    out = repo.git("config", "--local", "-z", "--get-all", key, check=False)
    return [os.fsdecode(value) for value in out.split(b"\0")[:-1]]
