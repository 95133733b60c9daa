"""What an answer to an offer does to the store: plain edits of requirement files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from git_intent.cli.actor import Claim
from git_intent.cli.add import free_id, rendered
from git_intent.cli.edit import revise
from git_intent.cli.editor import saved
from git_intent.cli.project import Project
from git_intent.scan.apply import requirement_of
from git_intent.scan.artifacts import Candidate
from git_intent.scan.inbox import Offer, Seen, Sort
from git_intent.store import mutate
from git_intent.store.field_editor import set_fields
from git_intent.store.intent_dir import requirement_path
from git_intent.store.requirement import Confidence, Requirement, Status
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules import Actor
from git_intent.store.stamps import stamp


class Answer(StrEnum):
    """`reject` a candidate, `disable` a requirement: a scan brings neither back."""

    ACCEPT = "accept"
    DISABLE = "disable"
    REJECT = "reject"


def apply(
    project: Project, answers: Sequence[tuple[Offer, Answer]], seen: Seen, who: Claim
) -> list[str]:
    """Do what was answered, all or nothing; a line for each answer.

    Raises IntentError if a hard rule forbids one of them; then nothing is written.
    """
    changes: dict[str, bytes] = {}
    lines = []
    for offer, answer in answers:
        made, line = _change(project, offer, answer, who, changes)
        changes.update(made)
        lines.append(line)
    if changes:
        project.change(changes, who)
    seen.add(offer for offer, _ in answers)
    return lines


def edit(project: Project, offer: Offer, seen: Seen, who: Claim) -> str:
    """Let the user say it in other words; what is saved of a candidate is written."""
    if isinstance(offer.told, Requirement):
        changed = revise(project, project.store(), offer.told, who)
        seen.add([offer])
        return f"{offer.key} {'changed' if changed else 'unchanged'}"
    made = _made(project, offer.told, Status.ACTIVE, who, {})
    path, data = requirement_path(made.id), rendered(made, project.now)
    with saved(project.repo, path, data) as new:
        told = parse_requirement(new, path)
        words = (told.statement, told.rationale, told.scope)
        if words != (made.statement, made.rationale, made.scope) and _person(who):
            new = set_fields(new, {"user_edited": True}, path)
        project.change({path: new}, who)
    seen.add([offer])
    return f"{offer.key} -> {made.id}"


def _change(
    project: Project,
    offer: Offer,
    answer: Answer,
    who: Claim,
    beside: Mapping[str, bytes],
) -> tuple[dict[str, bytes], str]:
    """The files that an answer changes, and how to say it."""
    if isinstance(offer.told, Candidate):
        status = Status.ACTIVE if answer is Answer.ACCEPT else Status.DISABLED
        made = _made(project, offer.told, status, who, beside)
        verb = "written" if answer is Answer.ACCEPT else "rejected"
        line = f"{offer.key} {verb} as {made.id}"
        return {requirement_path(made.id): rendered(made, project.now)}, line
    path = requirement_path(offer.key)
    data = project.file(path) or b""
    waits = offer.sort is Sort.PERSON  # it is disabled until somebody accepts it
    if answer is Answer.ACCEPT and waits:
        return {path: mutate.enable(data, project.now, path)}, f"{offer.key} enabled"
    if answer is Answer.ACCEPT or waits:
        return {}, f"{offer.key} stays as it is"
    return {path: mutate.disable(data, project.now, path)}, f"{offer.key} disabled"


def _made(
    project: Project,
    candidate: Candidate,
    status: Status,
    who: Claim,
    beside: Mapping[str, bytes],
) -> Requirement:
    """A person who accepts it vouches for it; the words are still the scan's."""
    taken = {path.rpartition("/")[2].removesuffix(".md") for path in beside}
    name = free_id(project, candidate.statement, taken)
    made = requirement_of(candidate, name, stamp(project.now))
    sure = status is Status.ACTIVE and _person(who)
    return replace(
        made, status=status, confidence=Confidence.HIGH if sure else Confidence.LOW
    )


def _person(who: Claim) -> bool:
    return who.actor is Actor.PERSON
