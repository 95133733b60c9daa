"""What a captured source is, however its bytes came into the ledger.

The fields that source-captured and source-recovered share, the record in the state, and
the memory of the last captures by which a second delivery is known.
"""

import base64
import binascii
from typing import Any

from git_intent.files import canonical_json, sha256
from git_intent.ledger import fields, ids
from git_intent.ledger.archive import Record
from git_intent.ledger.edge import Edge
from git_intent.ledger.event import Event
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import WINDOW, State
from git_intent.ledger.strict_json import DOCUMENT_BYTES
from git_intent.ledger.wtf8 import UTF8, WTF8, encoding_of

HOST = "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR"
CALLER = "CALLER_SUPPLIED_UNVERIFIED"
UNCLASSIFIED, CLASSIFIED, DISPOSED = "UNCLASSIFIED", "CLASSIFIED", "DISPOSED"
#: The encoding of a source that is no text.
BINARY = "binary"
SAME_TURN = "same-turn"

_word = fields.text(100, line=True)
_long = fields.text(DOCUMENT_BYTES)

#: Who sent it and when.
SENDER: dict[str, fields.Check] = {
    "host": ids.name,
    "session": ids.name,
    "turn": fields.nullable(ids.name),
    "arrived": _word,
}
#: What it is.
CONTENT: dict[str, fields.Check] = {
    "source": ids.source_id,
    "sha256": fields.digest,
    "bytes": fields.whole(1),
    "origin": fields.choice(HOST, CALLER),
    "state": fields.constant(UNCLASSIFIED),
    "encoding": fields.choice(UTF8, WTF8, BINARY),
    "flags": fields.distinct(_word, high=20),
    "skip": fields.items(fields.span),
}
#: How a document gives bytes: one of these.
GIVEN: dict[str, fields.Check] = {
    "text": _long,
    "base64": _long,
    "from": fields.text(4000, line=True),
}


def content(source: str, data: bytes, origin: str, **told: Any) -> dict[str, Any]:
    """The fields of CONTENT; `told`: flags and skip, where they are known."""
    return {
        "source": source,
        "sha256": sha256(data),
        "bytes": len(data),
        "origin": origin,
        "state": UNCLASSIFIED,
        "encoding": encoding_of(data) or BINARY,
        "flags": told.get("flags", []),
        "skip": told.get("skip", []),
    }


def given(document: dict[str, Any], edge: Edge) -> bytes:
    """The bytes that a document gives as text, as base64, or by a reference."""
    ways = [way for way in GIVEN if way in document]
    if len(ways) != 1:
        raise fields.invalid("", f"needs exactly one of {', '.join(GIVEN)}")
    value = document[ways[0]]
    if ways[0] == "text":
        return str(value).encode()
    if ways[0] == "base64":
        try:
            return base64.b64decode(value, validate=True)
        except binascii.Error as error:
            raise fields.invalid("/base64", str(error).lower()) from None
    data = edge.read_reference(value)
    if data is None:
        raise fields.invalid("/from", f"{value} cannot be read")
    return data


def since(state: State, header: dict[str, Any]) -> dict[str, int]:
    """The event after which a spooled prompt came, if its header tells one that the
    journal has."""
    seq = header.get("since")
    return {"since": seq} if type(seq) is int and 0 <= seq <= state.seq else {}


def admit_new(state: State, source: str, pointer: str = "/source") -> None:
    """Refuse an id that a capture has already."""
    taken = source in state.sources or state.archive.at_hand(source)
    if taken or any(known["id"] == source for known in state.recent):
        raise Refusal(
            "already-settled", pointer, f"{source} was captured before", ids=[source]
        )


def admit_skip(body: dict[str, Any]) -> None:
    """Refuse spans outside of the bytes, or not in order and apart."""
    last = 0
    for place, (start, end) in enumerate(body["skip"]):
        if start < last or end > body["bytes"]:
            raise fields.invalid(
                f"/skip/{place}", "out of order, or outside of the source"
            )
        last = end


def enter(state: State, event: Event, sender: Record, order: int) -> None:
    """Make a source of the event's CONTENT; `order` is its place in the chat."""
    body = event.body
    record = {
        "id": body["source"],
        "seq": event.seq,
        **{name: body[name] for name in CONTENT if name != "source"},
        **{name: sender[name] for name in ("host", "session", "turn")},
        "at": sender["arrived"],
        "deliveries": 1,
        "order": order,
        "late": order < state.youngest,
    }
    for other in _others_of_turn(state, record):
        record["flags"] = _flagged(record)
        if other in state.sources:
            flagged = {**state.sources[other], "flags": _flagged(state.sources[other])}
            state.sources[other] = flagged
    state.sources[record["id"]] = record
    remember(state, record, record["id"])
    state.count("sources")


def _others_of_turn(state: State, record: Record) -> list[str]:
    """The sources that came in the same turn with other bytes."""
    turn = turn_key(record)
    return [
        known["of"]
        for known in state.recent
        if turn and known["turn"] == turn and known["sha256"] != record["sha256"]
    ]


def _flagged(record: Record) -> list[str]:
    return sorted({*record["flags"], SAME_TURN})


def remember(state: State, record: Record, of: str) -> None:
    """That `record` came, and which source it belongs to; a gap is without bytes."""
    known = {
        "id": record["id"],
        "seq": record["seq"],
        "sha256": record["sha256"],
        "turn": turn_key(record),
        "of": of,
    }
    state.recent = [*state.recent, known][-WINDOW:]
    if known["sha256"]:
        state.archive.put(f"bytes:{known['sha256']}", known)


def captures(state: State, digest: str, edge: Edge) -> list[Record]:
    """What is remembered of captures of these bytes: the last ones, and the latest.

    The entry in the tree spares new bytes the search of the whole archive.
    """
    found = [known for known in state.recent if known["sha256"] == digest]
    if not found and edge.has_source(digest):
        latest = state.archive.get(f"bytes:{digest}")
        found = [latest] if latest else []
    return found


def turn_key(record: Record) -> str | None:
    """What stands for host, session and turn; None without a turn."""
    if record["turn"] is None:
        return None
    names = [record["host"], record["session"], record["turn"]]
    return sha256(canonical_json(names))[:16]
