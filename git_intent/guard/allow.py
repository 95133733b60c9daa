"""The trailer `Intent-Allow: CODE REQ reason`: a person's way out of I101 and I102.

It stands in the last paragraph of a commit's message and must give a reason. It counts
only where commits are judged (CI, `--from-ref`), and never in the commit of a scan or
of an agent. While a commit is being made nobody knows its message yet; there pre-commit
is told `SKIP=git-intent-rules`.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from git_intent.store.issue import Issue

_TRAILER = re.compile(
    r"^Intent-Allow:[ \t]*(I101|I102)[ \t]+(req-[0-9a-f]{4})[ \t]+(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ID = re.compile(r"req-[0-9a-f]{4}")


@dataclass(frozen=True, slots=True)
class Allowance:
    """Which rule may be broken for which requirement, and why."""

    code: str
    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.code} {self.id} is allowed: {self.reason}"


def allowances(messages: Iterable[str]) -> list[Allowance]:
    """What the messages of persons' commits allow."""
    found = []
    for message in messages:
        *above, last = re.split(r"\n[ \t]*\n", message.strip())
        for code, id, reason in _TRAILER.findall(last) if above else ():
            found.append(Allowance(code.upper(), id.lower(), reason.strip()))
    return found


def allowed(issue: Issue, by: Collection[Allowance]) -> Allowance | None:
    """The allowance for a finding: the requirement is the first that it speaks of."""
    ids = _ID.findall(f"{issue.message} {issue.path}")
    for one in by:
        if ids and (one.code, one.id) == (issue.code, ids[0]):
            return one
    return None
