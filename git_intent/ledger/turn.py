"""Which source may be classified now, and with what in view.

Sources are classified in the order of the journal. One that comes late, or whose first
answer was wrong, is classified with the younger ones in view that were classified
meanwhile; a second word on a source names the first and needs a review note.
"""

from __future__ import annotations

from git_intent.ledger.fields import invalid
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable

    from git_intent.ledger.archive import Record


def later(state: State, source: Record) -> list[str]:
    """The sources with a later place in the chat that are classified already."""
    if source["order"] >= state.youngest:
        return []
    classified = []
    known = state.archive.all_keys()
    for key in known:
        settled = state.archive.get(key) if key.startswith("src-") else None
        if settled and settled["state"] == "CLASSIFIED":
            classified.append((settled["order"], settled["seq"], key))
    return [key for order, _, key in sorted(classified) if order > source["order"]]


def find_source(state: State, source_id: str) -> Record:
    """The record of a source, refused if there is none."""
    found = state.find("sources", source_id) if source_id.startswith("src-") else None
    if found is None:
        raise Refusal(
            "unknown-id", "/source", f"{source_id!r} is no source", ids=[source_id]
        )
    return found


def place_of(state: State) -> Callable[[str], tuple[int, int]]:
    """What orders source ids by their places in the chat."""

    def key(source_id: str) -> tuple[int, int]:
        known = state.find("sources", source_id) or {}
        return known.get("order", 0), known.get("seq", 0)

    return key


def judge_turn(state: State, source: Record, body: Record) -> None:
    """Refuse what is not this source's turn, or planned against something else."""
    _judge_review(source, body)
    for waiting in state.sources.values():
        if waiting["seq"] < source["seq"]:
            raise Refusal(
                "unclassified-source",
                "/source",
                f"{waiting['id']} came before {source['id']} and waits",
                ids=[waiting["id"]],
            )
    if body["base_contract"] != state.contract_hash:
        raise Refusal(
            "stale-contract",
            "/base_contract",
            f"the current contract is {state.contract_hash}",
        )
    wanted = later(state, source)
    if body["considered"] != wanted:
        raise Refusal(
            "invalid-document",
            "/considered",
            f"must list the {len(wanted)} later sources already classified",
            f"considered: {', '.join(wanted)}" if wanted else "leave it out",
            wanted,
        )


def _judge_review(source: Record, body: Record) -> None:
    """Refuse a second word on a source that does not name the first."""
    answered = {"CLASSIFIED": "reclassifies", "DISPOSED": "reopens"}
    wanted = answered.get(source["state"])
    for name in answered.values():
        if name in body and name != wanted:
            raise invalid(f"/{name}", f"{source['id']} is {source['state']}")
    if wanted is None:
        return
    event = source[source["state"].lower()]
    if wanted not in body:
        raise Refusal(
            "already-settled",
            f"/{wanted}",
            f"{source['id']} was {source['state'].lower()} by {event}",
            f'to answer that, give "{wanted}": "{event}" and a review note',
            [source["id"], event],
        )
    if body[wanted] != event:
        raise invalid(f"/{wanted}", f"must be {event}, the last word on the source")
    if "note" not in body:
        raise invalid("/note", f"missing: {wanted} needs a review note")
