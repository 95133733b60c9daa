"""source-classified: the one event that changes what the user wants.

An owner's document says of one source what it means, part by part:

    {"source": id, "base_contract": hash, "considered": [ids],
     "reclassifies": event, "reopens": event, "note": text,
     "parts": [{"disposition", "span", "transitions", "all": "retire",
                "scope": "carry" or "drop"}]}

`base_contract` is the contract it was planned against. Sources are classified in the
order of the journal. Where younger ones were classified before, `considered` lists
them. `reclassifies` names the event that classified the source before, `reopens` the
one that disposed it; both need a review note. The parts are applied in order, all or
none. `"all": "retire"` stands for a `retire` of every clause that a part does not name.

The event has the ids of new clauses, the hash of the contract it makes (`contract`) and
the next work that it ends (`disposes`): advice is bound to the contract it was given
under.
"""

from __future__ import annotations

from collections import Counter

from git_intent.ledger import transitions
from git_intent.ledger.citation import Reader, judge_cut
from git_intent.ledger.contract import contract_hash
from git_intent.ledger.fields import (
    at,
    choice,
    constant,
    digest,
    distinct,
    invalid,
    items,
    nullable,
    record,
    span,
    text,
)
from git_intent.ledger.fold import Draft
from git_intent.ledger.progress import next_work
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State, resolve_id
from git_intent.ledger.turn import find_source, judge_turn, place_of
from git_intent.ledger.work import COMPLETE, Work

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

    from git_intent.ledger.archive import Record
    from git_intent.ledger.edge import Edge
    from git_intent.ledger.event import Event

_name = text(64, line=True)
_MOST = 100_000
_SINGULAR = {
    "policies": "policy",
    "constraints": "constraint",
    "prohibitions": "prohibition",
    "outcomes": "outcome",
}
_DID = {
    "clarify": "clarified",
    "correct": "corrected",
    "retire": "retired",
    "reopen": "reopened",
    "carry": "carried",
}
_PART = {"disposition": choice(*transitions.DISPOSITIONS), "span": span}
_REVIEW = {"reclassifies": _name, "reopens": _name, "note": text(4_000)}
_CONSIDERED = distinct(_name, 0, _MOST)

_document = record(
    {
        "source": _name,
        "base_contract": digest,
        "parts": items(
            record(
                {
                    **_PART,
                    "transitions": items(transitions.shape(recorded=False), 0, _MOST),
                },
                {"all": constant("retire"), "scope": choice("carry", "drop")},
            ),
            1,
            100,
        ),
    },
    {**_REVIEW, "considered": _CONSIDERED},
)
_body = record(
    {
        "source": _name,
        "base_contract": digest,
        "contract": digest,
        "considered": _CONSIDERED,
        "disposes": nullable(next_work),
        "parts": items(
            record(
                {
                    **_PART,
                    "transitions": items(transitions.shape(recorded=True), 1, _MOST),
                },
                {"scope": choice("carry", "drop")},
            ),
            1,
            100,
        ),
    },
    _REVIEW,
)


