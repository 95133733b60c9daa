"""source-disposed: a capture that does not change what the user wants.

    {source, reason, note, links, of}

Reasons: INTERNAL (the host or a hook continued by itself), CHILD (a subagent's prompt),
IRRELEVANT, NON_USER, DUPLICATE (its words were classified already as the source `of`,
which is null for the others). The bytes stay, and the contract stays as it is. Sources
may be disposed in any order. What was disposed wrongly is classified with `reopens`.
"""

from typing import Any

from git_intent.ledger import fields, ids
from git_intent.ledger.edge import Edge
from git_intent.ledger.event import Event
from git_intent.ledger.fold import Draft
from git_intent.ledger.gaps import links, note
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.source import CLASSIFIED, DISPOSED
from git_intent.ledger.state import State, resolve_id

DUPLICATE = "DUPLICATE"
REASONS = ("INTERNAL", "CHILD", "IRRELEVANT", "NON_USER", DUPLICATE)

_reason = fields.choice(*REASONS)
_disposed = fields.record(
    {
        "source": ids.source_id,
        "reason": _reason,
        "note": note,
        "links": links,
        "of": fields.nullable(ids.source_id),
    }
)
_id = fields.text(64, line=True)
_document = fields.record(
    {"source": _id, "reason": _reason, "note": note},
    {"links": links, "of": fields.nullable(_id)},
)


def compose(state: State, document: dict[str, Any], edge: Edge) -> Draft:
    """Settle a source without any effect on the contract."""
    _document(document, "")
    body = {"links": [], "of": None, **document}
    body["source"] = resolve_id(state, body["source"], "/source")
    if body["of"] is not None:
        body["of"] = resolve_id(state, body["of"], "/of")
    return Draft(
        "source-disposed", body, f"dispose {body['source']} as {body['reason']}"
    )


def _admit(state: State, event: Event) -> None:
    body = event.body
    _disposed(body, "")
    _admit_pending(state, body["source"])
    if body["reason"] != DUPLICATE:
        if body["of"] is not None:
            raise fields.invalid("/of", f"only a {DUPLICATE} is one of another source")
        return
    of = body["of"]
    if of is None:
        raise fields.invalid("/of", "names the source that it repeats")
    if of == body["source"]:
        raise fields.invalid("/of", "is the source itself")
    other = state.find("sources", of)
    if other is None:
        raise Refusal("unknown-id", "/of", f"no source {of!r} here", ids=[of])
    if other["state"] != CLASSIFIED:
        raise Refusal(
            "not-allowed",
            "/of",
            f"{of} is {other['state']}: only what a classified source says is known",
            ids=[of],
        )


def _admit_pending(state: State, source: str) -> None:
    if source in state.sources:
        return
    settled = state.archive.get(source)
    if settled is None:
        raise Refusal(
            "unknown-id", "/source", f"no source {source!r} here", ids=[source]
        )
    hint = "a disposal is answered by a classification with `reopens`"
    if settled["state"] == CLASSIFIED:
        hint = "a classification is answered by another with `reclassifies`"
    event = settled[settled["state"].lower()]
    raise Refusal(
        "already-settled",
        "/source",
        f"{source} was {settled['state'].lower()} by {event}",
        hint,
        ids=[source, event],
    )


def _apply(state: State, event: Event) -> None:
    body = event.body
    disposal = {name: body[name] for name in ("reason", "note", "links", "of")}
    state.settle_source(
        body["source"], state=DISPOSED, disposed=event.id, disposal=disposal
    )
    state.count("disposed")


EVENTS = {"source-disposed": (_admit, _apply)}
COMMANDS = {"dispose-source": compose}
