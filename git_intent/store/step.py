"""One step of the store by whoever edits it: may it be taken, and what is odd in it?

The hard rules and the checks of each file, on the change alone: a fault in files that
do not change was there before, and is for the check of the whole store. So the cost
follows the change, not the store.
"""

from collections.abc import Mapping

from git_intent.errors import IntentError
from git_intent.store.check import check_file
from git_intent.store.intent_dir import is_requirement, requirement_path
from git_intent.store.issue import Issue, Severity
from git_intent.store.requirement import Status
from git_intent.store.rules import Actor, judge
from git_intent.store.rules_view import Entry, Reader, Snapshot


class StepRefused(IntentError):
    """The step breaks a rule, or a file of it would be unsound; `issues` say which."""

    def __init__(self, issues: list[Issue], hint: str) -> None:
        super().__init__("\n  ".join(f"{issue}" for issue in issues), hint)
        self.issues = tuple(issues)

    @property
    def code(self) -> str:
        return self.issues[0].code


def objections(
    before: Snapshot, changes: Mapping[str, bytes], actor: Actor
) -> list[Issue]:
    """Every rule that the changes break, and what they make unsound."""
    reader = Reader()
    near = _concerned(before, changes, reader)
    issues = judge([near], {**near, **changes}, actor, reader=reader)
    for path, data in changes.items():
        issues += _new(path, before.get(path, b""), data, Severity.ERROR)
    return issues


def remarks(before: Snapshot, changes: Mapping[str, bytes]) -> list[Issue]:
    """What a check will have to say of the files from now on, without an error."""
    return [
        found
        for path, data in changes.items()
        for found in _new(path, before.get(path, b""), data, Severity.WARNING)
    ]


def _new(path: str, old: bytes, data: bytes, severity: Severity) -> list[Issue]:
    known = {found.message for found in check_file(path, old)}
    return [
        found
        for found in check_file(path, data)
        if found.severity is severity and found.message not in known
    ]


def _concerned(
    before: Snapshot, changes: Mapping[str, bytes], reader: Reader
) -> Snapshot:
    """What of the store the rules have to see: the files that change, and the chains of
    successors that begin in them. All of it if an id is to move or to go."""
    wanted = set(changes)
    todo = [(p, d) for p in changes for d in (before.get(p), changes[p]) if d]
    while todo:
        path, data = todo.pop()
        found = reader.read(path, data) if is_requirement(path) else None
        if not isinstance(found, Entry):
            if found is not None:
                return before
            continue
        if requirement_path(found.requirement.id) != path:
            return before
        if found.requirement.status is Status.SUPERSEDED:
            successor = requirement_path(found.requirement.superseded_by)
            if successor in before and successor not in wanted:
                wanted.add(successor)
                todo.append((successor, before[successor]))
    return {path: before[path] for path in wanted if path in before}
