"""The ledgers of chats, as they are: nothing is locked, drained or brought up to date.

A chat is named by a key that is made of its name, so that no path is ever made of what
a request says. One that cannot be proved is listed with what is wrong with it.
"""

from collections.abc import Iterator
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.ledger.chats import chats
from git_intent.ledger.event import Event
from git_intent.ledger.frontier import spooled_headers
from git_intent.ledger.hot import Place, read
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.looking import Look, look
from git_intent.ledger.objective import render
from git_intent.ledger.publish import CURRENT, JOURNAL
from git_intent.ledger.story import tell
from git_intent.web.console import Console
from git_intent.web.given import number
from git_intent.web.rows import one_line
from git_intent.web.served import Answer, Asked, Refused

_DONE = "DONE"
_MOST, _PAGE = 500, 50
_BIGGEST = 2**31


def listed(console: Console, asked: Asked) -> Answer:
    """Every chat of the configured home, the one that changed last first."""
    rows = [_row(ledger) for ledger in _ledgers(console)]
    rows.sort(key=lambda row: (row["updated"], row["chat"]), reverse=True)
    return Answer({"chats": rows[:_MOST]})


def one(console: Console, asked: Asked) -> Answer:
    ledger = _find(console, asked.path["chat"])
    reading = ledger.read()
    headers = spooled_headers(reading.inbox)
    paths = [f"{ledger.folder}/{CURRENT}", f"{ledger.folder}/{JOURNAL}"]
    owner = ledger.owner(reading.view)
    text = render(reading.view, reading.proofs, paths, headers, owner)
    return Answer(
        {
            "chat": ledger.chat,
            "key": _key(ledger),
            "objective_text": text.decode("utf-8", "replace"),
            "current": reading.view,
            "inbox": headers,
            "unproven": [doubt.as_json() for doubt in reading.proofs.doubts],
        }
    )


def events(console: Console, asked: Asked) -> Answer:
    """A page of the journal, the newest event first; `before` is a sequence number."""
    limit = number(asked.query, "limit", _PAGE, _MOST)
    before = number(asked.query, "before", 0, _BIGGEST)
    with look(_find(console, asked.path["chat"])) as found:
        all_of_it = list(found.events())
        known = [e for e in all_of_it if not before or e.seq < before]
        page = known[-limit:][::-1] if limit else []
        told = [_event(event, found) for event in page]
    return Answer({"events": told, "more": len(known) > len(page)})


def _event(event: Event, found: Look) -> dict[str, Any]:
    line, below = tell(event, lambda digest: found.tip.bytes_of("evidence", digest))
    return {
        "seq": event.seq,
        "type": event.type,
        "at": event.at,
        "actor": dict(event.actor),
        "summary": line,
        "details": below,
    }


def _ledgers(console: Console) -> Iterator[Ledger]:
    known = console.services.ledgers()
    if known is None:
        return
    home, spool = known
    for namespace, chat in chats(home):
        yield Ledger(home, namespace, chat, spool=spool)


def _find(console: Console, key: str) -> Ledger:
    for ledger in _ledgers(console):
        if _key(ledger) == key:
            return ledger
    raise Refused(404, "there is no such chat")


def _key(ledger: Ledger) -> str:
    return sha256(f"{ledger.namespace}\0{ledger.chat}".encode("utf-8", "replace"))[:16]


def _row(ledger: Ledger) -> dict[str, Any]:
    named = {"chat": ledger.chat, "key": _key(ledger), "namespace": ledger.namespace}
    try:
        view = _view(ledger)
    except (IntentError, OSError) as error:
        return {**named, **_EMPTY, "error": str(error)}
    if view is None:
        return {**named, **_EMPTY}
    contract = view["contract"] or {}
    outcomes = view["outcomes"].values()
    effects = [*view["pending_actions"], *view["unknown_effects"]]
    return {
        **named,
        "objective": _objective(contract),
        "open_outcomes": sum(outcome["state"] != _DONE for outcome in outcomes),
        "effects": len(effects),
        "gaps": sum(gap["state"] == "OPEN" for gap in view["gaps"]),
        "updated": view["at"] or "",
        "error": None,
    }


_EMPTY: dict[str, Any] = {
    "objective": "",
    "open_outcomes": 0,
    "effects": 0,
    "gaps": 0,
    "updated": "",
    "error": None,
}


def _view(ledger: Ledger) -> dict[str, Any] | None:
    """The projection if it is certain, else the journal's own state."""
    seen = read(Place(ledger.home, ledger.namespace, ledger.chat))
    if seen.view is not None or not seen.tip:
        return seen.view
    return ledger.read().view


def _objective(contract: dict[str, Any]) -> str:
    clauses = contract.get("objective") or ()
    found = clauses if isinstance(clauses, list) else [clauses]
    texts = (c.get("text", "") if isinstance(c, dict) else str(c) for c in found)
    return one_line(" ".join(texts))
