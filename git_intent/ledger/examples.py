"""A valid document for every command, made for the ledger it is asked of.

What can be filled in from the state is: ids, hashes, spans, the contract planned
against. So an example is accepted as it is wherever its command has something to do,
and the owner changes the words. Where there is nothing to do, ids stand for themselves.
"""

from typing import Any

from git_intent.ledger.archive import Archive, Record
from git_intent.ledger.citation import binding
from git_intent.ledger.state import LIVE, NO_CONTRACT, State
from git_intent.ledger.turn import later

PENDING, DONE = "PENDING", "DONE"
_ID = "0123456789abcdef0123456789abcdef"
_HASH = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
_SOURCE = {"id": f"src-{_ID}", "seq": 12, "sha256": _HASH, "bytes": 120, "order": 12}
_WHY = "why, for whoever reviews it"


def example(command: str, state: State | None = None) -> dict[str, Any]:
    """A document of `command` for the ledger in this state."""
    return _MAKE[command](state or State("", "", Archive()))


def _capture(state: State) -> Record:
    return {"text": "What the user said, word for word."}


def _classify(state: State) -> Record:
    source = _first(state.sources) or _SOURCE
    considered = later(state, source)
    part = {
        NO_CONTRACT: _whole("INITIAL", source),
        LIVE: {
            "disposition": "ADD",
            "transitions": [_add("ADD", source, "outcomes", "What must come true too")],
        },
    }.get(state.status, _whole("REPLACE", source))
    parts = [part]
    outcome = _open_outcome(state)
    if state.status == LIVE and outcome:
        parts.append(
            {
                "disposition": "CORRECT",
                "transitions": [
                    {
                        "op": "correct",
                        "disposition": "CORRECT",
                        "corrects": outcome,
                        "text": "What must come true in the place of that",
                        "bindings": [binding(source)],
                    }
                ],
            }
        )
    return {
        "source": source["id"],
        "base_contract": state.contract_hash,
        **({"considered": considered} if considered else {}),
        "parts": [{**part, "span": [0, source["bytes"]]} for part in parts],
    }


def _whole(disposition: str, source: Record) -> Record:
    """A contract from nothing."""
    clauses = {
        "objective": "What all of it is for",
        "policies": "How to go about it",
        "constraints": "What it has to keep to",
        "prohibitions": "What must not be done",
        "outcomes": "What must come true",
    }
    added = [_add(disposition, source, *clause) for clause in clauses.items()]
    return {"disposition": disposition, "transitions": added}


def _add(disposition: str, source: Record, field: str, text: str) -> Record:
    return {
        "op": "add",
        "disposition": disposition,
        "field": field,
        "text": text,
        "bindings": [binding(source)],
    }


def _dispose_source(state: State) -> Record:
    source = _first(state.sources) or _SOURCE
    return {"source": source["id"], "reason": "INTERNAL", "note": _WHY, "links": []}


def _recover(state: State) -> Record:
    return {"gap": _gap(state), "from": "file:prompt.txt"}


def _dispose_gap(state: State) -> Record:
    return {"gap": _gap(state), "note": _WHY, "links": []}


def _progress(state: State) -> Record:
    outcome = _open_outcome(state) or "out-13.5"
    document: Record = {
        "contract": state.contract_hash,
        "outcomes": {
            outcome: {
                "state": DONE,
                "evidence": [{"text": "What was run, and what it said"}],
                "blockers": [],
            }
        },
    }
    if not state.sources:
        document["next_work"] = ["What to do next", "And after that"]
    if state.scope is not None:
        document["scope"] = state.scope
    return document


def _start(state: State) -> Record:
    outcome = _open_outcome(state)
    return {
        "tool": "Edit",
        "what": "What is about to be done",
        "contract": state.contract_hash,
        "serves": [outcome] if outcome else [],
        "depends": [],
    }


def _finish(state: State) -> Record:
    return {
        "action": _action(state, pending=True),
        "result": "SUCCEEDED",
        "effect": "APPLIED",
        "evidence": [{"text": "What shows it"}],
    }


def _reconcile(state: State) -> Record:
    return {
        "action": _action(state, pending=False),
        "effect": "APPLIED",
        "evidence": [{"text": "What shows it"}],
    }


def _first(records: dict[str, Record]) -> Record | None:
    return next(iter(records.values()), None)


def _gap(state: State) -> str:
    found = [gap for gap, held in state.gaps.items() if held["state"] == "OPEN"]
    return found[0] if found else f"gap-{_ID}"


def _open_outcome(state: State) -> str | None:
    found = [name for name, held in state.outcomes.items() if held["state"] != DONE]
    return found[0] if found else None


def _action(state: State, *, pending: bool) -> str:
    for action in state.actions.values():
        if (action["state"] == PENDING) is pending:
            return str(action["id"])
    return "act-14"


_MAKE = {
    "capture": _capture,
    "classify-source": _classify,
    "dispose-source": _dispose_source,
    "recover-source": _recover,
    "dispose-gap": _dispose_gap,
    "progress": _progress,
    "action-start": _start,
    "action-finish": _finish,
    "reconcile-effect": _reconcile,
}
