"""action-started: what is about to be done, recorded before it is done.

    {action, tool, what, serves, depends, retries, contract}

`serves` are clauses in force, `depends` actions, sources or gaps, `retries` an action
that did not succeed, `contract` the hash it was planned against. A start is held while
a prompt waits for classification or a gap is open, and by what it names: a clause,
source or evidence that cannot be proved, an action without result or with an unknown
effect. A retry is another action: it settles nothing of the first, and does not wait
for it.
"""

from typing import Any

from git_intent.ledger import evidence, fields, gaps, ids, scope
from git_intent.ledger.actions import PENDING, find_action, is_open
from git_intent.ledger.archive import Record
from git_intent.ledger.citation import Reader
from git_intent.ledger.contract import find
from git_intent.ledger.edge import Edge
from git_intent.ledger.event import Event
from git_intent.ledger.fields import at, invalid
from git_intent.ledger.fold import Draft
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State, resolve_id

RETRIED = ("FAILED", "CANCELLED", "UNKNOWN_EFFECT")

_id = fields.text(64, line=True)
_listed = fields.distinct(_id, high=1000)
_tool = fields.text(200, line=True)
_what = fields.text(4000)

_document = fields.record(
    {"tool": _tool, "contract": fields.digest},
    {
        "what": fields.nullable(_what),
        "serves": _listed,
        "depends": _listed,
        "retries": fields.nullable(_id),
    },
)
_body = fields.record(
    {
        "action": ids.action_id,
        "tool": _tool,
        "what": fields.nullable(_what),
        "serves": _listed,
        "depends": _listed,
        "retries": fields.nullable(ids.action_id),
        "contract": fields.digest,
    }
)


def compose(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """An action that is about to be taken."""
    _document(document, "")
    body = {
        "what": None,
        "serves": [],
        **document,
        "action": f"act-{state.seq + 1}",
        "depends": [
            resolve_id(state, wanted, at("/depends", place))
            for place, wanted in enumerate(document.get("depends", []))
        ],
        "retries": document.get("retries"),
    }
    _judge(state, body)
    missing = gaps.open_gaps(state, gaps.proved_by(edge))
    if missing:
        raise _gap_open(missing)
    reader = Reader(edge.read_source)
    for place, clause in enumerate(body["serves"]):
        _prove_clause(state, clause, reader, edge, at("/serves", place))
    for place, name in enumerate(body["depends"]):
        _prove_dependency(state, name, reader, edge, at("/depends", place))
    told = f"{body['tool']} {document.get('what') or ''}".rstrip()
    return Draft("action-started", body, f"start {body['action']}: {_line(told)}")


def _line(told: str) -> str:
    """The beginning of a text, for a line of a log."""
    line = "".join(sign if sign.isprintable() else " " for sign in told[:61])
    return line if len(line) <= 60 else f"{line[:59]}…"


def _admit(state: State, event: Event) -> None:
    _body(event.body, "")
    if event.body["action"] != f"act-{event.seq}":
        raise invalid("/action", f"must be act-{event.seq}")
    _judge(state, event.body)


def _apply(state: State, event: Event) -> None:
    kept = ("tool", "what", "serves", "depends", "retries", "contract")
    state.actions[event.body["action"]] = {
        "id": event.body["action"],
        "seq": event.seq,
        **{name: event.body[name] for name in kept},
        "at": event.at,
        "state": PENDING,
        "effect": None,
        "result_seq": None,
        "evidence": [],
        "note": None,
        "reconciled": [],
    }
    state.count("actions")


def _judge(state: State, body: Record) -> None:
    """Refuse what the records hold back, or what names something unknown."""
    if state.sources:
        raise Refusal(
            "unclassified-source",
            "",
            f"to be classified or disposed first: {_few(list(state.sources))}",
            ids=list(state.sources),
        )
    missing = gaps.open_gaps(state, lambda gap: True)
    if missing:
        raise _gap_open(missing)
    if body["contract"] != state.contract_hash:
        raise Refusal(
            "stale-contract",
            "/contract",
            f"the current contract is {state.contract_hash}",
        )
    for place, clause in enumerate(body["serves"]):
        if find(state.contract, clause) is None:
            raise Refusal(
                "unknown-id",
                at("/serves", place),
                f"{clause!r} is no clause in force",
                ids=[clause],
            )
    for place, name in enumerate(body["depends"]):
        _judge_dependency(state, name, at("/depends", place))
    if body["retries"] is not None:
        retried = find_action(state, body["retries"], "/retries")
        if retried["state"] not in RETRIED:
            raise Refusal(
                "not-allowed",
                "/retries",
                f"{retried['id']} is {retried['state']}; retried is what is "
                + ", ".join(RETRIED),
                ids=[retried["id"]],
            )


def _judge_dependency(state: State, name: str, pointer: str) -> None:
    if name.startswith("act-"):
        action = find_action(state, name, pointer)
        if is_open(action):
            what = "no result" if action["state"] == PENDING else "an unknown effect"
            raise Refusal("dependency-held", pointer, f"{name} has {what}", ids=[name])
        return
    # a live source holds every action, as does a live gap unless it was recovered
    settled = name.startswith(("src-", "gap-")) and state.archive.get(name) is not None
    if not settled and name not in state.gaps:
        raise Refusal(
            "unknown-id",
            pointer,
            f"{name!r} is no action, source or gap here",
            ids=[name],
        )


def _prove_clause(
    state: State, clause_id: str, reader: Reader, edge: Edge, pointer: str
) -> None:
    """Refuse a clause whose sources, or an outcome whose evidence, is not there."""
    found = find(state.contract, clause_id)
    if found is not None:
        reader.prove(found[1]["bindings"], pointer)
    outcome = state.outcomes.get(clause_id)
    if outcome is not None:
        _prove_evidence(clause_id, outcome["evidence"], edge, pointer)
        scope.prove(state.scope, outcome["evidence"], edge, pointer)


def _prove_dependency(
    state: State, name: str, reader: Reader, edge: Edge, pointer: str
) -> None:
    kind = {"act": "actions", "src": "sources", "gap": "gaps"}[name[:3]]
    record = state.find(kind, name)
    if record is None:
        return
    if kind == "actions":
        told = [*record["evidence"]]
        for reconciliation in record["reconciled"]:
            told += reconciliation["evidence"]
        _prove_evidence(name, told, edge, pointer)
    elif kind == "sources":
        reader.source(name, record["sha256"], pointer)
    elif record["source"] is not None:
        reader.source(record["source"], record["sha256"], pointer)


def _prove_evidence(name: str, listed: list[Record], edge: Edge, pointer: str) -> None:
    for item in evidence.current(listed):
        if not evidence.holds(item, edge):
            lost = item.get("ref", item.get("blob"))
            raise Refusal(
                "evidence-unproven",
                pointer,
                f"{name} rests on {lost}, which is missing or altered",
                ids=[name],
            )


def _gap_open(missing: list[Record]) -> Refusal:
    found = [gap["id"] for gap in missing]
    return Refusal("gap-open", "", f"missing prompts: {_few(found)}", ids=found)


def _few(names: list[str]) -> str:
    """The first of some ids, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


EVENTS = {"action-started": (_admit, _apply)}
COMMANDS = {"action-start": compose}
