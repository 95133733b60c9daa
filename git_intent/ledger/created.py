"""How a ledger begins and ends: ledger-created, ledger-closed, tail-preserved.

ledger-created  {host, session, route}: the session that opened it, and whether its
                id became the chat's (`default`) or a binding said so (`explicit`);
                always the first event, in the same commit as the first capture
ledger-closed   {moved_to: {namespace, chat}, note}: all it held, captures only, was
                captured again elsewhere; nothing follows but preserved tails
tail-preserved  {fault, sha256, bytes}: what stood behind the last whole line of a
                journal is kept as that fault
"""

from typing import Any

from git_intent.ledger import fields
from git_intent.ledger.event import Event
from git_intent.ledger.fold import Draft
from git_intent.ledger.ids import name
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import CLOSED, NO_CONTRACT, State

ROUTES = ("default", "explicit")

_created = fields.record(
    {"host": name, "session": name, "route": fields.choice(*ROUTES)}
)
_closed = fields.record(
    {
        "moved_to": fields.record({"namespace": name, "chat": name}),
        "note": fields.text(4000),
    }
)
_tail = fields.record(
    {"fault": fields.text(200), "sha256": fields.digest, "bytes": fields.whole()}
)


def creating(host: str, session: str, route: str) -> Draft:
    """The first event of a chat's ledger."""
    body = {"host": host, "session": session, "route": route}
    return Draft("ledger-created", body, f"create the ledger by {route} binding")


def closing(namespace: str, chat: str, note: str) -> Draft:
    """The last event of a ledger whose captures moved to another one."""
    body = {"moved_to": {"namespace": namespace, "chat": chat}, "note": note}
    return Draft("ledger-closed", body, "close the ledger: its chat moved")


def preserving(fault: str, sha256: str, size: int) -> Draft:
    """That a torn tail was kept before it was cut."""
    body = {"fault": fault, "sha256": sha256, "bytes": size}
    return Draft("tail-preserved", body, f"keep a torn tail of {size} bytes as {fault}")


def _admit_created(state: State, event: Event) -> None:
    _created(event.body, "")


def _apply_created(state: State, event: Event) -> None:
    state.binding = event.body
    state.owner = {key: event.body[key] for key in ("host", "session")}


def _admit_closed(state: State, event: Event) -> None:
    _closed(event.body, "")
    moved_to: dict[str, Any] = event.body["moved_to"]
    if moved_to == {"namespace": state.namespace, "chat": state.chat}:
        raise fields.invalid("/moved_to", "is this ledger itself")
    if state.status != NO_CONTRACT or state.counts.get("actions"):
        raise Refusal(
            "not-allowed", "", "a ledger that holds more than captures cannot be closed"
        )


def _apply_closed(state: State, event: Event) -> None:
    state.status = CLOSED
    state.moved_to = event.body["moved_to"]


def _admit_tail(state: State, event: Event) -> None:
    _tail(event.body, "")


def _apply_tail(state: State, event: Event) -> None:
    state.count("tails")


EVENTS = {
    "ledger-created": (_admit_created, _apply_created),
    "ledger-closed": (_admit_closed, _apply_closed),
    "tail-preserved": (_admit_tail, _apply_tail),
}
COMMANDS: dict[str, Any] = {}
