"""The live state as one JSON document: what stands in `current.json`.

    {"version": 1, "namespace", "chat", "seq", "head", "at", "status", "moved_to",
     "binding", "owner", "contract", "contract_hash", "outcomes": {id: …},
     "pending_sources": […], "pending_actions": […], "unknown_effects": […],
     "gaps": […], "next_work", "scope", "counts": {…}, "recent": [ids]}

Lists are in journal order, the oldest first. The contract is whole, so that its hash
can be computed again; of an outcome that is DONE only that is told. `gaps` are the open
ones and the recovered ones, whose bytes a reader has to prove (`gaps.open_gaps`).
`recent` names what was drained last: a spooled file of such an id is in the journal
already, whatever became of it.

All that is shown of a ledger is made from this document.
"""

from typing import Any

from git_intent.ledger.archive import Record
from git_intent.ledger.state import State

VERSION = 1
DONE, PENDING = "DONE", "PENDING"


def view(state: State) -> dict[str, Any]:
    """The document of a state."""
    return {
        "version": VERSION,
        "namespace": state.namespace,
        "chat": state.chat,
        "seq": state.seq,
        "head": state.head,
        "at": state.at,
        "status": state.status,
        "moved_to": state.moved_to,
        "binding": state.binding,
        "owner": state.owner,
        "contract": state.contract,
        "contract_hash": state.contract_hash,
        "outcomes": {name: _told(held) for name, held in state.outcomes.items()},
        "pending_sources": list(state.sources.values()),
        "pending_actions": _actions(state, pending=True),
        "unknown_effects": _actions(state, pending=False),
        "gaps": list(state.gaps.values()),
        "next_work": state.next_work,
        "scope": state.scope,
        "counts": dict(state.counts),
        "recent": [known["id"] for known in state.recent],
    }


def _told(outcome: Record) -> Record:
    return {"state": DONE} if outcome["state"] == DONE else outcome


def _actions(state: State, *, pending: bool) -> list[Record]:
    return [
        action
        for action in state.actions.values()
        if (action["state"] == PENDING) is pending
    ]
