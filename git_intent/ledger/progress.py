"""progress: what became of the outcomes, and what is next.

    {"contract": hash, "outcomes": {id: {"state", "evidence", "blockers"}},
     "next_work": [lines], "scope": {"ref", "sha256", "phase", "remaining"}}

All but `contract` may be left out, and so may the members of an outcome. It says
nothing about what is wanted: it names outcomes of the current contract and cannot make,
end or reword one. Evidence adds up, blockers and next work are as last given, and the
next work ends with its contract. DONE needs evidence, and a DONE outcome opens again
through a classification only. While a prompt waits for classification there is no next
work to plan.
"""

from __future__ import annotations

from git_intent.ledger import evidence, scope
from git_intent.ledger.citation import Reader
from git_intent.ledger.contract import find
from git_intent.ledger.fields import (
    at,
    choice,
    digest,
    invalid,
    items,
    mapping,
    record,
    text,
)
from git_intent.ledger.fold import Draft
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import LIVE, State

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

    from git_intent.ledger.archive import Record
    from git_intent.ledger.edge import Edge
    from git_intent.ledger.event import Event
    from git_intent.ledger.fields import Check

STATES = ("OPEN", "ACTIVE", "BLOCKED", "DONE")
#: How many outcomes a summary names.
_TOLD = 5
_BRINGS = ("outcomes", "next_work", "scope")

_next = items(text(1_000, line=True), 0, 100)
#: Next work on record: bound to the contract, and to the scope if there was one.
next_work = record(
    {"contract": digest, "items": _next}, {"scope": record(evidence.REFERRED)}
)


def _shape(listed: Check) -> Check:
    outcome = {
        "state": choice(*STATES),
        "evidence": listed,
        "blockers": items(text(500, line=True), 0, 50),
    }
    return record(
        {"contract": digest},
        {
            "outcomes": mapping(record({}, outcome), 1, 1_000),
            "next_work": _next,
            "scope": scope.shape,
        },
    )


_document = _shape(evidence.given())
_body = _shape(evidence.recorded())


def compose(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """The event of an owner's document."""
    _document(document, "")
    _judge(state, document)
    body = dict(document)
    blobs: dict[str, bytes] = {}
    outcomes: dict[str, Record] = {}
    for outcome, given in document.get("outcomes", {}).items():
        outcomes[outcome] = dict(given)
        if "evidence" in given:
            here = at(at("/outcomes", outcome), "evidence")
            items_, kept = evidence.compose(given["evidence"], edge, here)
            outcomes[outcome]["evidence"] = items_
            blobs |= kept
    if outcomes:
        body["outcomes"] = outcomes
    if "scope" in document:
        evidence.prove(document["scope"], edge, "/scope")
    _prove_done(state, outcomes, edge)
    return Draft("progress", body, _summary(body), evidence=blobs)


def admit(state: State, event: Event) -> None:
    """Refuse progress that does not follow from the state."""
    _body(event.body, "")
    _judge(state, event.body)


def apply(state: State, event: Event) -> None:
    """Set what is given; leave alone what is not."""
    body = event.body
    if "scope" in body:
        state.scope = body["scope"]
    mark = scope.bound(state.scope)
    outcomes = dict(state.outcomes)
    for outcome, given in body.get("outcomes", {}).items():
        new = {**outcomes[outcome], **given}
        marked = [{**item, **mark} for item in given.get("evidence", [])]
        new["evidence"] = evidence.merge(outcomes[outcome]["evidence"], marked)
        outcomes[outcome] = new
    state.outcomes = outcomes
    if "next_work" in body:
        planned = {"contract": body["contract"], "items": body["next_work"], **mark}
        state.next_work = planned if body["next_work"] else None
    state.count("progress")


def _judge(state: State, body: Record) -> None:
    if state.status != LIVE:
        raise Refusal("not-allowed", "/contract", "there is no contract to work on")
    if body["contract"] != state.contract_hash:
        raise Refusal(
            "stale-contract",
            "/contract",
            f"the current contract is {state.contract_hash}",
        )
    if not any(name in body for name in _BRINGS):
        raise invalid("", f"brings nothing; it can bring {', '.join(_BRINGS)}")
    for outcome, given in body.get("outcomes", {}).items():
        _judge_outcome(state, outcome, given, at("/outcomes", outcome))
    if "next_work" in body and state.sources:
        raise Refusal(
            "unclassified-source",
            "/next_work",
            "there is no next work while a prompt waits for classification",
            ids=list(state.sources),
        )


def _judge_outcome(state: State, outcome: str, given: Record, pointer: str) -> None:
    found = find(state.contract, outcome)
    if found is None or found[0] != "outcomes":
        what = "no outcome" if found else "no clause in force"
        raise Refusal("unknown-id", pointer, f"{outcome} is {what}", ids=[outcome])
    if not given:
        raise invalid(pointer, "brings nothing")
    known = state.outcomes[outcome]
    wanted = given.get("state", known["state"])
    if known["state"] == "DONE" != wanted:
        raise Refusal(
            "not-allowed",
            at(pointer, "state"),
            f"{outcome} is DONE",
            "what opens it again is a classification with `reopen`",
            [outcome],
        )
    if wanted == "DONE" and not (known["evidence"] or given.get("evidence")):
        raise invalid(at(pointer, "state"), "DONE needs evidence")


def _prove_done(state: State, outcomes: dict[str, Record], edge: Edge) -> None:
    """Whoever says DONE consumes the outcome's clause and its evidence."""
    reader = Reader(edge.read_source)
    for outcome, given in outcomes.items():
        if given.get("state") != "DONE":
            continue
        here = at(at("/outcomes", outcome), "state")
        found = find(state.contract, outcome)
        reader.prove(found[1]["bindings"] if found else [], here)
        if given.get("evidence"):  # proved, or about to be kept
            continue
        known = evidence.current(state.outcomes[outcome]["evidence"])
        if not any(evidence.holds(item, edge) for item in known):
            raise Refusal(
                "evidence-unproven",
                here,
                f"no evidence of {outcome} can be proved any more",
                ids=[outcome],
            )


def _summary(body: Record) -> str:
    """What `git log` shows of it: `progress: out-5.1 DONE, out-5.2, next work 3`."""
    told = [
        f"{outcome} {given['state']}" if "state" in given else outcome
        for outcome, given in body.get("outcomes", {}).items()
    ]
    if len(told) > _TOLD:
        told[_TOLD:] = [f"{len(told) - _TOLD} more"]
    if "next_work" in body:
        told.append(f"next work {len(body['next_work'])}")
    if "scope" in body:
        told.append("scope")
    return f"progress: {', '.join(told)}"


EVENTS = {"progress": (admit, apply)}
COMMANDS = {"progress": compose}
