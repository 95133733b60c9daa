"""Prompts that are known to be missing: gap-recorded, source-recovered, gap-disposed.

    gap-recorded      {gap, sha256, bytes, reason, host, session, turn, arrived}: a
                      prompt whose bytes could not be kept; sha256 and count are null if
                      they were not known either; `since` as of a capture
    source-recovered  {gap, source, …}: its bytes, of exactly that hash and count; by
                      the owner, or because the same delivery came once more
    gap-disposed      {gap, note, links}: the owner's word that they will not come

A recovery holds only as long as its bytes do: who reads the ledger asks `open_gaps`
with a proof of bytes, and a gap whose recovered bytes are gone is open again. It can
then be recovered again or disposed. Bytes that turn up after a disposal may still be
recovered; the gap stays disposed.
"""

from collections.abc import Callable
from typing import Any

from git_intent.files import sha256
from git_intent.ledger import fields, ids, source
from git_intent.ledger.archive import Record
from git_intent.ledger.edge import Edge
from git_intent.ledger.event import Event
from git_intent.ledger.fold import Draft
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State, resolve_id

OPEN, RECOVERED, DISPOSED = "OPEN", "RECOVERED", "DISPOSED"

#: A review: why, and where that can be looked up.
note: fields.Check = fields.text(4000)
links: fields.Check = fields.distinct(fields.text(2000, line=True), high=100)

_recorded = fields.record(
    {
        "gap": ids.gap_id,
        "sha256": fields.nullable(fields.digest),
        "bytes": fields.nullable(fields.whole(1)),
        "reason": fields.text(1000, line=True),
        **source.SENDER,
    },
    {"since": fields.whole()},
)
_recovered = fields.record({"gap": ids.gap_id, **source.CONTENT})
_disposed = fields.record({"gap": ids.gap_id, "note": note, "links": links})

_id = fields.text(64, line=True)
_recover_document = fields.record({"gap": _id}, source.GIVEN)
_dispose_document = fields.record({"gap": _id, "note": note}, {"links": links})


def open_gaps(state: State, proved: Callable[[Record], bool]) -> list[Record]:
    """The gaps that are open now; `proved` reads a recovered one's bytes."""
    return [
        gap for gap in state.gaps.values() if gap["state"] == OPEN or not proved(gap)
    ]


def proved_by(edge: Edge) -> Callable[[Record], bool]:
    """The proof of a recovered gap's bytes that a command makes."""

    def proved(gap: Record) -> bool:
        data = edge.read_source(gap["sha256"])
        return data is not None and len(data) == gap["bytes"]

    return proved


def recording(header: Record, gap: str, reason: str, **since: int) -> Draft:
    """The event of a gap that the header of a spooled file, or the record of another
    ledger, tells of."""
    known = header.get("sha256") and header.get("bytes")
    body = {
        "gap": gap,
        "sha256": header["sha256"] if known else None,
        "bytes": header["bytes"] if known else None,
        "reason": reason,
        "host": header["host"],
        "session": header["session"],
        "turn": header["turn"],
        "arrived": header["at"],
        **since,
    }
    size = f"{body['bytes']} bytes" if known else "size unknown"
    return Draft("gap-recorded", body, f"record {gap}: {size} missing, {reason}")


def known(state: State, gap: str) -> bool:
    """Whether the journal has a gap of this id."""
    if gap in state.gaps or any(last["id"] == gap for last in state.recent):
        return True
    return state.archive.get(gap) is not None


