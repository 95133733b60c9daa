"""The agent reconciler: a configured command decides what becomes of each candidate.

It sees the candidates and all requirements as quoted JSON lines. Its answer is held to
what the rules leave to an agent: a disabled or superseded requirement is no target, a
person's words are not rewritten, one requirement has one successor, and that of the
same part of the project. A candidate that a person must look at first is never shown
to it and is simply created (disabled, later on).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from git_intent.scan.agent_call import Agent, plain, render
from git_intent.scan.agent_reply import Complaints, Part
from git_intent.scan.artifacts import Action, Candidate, Decision
from git_intent.scan.known import Known
from git_intent.scan.overlap import overlap
from git_intent.store.requirement import Scope, Status

#: Candidates in one prompt; each prompt also holds every requirement.
BATCH = 40


def reconcile(
    candidates: Sequence[Candidate],
    known: Mapping[str, Known],
    *,
    command: Sequence[str],
    cwd: Path,
    log_dir: Path,
    timeout: float,
    nonce: str,
) -> tuple[Decision, ...]:
    """One decision for each candidate, in their order.

    Raises IntentError if the agent gives no usable answer; without candidates it is not
    asked.
    """
    agent = Agent(command, cwd, log_dir, timeout, nonce)
    asked = [c for c in candidates if not c.suspect]
    decided: dict[int, Decision] = {}
    replaced: set[str] = set()
    for start in range(0, len(asked), BATCH):
        batch = asked[start : start + BATCH]
        reader = _Reader(batch, known, frozenset(replaced))
        material = "\n".join([*_requirements(known), *_candidates(batch)])
        prompt = render("reconcile", nonce=agent.nonce, material=material)
        number = start // BATCH + 1
        found = agent.ask(f"reconcile-{number}", prompt, reader.decisions)
        replaced |= {d.existing_id for d in found if d.action is Action.SUPERSEDE}
        decided |= {id(d.candidate): d for d in found}
    return tuple(
        decided.get(id(c)) or Decision(Action.CREATE, c, reason="a person must look")
        for c in candidates
    )


def _requirements(known: Mapping[str, Known]) -> Iterator[str]:
    for one in sorted(known.values(), key=lambda k: k.id):
        requirement = one.requirement
        about: dict[str, Any] = {
            "requirement": one.id,
            "status": requirement.status.value,
            "scope": _scope(requirement.scope),
            "statement": requirement.statement,
        }
        if requirement.rationale:
            about["rationale"] = requirement.rationale
        if _by_person(one):
            about["by_person"] = True
        yield _line(about)


def _candidates(batch: Sequence[Candidate]) -> Iterator[str]:
    for number, candidate in enumerate(batch, start=1):
        about: dict[str, Any] = {
            "candidate": number,
            "from": candidate.provenance.ref,
            "scope": _scope(candidate.scope),
            "statement": candidate.statement,
        }
        if candidate.rationale:
            about["rationale"] = candidate.rationale
        yield _line(about)


def _line(about: Mapping[str, Any]) -> str:
    return plain(json.dumps(about, ensure_ascii=False))


def _scope(scope: Scope) -> dict[str, Any]:
    lists = {
        "domains": scope.domains,
        "paths": scope.paths,
        "languages": scope.languages,
    }
    return {"level": scope.level.value, **{k: v for k, v in lists.items() if v}}


def _by_person(one: Known) -> bool:
    return one.by_person or one.requirement.user_edited


class _Reader:
    """The shape of a reconciler's answer, and what it means."""

    def __init__(
        self,
        batch: Sequence[Candidate],
        known: Mapping[str, Known],
        replaced: frozenset[str],
    ) -> None:
        self.batch = batch
        self.known = known
        self.replaced = replaced

    def decisions(self, value: Any, complaints: Complaints) -> list[Decision]:
        whole = Part(value, "", ("decisions",), complaints)
        found: dict[int, Decision] = {}
        replaced = set(self.replaced)
        # One more than allowed, so that a candidate decided twice is named as such.
        for index, item in enumerate(whole.items("decisions", 2 * len(self.batch))):
            part = Part(item, f"/decisions/{index}", _KEYS, complaints)
            number = part.number("candidate", 1, len(self.batch))
            if number in found:
                part.wrong("candidate", f"candidate {number} was decided already")
            decision = self._decision(part, self.batch[number - 1])
            if decision.action is Action.SUPERSEDE:
                if decision.existing_id in replaced:
                    part.wrong("existing_id", "another candidate supersedes it already")
                replaced.add(decision.existing_id)
            found[number] = decision
        for number in range(1, len(self.batch) + 1):
            if number not in found:
                complaints.add("/decisions", f"candidate {number} has no decision")
        return list(found.values())

    def _decision(self, part: Part, candidate: Candidate) -> Decision:
        action = part.word("action", Action)
        name = part.text("existing_id", 100)
        one = self.known.get(name)
        if name and one is None:
            part.wrong("existing_id", f"there is no requirement {name[:20]!a}")
        elif one is None:
            if action in (Action.MERGE, Action.SUPERSEDE):
                part.wrong("existing_id", f"expected an id, {action} needs one")
        elif action is Action.CREATE:
            part.wrong("existing_id", "expected none, create makes a new requirement")
        elif action is not Action.DROP:
            _judge_target(part, action, one, candidate)
        return Decision(
            action,
            candidate,
            existing_id=name,
            reason=part.text("reason", 500, required=True),
            base=one.base if one else "",
            statement=_reworded(part, "statement", 1000, action, one),
            rationale=_reworded(part, "rationale", 2000, action, one),
        )


def _judge_target(part: Part, action: Action, one: Known, candidate: Candidate) -> None:
    status = one.requirement.status
    if status is not Status.ACTIVE:
        part.wrong("existing_id", f"{one.id} is {status}: create or drop instead")
    if action is Action.SUPERSEDE and not overlap(
        one.requirement.scope, candidate.scope
    ):
        part.wrong("existing_id", f"{one.id} concerns another part of the project")


def _reworded(
    part: Part, key: str, longest: int, action: Action, one: Known | None
) -> str:
    text = part.text(key, longest)
    if text and action is not Action.MERGE:
        part.wrong(key, "expected none, only merge may reword")
    elif text and one and _by_person(one):
        part.wrong(key, f"expected none, a person wrote the words of {one.id}")
    return text


_KEYS = ("candidate", "action", "existing_id", "reason", "statement", "rationale")