def compose(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """The event of an owner's document."""
    _document(document, "")
    source_id = resolve_id(state, document["source"], "/source")
    considered = [
        resolve_id(state, wanted, at("/considered", place))
        for place, wanted in enumerate(document.get("considered", []))
    ]
    source = find_source(state, source_id)
    head = {
        **{name: document[name] for name in _REVIEW if name in document},
        "source": source_id,
        "base_contract": document["base_contract"],
        "considered": sorted(considered, key=place_of(state)),
        "disposes": state.next_work,
    }
    judge_turn(state, source, head)
    work = Work(state, source)
    reader = Reader(edge.read_source)
    data = reader.source(source_id, source["sha256"], "/source")
    parts = []
    for place, part in enumerate(document["parts"]):
        here = at("/parts", place)
        parts.append(_compose_part(work, part, here))
        judge_cut(data, source, part["span"], at(here, "span"))
        _prove(parts[-1], source, reader, here)
    body = {**head, "parts": parts, "contract": contract_hash(work.contract())}
    return Draft("source-classified", body, _summary(source_id, parts))


def admit(state: State, event: Event) -> None:
    """Refuse a classification that does not follow from the state."""
    body = event.body
    _body(body, "")
    judge_turn(state, find_source(state, body["source"]), body)
    if body["disposes"] != state.next_work:
        raise invalid("/disposes", "is not the next work there is")
    if contract_hash(_work(state, body).contract()) != body["contract"]:
        raise invalid("/contract", "is not the hash of the contract that this makes")


def apply(state: State, event: Event) -> None:
    """Change the contract; the advice given under the old one ends."""
    body = event.body
    work = _work(state, body)
    state.contract = work.contract()
    state.contract_hash = body["contract"]
    state.outcomes = work.outcomes
    state.status = work.status
    state.scope = work.scope
    state.next_work = None
    for clause_id, gone in work.gone.items():
        state.archive.put(clause_id, gone)
    state.settle_source(body["source"], state="CLASSIFIED", classified=event.id)
    state.count("classifications")


def _work(state: State, body: Record) -> Work:
    """The meaning after the event of `body`; raises Refusal where a part is wrong."""
    work = Work(state, find_source(state, body["source"]))
    for place, part in enumerate(body["parts"]):
        here = at("/parts", place)
        work.begin(part, here)
        for number, transition in enumerate(part["transitions"]):
            transitions.apply(work, transition, at(at(here, "transitions"), number))
        work.end(here)
    return work


def _compose_part(work: Work, part: Record, pointer: str) -> Record:
    """The part as the event says it, applied to `work`."""
    here, disposition = at(pointer, "transitions"), part["disposition"]
    if not part["transitions"] and "all" not in part:
        raise invalid(here, f"{disposition} without a transition")
    if "all" in part and disposition not in COMPLETE:
        raise invalid(at(pointer, "all"), f"{disposition} keeps what it does not name")
    made: list[Record] = []
    composed = {name: part[name] for name in part if name != "all"}
    composed["transitions"] = made
    work.begin(composed, pointer)
    for number, transition in enumerate(part["transitions"]):
        made.append(transitions.complete(work, transition, at(here, number)))
        transitions.apply(work, made[-1], at(here, number))
    if "all" in part:
        for clause_id in work.unnamed():
            made.append({"op": "retire", "disposition": disposition, "id": clause_id})
            transitions.apply(work, made[-1], at(pointer, "all"))
    work.end(pointer)
    return composed


def _prove(part: Record, source: Record, reader: Reader, pointer: str) -> None:
    """Refuse what the bytes deny, and text that must not be kept."""
    from git_intent.secrets import find

    for number, transition in enumerate(part["transitions"]):
        here = at(at(pointer, "transitions"), number)
        reader.cite(transition.get("bindings", []), source, at(here, "bindings"))
        for secret in find(transition.get("text", "")):
            raise Refusal(
                "secret-found",
                at(here, "text"),
                f"{secret.kind} at character {secret.start}",
            )


def _summary(source_id: str, parts: list[Record]) -> str:
    """What `git log` shows of it: `classify ADD src-…: 2 outcomes, 1 prohibition`."""
    counts: Counter[str] = Counter()
    for part in parts:
        for transition in part["transitions"]:
            field = transition.get("field")
            counts[field or _DID[transition["op"]]] += 1
    told = [
        f"{count} {_SINGULAR.get(what, what) if count == 1 else what}"
        for what, count in counts.items()
    ]
    dispositions = "+".join(part["disposition"] for part in parts)
    return f"classify {dispositions} {source_id}: {', '.join(told)}"


EVENTS = {"source-classified": (admit, apply)}
COMMANDS = {"classify-source": compose}
