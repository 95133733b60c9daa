"""From events to state, and from documents to events.

Each family of events has a module of its own. It says for each of its types

    EVENTS = {"source-disposed": (admit, apply), …}
        admit(state, event)  raises Refusal unless the event may follow; changes nothing
        apply(state, event)  its effect; cannot fail once it was admitted
    COMMANDS = {"dispose-source": compose, …}
        compose(state, document, edge) -> Draft   raises Refusal; changes nothing

`admit` is the one validation: a writer's event passes it before it is appended, and so
does each line of a journal that is read again or comes from elsewhere. What needs the
outside (bytes that must be proved) is checked by `compose`.

To write: `compose`, then `propose` (the Event with its line), then `fold` it into the
state, then append the line. A state into which an event was folded that could then not
be appended is thrown away.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib import import_module
from operator import itemgetter
from typing import Any, Protocol, TypeAlias, cast

from git_intent.files import canonical_json, sha256
from git_intent.ledger.archive import Archive
from git_intent.ledger.edge import Edge
from git_intent.ledger.event import Event, decode, encode, line_hash
from git_intent.ledger.fields import digest, invalid, record, text
from git_intent.ledger.refusal import Corrupt, Newer, Refusal
from git_intent.ledger.state import CLOSED, State

#: Of the dumped state.
VERSION = 1

_ANY = ("hook", "owner", "recovery")
_OWNER = ("owner",)

#: Event type -> the module of its family, and the kinds of actors that may write it.
TYPES = {
    "ledger-created": ("created", _ANY),
    "ledger-closed": ("created", _OWNER),
    "tail-preserved": ("created", _ANY),
    "source-captured": ("capture", _ANY),
    "gap-recorded": ("gaps", _ANY),
    "source-recovered": ("gaps", ("hook", "owner")),
    "gap-disposed": ("gaps", _OWNER),
    "source-classified": ("classify", _OWNER),
    "source-disposed": ("disposal", _OWNER),
    "progress": ("progress", _OWNER),
    "action-started": ("starting", _OWNER),
    "action-finished": ("actions", _OWNER),
    "effect-reconciled": ("actions", _OWNER),
}
#: Command -> the module that composes it.
COMMANDS = {
    "capture": "capture",
    "classify-source": "classify",
    "dispose-source": "disposal",
    "recover-source": "gaps",
    "dispose-gap": "gaps",
    "progress": "progress",
    "action-start": "starting",
    "action-finish": "actions",
    "reconcile-effect": "actions",
}


@dataclass(frozen=True, slots=True)
class Draft:
    """An event to be, with the bytes that go into the same commit.

    `actor` is who writes if that is not who runs the command.
    """

    type: str
    body: dict[str, Any]
    summary: str
    sources: dict[str, bytes] = field(default_factory=dict)
    evidence: dict[str, bytes] = field(default_factory=dict)
    actor: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Already:
    """What was asked for is in the journal as event `seq`: nothing is to be appended.

    `named` is as of that event.
    """

    seq: int
    named: dict[str, str]


Rule: TypeAlias = Callable[[State, Event], None]
Composer: TypeAlias = Callable[[State, dict[str, Any], Edge], Draft | Already]


def compose(command: str, state: State, document: Any, edge: Edge) -> Draft | Already:
    """The event that a command's document asks for."""
    if state.status == CLOSED:
        raise _closed(state)
    if not isinstance(document, dict):
        raise invalid("", "must be an object")
    document = dict(document)
    if "request" not in document:
        return _compose(command, state, document, edge)
    request = document.pop("request")
    text(200, line=True)(request, "/request")
    body_hash = sha256(canonical_json([command, document]))
    mark = canonical_json({"request": request})
    known = _known_request(state, request, sha256(mark), edge)
    if known is None:
        draft = _compose(command, state, document, edge)
        if isinstance(draft, Already):
            return draft
        return replace(
            draft,
            body={**draft.body, "request": {"id": request, "sha256": body_hash}},
            evidence={**draft.evidence, sha256(mark): mark},
        )
    if known["sha256"] != body_hash:
        raise Refusal(
            "request-reused",
            "/request",
            f"ev-{known['seq']} answered this request for another document",
            ids=[f"ev-{known['seq']}"],
        )
    return Already(known["seq"], known["named"])


def propose(state: State, draft: Draft, edge: Edge) -> Event:
    """The event that a draft becomes as the next line."""
    line = {
        "seq": state.seq + 1,
        "type": draft.type,
        "at": edge.at,
        "actor": draft.actor or edge.actor,
        "namespace": state.namespace,
        "chat": state.chat,
        "prev": state.head,
        "body": draft.body,
    }
    return decode(encode(line), state.seq + 1)


