"""source-captured: a prompt of the user is in the ledger, byte for byte.

    {source, sha256, bytes, origin, state: "UNCLASSIFIED", host, session, turn,
     encoding, flags, skip, arrived}

`arrived` is when the hook kept it, `skip` are spans of text that git-intent itself put
into the prompt. Optional: `delivery_of`, the source of which this is the same delivery
once more (then nothing but the count changes); `captured_in`, the other ledger that it
was first captured in; `since`, the sequence number that the ledger had when a prompt
arrived that could not be drained in its turn.

Two captures are one delivery if host, session, turn and bytes are the same; without a
turn they never are. That holds as well if the bytes of one of them were lost. Other
bytes in the same turn: both stay, both flagged `same-turn`. A capture says nothing of
who spoke: only a classification gives it a meaning.

`from_spool` makes the event of a spooled prompt, the command `capture` that of bytes
given by hand, or of an unbound prompt that is named explicitly.
"""

from typing import Any

from git_intent.files import sha256
from git_intent.ledger import fields, gaps, ids, source
from git_intent.ledger.archive import Record
from git_intent.ledger.edge import Edge
from git_intent.ledger.event import Event
from git_intent.ledger.fold import Draft
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State
from git_intent.ledger.wtf8 import encoding_of

_elsewhere = fields.record({"namespace": ids.name, "chat": ids.name})
_captured = fields.record(
    {**source.CONTENT, **source.SENDER},
    {
        "delivery_of": ids.source_id,
        "captured_in": _elsewhere,
        "since": fields.whole(),
    },
)
_document = fields.record(
    {},
    {
        **source.GIVEN,
        "turn": ids.name,
        "unbound": fields.text(64, line=True),
    },
)


def from_spool(
    state: State, header: dict[str, Any], data: bytes, edge: Edge
) -> Draft | None:
    """The event of a spooled prompt or gap; None if the journal has it already.

    A prompt whose bytes are not those that its header tells of becomes a gap: what is
    left of it is for the caller to keep.
    """
    whole = len(data) == header["bytes"] and sha256(data) == header["sha256"]
    digits = str(header["id"])[len("src-") :]
    actor = {"kind": "hook", "host": header["host"], "session": header["session"]}
    draft: Draft | None
    if whole and data:
        draft = _of_prompt(state, {**header, "id": f"src-{digits}"}, data, edge)
    elif gaps.known(state, f"gap-{digits}"):
        return None
    elif (kept := _kept_before(state, header, edge)) is not None:
        draft = _drafted(state, {**header, "id": f"src-{digits}"}, kept, edge)
    else:
        damaged = header["kind"] != "gap"
        reason = "spool-damaged" if damaged else str(header.get("reason", "not-kept"))
        late = source.since(state, header)
        draft = gaps.recording(header, f"gap-{digits}", reason, **late)
    return draft and _by(draft, actor)


def _of_prompt(
    state: State, header: dict[str, Any], data: bytes, edge: Edge
) -> Draft | None:
    """A capture, or the recovery of the same delivery, which was lost before."""
    draft = _drafted(state, header, data, edge)
    gap = gaps.of_delivery(state, header)
    if draft is None or gap is None or "delivery_of" in draft.body:
        return draft
    content = {name: draft.body[name] for name in source.CONTENT}
    return gaps.recovering(gap, content, data)


def _kept_before(state: State, header: dict[str, Any], edge: Edge) -> bytes | None:
    """The bytes of a prompt that lost them, if the same delivery had brought them."""
    turn, digest = source.turn_key(header), header["sha256"]
    if turn is None or digest is None:
        return None
    if all(known["turn"] != turn for known in source.captures(state, digest, edge)):
        return None
    data = edge.read_source(digest)
    return data if data is not None and len(data) == header["bytes"] else None


def absorbing(
    state: State, record: Record, data: bytes, namespace: str, chat: str, edge: Edge
) -> Draft | None:
    """A source of another ledger captured again here; None if that was done before."""
    header = {**record, "captured_in": {"namespace": namespace, "chat": chat}}
    return _drafted(state, header, data, edge)