def compose_recovery(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """Bytes for a gap: accepted if they are exactly those that are missing."""
    _recover_document(document, "")
    gap = _find(state, resolve_id(state, document["gap"], "/gap"), "/gap")
    _refuse_recovered(gap, edge)
    data = source.given(document, edge)
    _admit_match(gap, sha256(data), len(data), next(iter(set(document) - {"gap"})))
    name = gap["source"] or f"src-{edge.mint()}"
    return recovering(gap, source.content(name, data, source.HOST), data)


def compose_disposal(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """Give a gap up, with a reviewed reason."""
    _dispose_document(document, "")
    gap = _find(state, resolve_id(state, document["gap"], "/gap"), "/gap")
    _refuse_recovered(gap, edge)
    body = {"links": [], **document, "gap": gap["id"]}
    return Draft("gap-disposed", body, f"dispose {gap['id']}")


def of_delivery(state: State, header: Record) -> Record | None:
    """The open gap of a prompt that was delivered twice, and lost the other time: same
    host, session, turn and bytes."""
    same = ("host", "session", "turn", "sha256", "bytes")
    if header["turn"] is None:
        return None
    for gap in state.gaps.values():
        if gap["state"] == OPEN and all(gap[name] == header[name] for name in same):
            return gap
    return None


def recovering(gap: Record, content: dict[str, Any], data: bytes) -> Draft:
    """The event of exactly the bytes that are missing."""
    return Draft(
        "source-recovered",
        {"gap": gap["id"], **content},
        f"recover {gap['id']} as {content['source']}: {len(data)} bytes",
        sources={content["sha256"]: data},
    )


def _refuse_recovered(gap: Record, edge: Edge) -> None:
    """Refuse what would settle a gap whose bytes came and are there."""
    if gap["source"] is not None and proved_by(edge)(gap):
        raise Refusal(
            "already-settled",
            "/gap",
            f"{gap['id']} was recovered as {gap['source']}, and its bytes are there",
            ids=[gap["id"], gap["source"]],
        )


def _admit_recorded(state: State, event: Event) -> None:
    body = event.body
    _recorded(body, "")
    if (body["sha256"] is None) != (body["bytes"] is None):
        raise fields.invalid("/bytes", "known together with the sha256 or not at all")
    if body.get("since", 0) >= event.seq:
        raise fields.invalid("/since", "is not before this event")
    if body["gap"] in state.gaps or state.archive.at_hand(body["gap"]):
        raise Refusal("already-settled", "/gap", f"{body['gap']} was recorded before")


def _apply_recorded(state: State, event: Event) -> None:
    body = event.body
    kept = ("sha256", "bytes", "reason", "host", "session", "turn")
    gap = {
        "id": body["gap"],
        "seq": event.seq,
        **{name: body[name] for name in kept},
        "at": body["arrived"],
        "state": OPEN,
        "source": None,
    }
    if "since" in body:
        gap["since"] = body["since"]
    state.gaps[gap["id"]] = gap
    source.remember(state, {**gap, "sha256": None, "turn": None}, gap["id"])
    state.count("gaps")


def _admit_recovered(state: State, event: Event) -> None:
    body = event.body
    _recovered(body, "")
    source.admit_skip(body)
    gap = _find(state, body["gap"], "/gap")
    _admit_match(gap, body["sha256"], body["bytes"], "sha256")
    if gap["source"] is None:
        source.admit_new(state, body["source"])
    elif gap["source"] != body["source"]:
        raise fields.invalid("/source", f"the gap was recovered as {gap['source']}")


def _apply_recovered(state: State, event: Event) -> None:
    gap = _get(state, event.body["gap"])
    if gap["source"] is None:
        sender = {**gap, "arrived": gap["at"]}
        order = gap["since"] if "since" in gap else gap["seq"]
        source.enter(state, event, sender, order)
    recovered = {**gap, "source": event.body["source"]}
    if gap["state"] == DISPOSED:
        state.archive.put(gap["id"], recovered)
    else:
        state.gaps[gap["id"]] = {**recovered, "state": RECOVERED}


def _admit_disposed(state: State, event: Event) -> None:
    _disposed(event.body, "")
    gap = _find(state, event.body["gap"], "/gap")
    if gap["state"] == DISPOSED:
        raise Refusal("already-settled", "/gap", f"{gap['id']} was disposed before")


def _apply_disposed(state: State, event: Event) -> None:
    gap = state.gaps.pop(event.body["gap"])
    disposal = {name: event.body[name] for name in ("note", "links")}
    settled = {**gap, "state": DISPOSED, "disposal": {"seq": event.seq, **disposal}}
    state.archive.put(gap["id"], settled)


def _find(state: State, gap: str, pointer: str) -> Record:
    if not gap.startswith("gap-") or state.find("gaps", gap) is None:
        raise Refusal("unknown-id", pointer, f"no gap {gap!r} here", ids=[gap])
    return _get(state, gap)


def _get(state: State, gap: str) -> Record:
    record = state.find("gaps", gap)
    if record is None:
        raise KeyError(gap)
    return record


def _admit_match(gap: Record, digest: str, size: int, pointer: str) -> None:
    """Refuse any bytes but those that are missing."""
    if gap["sha256"] is None:
        raise Refusal(
            "not-allowed",
            "/gap",
            f"the hash of {gap['id']} was never known, so nothing can be matched",
            "dispose it; capture its bytes by hand if you have them",
            ids=[gap["id"]],
        )
    if (digest, size) != (gap["sha256"], gap["bytes"]):
        raise fields.invalid(
            f"/{pointer}",
            f"{size} bytes with sha256 {digest}; missing are "
            f"{gap['bytes']} bytes with {gap['sha256']}",
        )


EVENTS = {
    "gap-recorded": (_admit_recorded, _apply_recorded),
    "source-recovered": (_admit_recovered, _apply_recovered),
    "gap-disposed": (_admit_disposed, _apply_disposed),
}
COMMANDS = {"recover-source": compose_recovery, "dispose-gap": compose_disposal}