def fold(state: State, event: Event) -> None:
    """Admit the event as the next one and apply it; Refusal leaves the state alone."""
    _admit_place(state, event)
    module, kinds = TYPES[event.type]
    if event.actor["kind"] not in kinds:
        kind = event.actor["kind"]
        raise Refusal("not-allowed", "", f"{event.type} by an actor of kind {kind}")
    admit, apply = _family(module).EVENTS[event.type]
    request = event.body.get("request")
    if request is not None:
        _admit_request(state, request)
        body = {name: value for name, value in event.body.items() if name != "request"}
        event = replace(event, body=body)
    admit(state, event)
    apply(state, event)
    if request is not None:
        _apply_request(state, request, event)
    state.count("events")
    state.seq, state.at = event.seq, event.at
    state.head = line_hash(event.line)


def replay(state: State, line: bytes) -> Event:
    """Fold a line that is in a journal; raises Corrupt if it cannot be one."""
    event = decode(line, state.seq + 1)
    try:
        fold(state, event)
    except Corrupt:
        raise
    except Refusal as refusal:
        where = f" at {refusal.pointer}" if refusal.pointer else ""
        raise Corrupt(event.seq, f"{refusal.code}{where}: {refusal.message}") from None
    return event


def named(body: dict[str, Any]) -> dict[str, str]:
    """The ids by which a body names its source, gap and action, for an answer."""
    return {name: body[name] for name in ("source", "gap", "action") if name in body}


def dump(state: State) -> dict[str, Any]:
    """The state without its archive, JSON-able; for a checkpoint."""
    held = {
        each.name: getattr(state, each.name)
        for each in fields(State)
        if each.name != "archive"
    }
    return {"version": VERSION, **held}


def load(dumped: dict[str, Any], archive: Archive) -> State:
    """The state that was dumped; raises Corrupt if it is not one."""
    held = dict(dumped)
    version = held.pop("version", None)
    if type(version) is int and version > VERSION:
        raise Newer(held.get("seq", 0), f"checkpoint of version {version}")
    wanted = {each.name for each in fields(State)} - {"archive"}
    if version != VERSION or set(held) != wanted:
        raise Corrupt(0, "not a checkpoint")
    for kind in ("sources", "actions", "gaps"):  # a JSON object has no order
        records = sorted(held[kind].values(), key=itemgetter("seq"))
        held[kind] = {record["id"]: record for record in records}
    for kind in ("outcomes", "counts"):
        held[kind] = dict(held[kind])
    held["recent"] = list(held["recent"])
    return State(archive=archive, **held)


class _Family(Protocol):
    EVENTS: dict[str, tuple[Rule, Rule]]
    COMMANDS: dict[str, Composer]


@cache
def _family(module: str) -> _Family:
    return cast(_Family, import_module(f"git_intent.ledger.{module}"))


def _compose(
    command: str, state: State, document: dict[str, Any], edge: Edge
) -> Draft | Already:
    return _family(COMMANDS[command]).COMMANDS[command](state, document, edge)


def _admit_place(state: State, event: Event) -> None:
    """Refuse what is not the next line of this journal."""
    if event.seq != state.seq + 1:
        raise Corrupt(event.seq, f"follows event {state.seq}")
    if event.prev != state.head:
        raise Corrupt(event.seq, "`prev` is not the hash of the line before")
    if (event.namespace, event.chat) != (state.namespace, state.chat):
        raise Corrupt(event.seq, f"belongs to {event.namespace}/{event.chat}")
    if event.type not in TYPES:
        raise Newer(event.seq, f"event type {event.type!r}")
    if (event.type == "ledger-created") != (event.seq == 1):
        raise Corrupt(event.seq, f"{event.type} cannot stand there")
    if state.status == CLOSED and event.type != "tail-preserved":
        raise _closed(state)


def _known_request(
    state: State, request: str, mark: str, edge: Edge
) -> dict[str, Any] | None:
    """The record of an earlier request of this id.

    The mark in the tree spares a new request the search of the whole archive.
    """
    return state.archive.get(f"request:{request}") if edge.has_evidence(mark) else None


def _admit_request(state: State, request: Any) -> None:
    record({"id": text(200, line=True), "sha256": digest})(request, "/request")
    if state.archive.at_hand(f"request:{request['id']}"):
        raise Refusal("request-reused", "/request/id", "a request of an earlier event")


def _apply_request(state: State, request: dict[str, str], event: Event) -> None:
    told = {"sha256": request["sha256"], "named": named(event.body)}
    state.archive.put(f"request:{request['id']}", {"seq": event.seq, **told})


def _closed(state: State) -> Refusal:
    moved = state.moved_to or {}
    where = f"{moved.get('namespace')}/{moved.get('chat')}"
    return Refusal("ledger-closed", "", f"this ledger was closed; it moved to {where}")