def compose(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """Bytes that the caller supplies, or an unbound prompt by its id."""
    _document(document, "")
    if "unbound" in document:
        return _compose_unbound(state, document, edge)
    data = source.given(document, edge)
    if not data:
        raise fields.invalid("", "no bytes are given")
    if not encoding_of(data):
        raise fields.invalid("", "the bytes are not UTF-8")
    header = {
        "id": f"src-{edge.mint()}",
        "host": edge.actor["host"],
        "session": edge.actor["session"],
        "turn": document.get("turn"),
        "at": edge.at,
        "origin": source.CALLER,
    }
    draft = _drafted(state, header, data, edge)
    if draft is None:
        raise Refusal("already-settled", "", "the id was captured before")
    return draft


def _compose_unbound(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    if len(document) > 1:
        other = next(iter(set(document) - {"unbound"}))
        raise fields.invalid(f"/{other}", "does not go with `unbound`")
    found = edge.read_unbound(document["unbound"])
    if found is None:
        raise Refusal(
            "unknown-id",
            "/unbound",
            f"no unbound prompt {document['unbound']!r}",
            "`git intent ledger owner-view` lists them",
        )
    header, data = found
    # a payload that named no session is the caller's to place
    named = {name: header[name] or edge.actor[name] for name in ("host", "session")}
    draft = from_spool(state, {**header, **named}, data, edge)
    if draft is None:
        raise Refusal("already-settled", "/unbound", "it is in this ledger already")
    return _by(draft, edge.actor)


def _drafted(
    state: State, header: dict[str, Any], data: bytes, edge: Edge
) -> Draft | None:
    content = source.content(
        header["id"],
        data,
        header["origin"],
        flags=header.get("flags", []),
        skip=header.get("skip", []),
    )
    sender = {name: header[name] for name in ("host", "session", "turn")}
    body = {**content, **sender, "arrived": header["at"]}
    body |= source.since(state, header)
    if "captured_in" in header:
        body["captured_in"] = header["captured_in"]
    captured = source.captures(state, content["sha256"], edge)
    if header["id"] in state.sources or any(c["id"] == header["id"] for c in captured):
        return None
    turn = source.turn_key(sender)
    for earlier in captured:
        if turn and earlier["turn"] == turn:
            body["delivery_of"] = earlier["of"]
            summary = f"count another delivery of {earlier['of']}"
            return Draft("source-captured", body, summary)
    return Draft(
        "source-captured",
        body,
        f"capture {header['id']}: {len(data)} bytes from {header['host']}",
        sources={content["sha256"]: data},
    )


def _by(draft: Draft, actor: dict[str, str]) -> Draft:
    return Draft(
        draft.type, draft.body, draft.summary, draft.sources, draft.evidence, actor
    )


def _admit(state: State, event: Event) -> None:
    body = event.body
    _captured(body, "")
    source.admit_skip(body)
    source.admit_new(state, body["source"])
    if body.get("since", 0) >= event.seq:
        raise fields.invalid("/since", "is not before this event")
    if "delivery_of" not in body:
        return
    earlier = state.find("sources", body["delivery_of"])
    same = ("sha256", "host", "session", "turn")
    if (
        earlier is None
        or body["turn"] is None
        or any(earlier[name] != body[name] for name in same)
    ):
        raise fields.invalid(
            "/delivery_of", "names no source of the same host, session, turn and bytes"
        )


def _apply(state: State, event: Event) -> None:
    body = event.body
    of = body.get("delivery_of")
    if of is None:
        source.enter(state, event, body, body.get("since", event.seq))
        return
    earlier = state.find("sources", of)
    if earlier is None:
        raise KeyError(of)
    counted = {**earlier, "deliveries": earlier["deliveries"] + 1}
    if of in state.sources:
        state.sources[of] = counted
    else:
        state.archive.put(of, counted)
    source.remember(state, {**counted, "id": body["source"], "seq": event.seq}, of)
    state.count("deliveries")


EVENTS = {"source-captured": (_admit, _apply)}
COMMANDS = {"capture": compose}
