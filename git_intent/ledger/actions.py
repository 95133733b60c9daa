"""What came of an action: action-finished, effect-reconciled.

    action-finished    {action, result, effect, evidence, note}: the one result
    effect-reconciled  {action, effect, evidence, note}: what an unknown effect turned
                       out to be; as often as there is something to say

Nothing holds them, neither a waiting prompt nor a gap nor another contract: what is
under way must be recorded whatever happened meanwhile. An unknown effect stands open
until the first reconciliation that is not STILL_UNKNOWN. The last one counts, and all
stay.
"""

from typing import Any

from git_intent.files import sha256
from git_intent.ledger import evidence, fields, gaps, ids
from git_intent.ledger.archive import Record
from git_intent.ledger.edge import Edge
from git_intent.ledger.event import Event
from git_intent.ledger.fields import invalid
from git_intent.ledger.fold import Already, Draft
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State

PENDING = "PENDING"
#: Result -> the states of effect that it may have.
EFFECTS = {
    "SUCCEEDED": ("NONE", "APPLIED"),
    "FAILED": ("NONE", "APPLIED", "PARTIAL", "UNKNOWN"),
    "CANCELLED": ("NONE", "APPLIED", "PARTIAL", "UNKNOWN"),
    "UNKNOWN_EFFECT": ("UNKNOWN",),
}
UNKNOWN, STILL_UNKNOWN = "UNKNOWN", "STILL_UNKNOWN"
RECONCILED = ("APPLIED", "NOT_APPLIED", "PARTIAL", STILL_UNKNOWN)

_id = fields.text(64, line=True)
_result = fields.choice(*EFFECTS)
_effect = fields.choice("NONE", "APPLIED", "PARTIAL", UNKNOWN)
_reconciled = fields.choice(*RECONCILED)

_finish_document = fields.record(
    {"action": _id, "result": _result, "effect": _effect},
    {"evidence": evidence.given(), "note": fields.nullable(gaps.note)},
)
_finish_body = fields.record(
    {
        "action": ids.action_id,
        "result": _result,
        "effect": _effect,
        "evidence": evidence.recorded(),
        "note": fields.nullable(gaps.note),
    }
)
_reconcile_document = fields.record(
    {"action": _id, "effect": _reconciled, "evidence": evidence.given(1)},
    {"note": fields.nullable(gaps.note)},
)
_reconcile_body = fields.record(
    {
        "action": ids.action_id,
        "effect": _reconciled,
        "evidence": evidence.recorded(1),
        "note": fields.nullable(gaps.note),
    }
)


def compose_finish(
    state: State, document: dict[str, Any], edge: Edge
) -> Draft | Already:
    """The result of an action."""
    _finish_document(document, "")
    action = find_action(state, document["action"], "/action")
    wanted = {"evidence": [], "note": None, **document}
    if action["state"] != PENDING and _answers(action, wanted):
        return Already(action["result_seq"], {"action": action["id"]})
    _judge_finish(action, wanted)
    listed, blobs = evidence.compose(wanted["evidence"], edge, "/evidence")
    return Draft(
        "action-finished",
        {**wanted, "evidence": listed},
        f"finish {action['id']}: {wanted['result']}, effect {wanted['effect']}",
        evidence=blobs,
    )


def compose_reconciliation(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """What an unknown effect turned out to be."""
    _reconcile_document(document, "")
    action = find_action(state, document["action"], "/action")
    _judge_reconciliation(action)
    listed, blobs = evidence.compose(document["evidence"], edge, "/evidence")
    return Draft(
        "effect-reconciled",
        {"note": None, **document, "evidence": listed},
        f"reconcile {action['id']}: {document['effect']}",
        evidence=blobs,
    )


def _admit_finish(state: State, event: Event) -> None:
    _finish_body(event.body, "")
    _judge_finish(find_action(state, event.body["action"], "/action"), event.body)


def _apply_finish(state: State, event: Event) -> None:
    body = event.body
    finished = {
        **state.actions[body["action"]],
        "state": body["result"],
        "effect": body["effect"],
        "result_seq": event.seq,
        "evidence": body["evidence"],
        "note": body["note"],
    }
    keep(state, finished)
    state.count("finished")


def _admit_reconciliation(state: State, event: Event) -> None:
    _reconcile_body(event.body, "")
    _judge_reconciliation(find_action(state, event.body["action"], "/action"))


def _apply_reconciliation(state: State, event: Event) -> None:
    action = find_action(state, event.body["action"], "/action")
    told = {name: event.body[name] for name in ("effect", "evidence", "note")}
    reconciled = [*action["reconciled"], {"seq": event.seq, **told}]
    keep(state, {**action, "reconciled": reconciled})
    state.count("reconciled")


def is_open(action: Record) -> bool:
    """Whether an action has no result, or an effect that is still unknown."""
    if action["state"] == PENDING:
        return True
    return action["effect"] == UNKNOWN and all(
        told["effect"] == STILL_UNKNOWN for told in action["reconciled"]
    )


def keep(state: State, action: Record) -> None:
    """Put an action among the open or the settled ones."""
    if is_open(action):
        state.actions[action["id"]] = action
    else:
        state.actions.pop(action["id"], None)
        state.archive.put(action["id"], action)


def _judge_finish(action: Record, body: Record) -> None:
    if body["effect"] not in EFFECTS[body["result"]]:
        raise invalid(
            "/effect",
            f"{body['result']} has the effect {' or '.join(EFFECTS[body['result']])}, "
            f"not {body['effect']}",
        )
    if action["state"] != PENDING:
        raise Refusal(
            "already-settled",
            "/action",
            f"ev-{action['result_seq']} says {action['state']}, effect "
            f"{action['effect']}; a result is never replaced",
            "an unknown effect is answered by reconcile-effect",
            ids=[action["id"]],
        )


def _judge_reconciliation(action: Record) -> None:
    if action["effect"] != UNKNOWN:
        what = "has no result yet" if action["state"] == PENDING else "is known"
        raise Refusal(
            "not-allowed",
            "/action",
            f"the effect of {action['id']} {what}; only an unknown one is reconciled",
            ids=[action["id"]],
        )


def _answers(action: Record, document: Record) -> bool:
    """Whether a document says again what is on record as the result."""
    listed = []
    for item in document["evidence"]:
        data = item.get("text", "").encode()
        kept = {"blob": sha256(data), "bytes": len(data)}
        listed.append(kept if "text" in item else item)
    told = (document["result"], document["effect"], document["note"])
    return (
        told == (action["state"], action["effect"], action["note"])
        and evidence.merge([], listed) == action["evidence"]
    )


def find_action(state: State, action: str, pointer: str) -> Record:
    """The record of an action, refused if there is none."""
    found = state.find("actions", action) if action.startswith("act-") else None
    if found is None:
        raise Refusal(
            "unknown-id", pointer, f"{action!r} is no action here", ids=[action]
        )
    return found


EVENTS = {
    "action-finished": (_admit_finish, _apply_finish),
    "effect-reconciled": (_admit_reconciliation, _apply_reconciliation),
}
COMMANDS = {
    "action-finish": compose_finish,
    "reconcile-effect": compose_reconciliation,
}
