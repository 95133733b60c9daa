"""Which session speaks in which chat: the fold of the journal of bindings.

The journal is `refs/intent/bindings`. One type of event, `session-bound`, whose line
names the chat's ledger:

    {host, session, role, note, target: {seq, head} | null, previous: {host, session} |
     null, absorbs: [{namespace, chat, head, sources}]}

`role` is `owner`, `reader`, `excluded` or `child`; `note` is the review note of whoever
decided. `target` is where the chat's ledger stood then, null if there was none yet. An
owner takes the place of `previous`, who becomes a reader. `absorbs` names the ledgers
whose captures were brought along and that are closed.

A session has one binding, the last. Exclusion outranks binding, binding outranks the
default: the chat of the session's own id. Nothing here is worked out from anything but
these events.
"""

from dataclasses import dataclass, field
from typing import Any

from git_intent.files import canonical_json
from git_intent.ledger import fields
from git_intent.ledger.archive import Archive, Record
from git_intent.ledger.event import ZERO, Event, decode, encode, line_hash
from git_intent.ledger.ids import name
from git_intent.ledger.names import usable
from git_intent.ledger.refusal import Corrupt, Newer, Refusal

VERSION = 1
BOUND = "session-bound"
OWNER, READER, EXCLUDED, CHILD = "owner", "reader", "excluded", "child"
ROLES = (OWNER, READER, EXCLUDED, CHILD)
#: The roles whose prompts are captured.
CAPTURED = (OWNER, READER)

_session = fields.record({"host": name, "session": name})
_target = fields.record({"seq": fields.whole(), "head": fields.digest})
_absorbed = fields.record(
    {
        "namespace": name,
        "chat": name,
        "head": fields.digest,
        "sources": fields.whole(),
    }
)


@dataclass(slots=True)
class Bindings:
    """The bindings up to `seq`; `head` is the hash of that line."""

    archive: Archive
    seq: int = 0
    head: str = ZERO
    at: str = ""
    #: {host, session, namespace, chat, role, note, seq, at} by (host, session).
    sessions: dict[tuple[str, str], Record] = field(default_factory=dict)

    def of(self, host: str, session: str) -> Record | None:
        """The binding of a session."""
        return self.sessions.get((host, session))

    def owner_of(self, namespace: str, chat: str) -> Record | None:
        """The session that a chat was bound to as its owner."""
        for record in self.sessions.values():
            if record["role"] == OWNER and place(record) == (namespace, chat):
                return record
        return None


def place(record: Record) -> tuple[str, str]:
    """The chat that a record speaks of."""
    return record["namespace"], record["chat"]


def begin(archive: Archive) -> Bindings:
    return Bindings(archive)


def admit(state: Bindings, event: Event) -> None:
    """Refuse what may not follow; changes nothing."""
    if event.seq != state.seq + 1:
        raise Corrupt(event.seq, f"follows event {state.seq}")
    if event.prev != state.head:
        raise Corrupt(event.seq, "`prev` is not the hash of the line before")
    if event.type != BOUND:
        raise Newer(event.seq, f"event type {event.type!r}")
    _check_body(event.body)
    for part in (event.namespace, event.chat):
        if not usable(part):
            raise fields.invalid("", f"{part!r} cannot be part of a ledger's ref")
    body = event.body
    owner = state.owner_of(event.namespace, event.chat)
    if body["role"] != OWNER and (body["previous"] or body["absorbs"]):
        raise fields.invalid("/previous", "is for owners only")
    if body["role"] == OWNER and owner is not None:
        standing = {key: owner[key] for key in ("host", "session")}
        bound = {key: body[key] for key in ("host", "session")}
        if standing != bound and body["previous"] != standing:
            raise fields.invalid("/previous", "is not the owner that was bound before")


def _check_body(body: Record) -> None:
    fields.record(
        {
            "host": name,
            "session": name,
            "role": fields.choice(*ROLES),
            "note": fields.text(4000),
            "target": fields.nullable(_target),
            "previous": fields.nullable(_session),
            "absorbs": fields.items(_absorbed),
        }
    )(body, "")


def apply(state: Bindings, event: Event) -> None:
    """The effect of an event that was admitted."""
    body = event.body
    shared = {
        "namespace": event.namespace,
        "chat": event.chat,
        "note": body["note"],
        "seq": event.seq,
        "at": event.at,
    }
    if body["previous"]:
        record = {**shared, **body["previous"], "role": READER}
        state.sessions[(record["host"], record["session"])] = record
    record = {key: body[key] for key in ("host", "session", "role")} | shared
    state.sessions[(record["host"], record["session"])] = record
    state.seq, state.at, state.head = event.seq, event.at, line_hash(event.line)


def fold(state: Bindings, event: Event) -> None:
    admit(state, event)
    apply(state, event)


def replay(state: Bindings, line: bytes) -> Event:
    """Fold a line that is in a journal; raises Corrupt if it cannot be one."""
    event = decode(line, state.seq + 1)
    try:
        fold(state, event)
    except Corrupt:
        raise
    except Refusal as refusal:
        reason = f"{refusal.code} at {refusal.pointer}: {refusal.message}"
        raise Corrupt(event.seq, reason) from None
    return event


def propose(
    state: Bindings, chat: tuple[str, str], body: Record, actor: Record, at: str
) -> Event:
    """The event of a binding as the next line; raises Refusal if it may not follow."""
    line = {
        "seq": state.seq + 1,
        "type": BOUND,
        "at": at,
        "actor": actor,
        "namespace": chat[0],
        "chat": chat[1],
        "prev": state.head,
        "body": body,
    }
    event = decode(encode(line), state.seq + 1)
    admit(state, event)
    return event


def dump(state: Bindings) -> dict[str, Any]:
    """The state, JSON-able; for a checkpoint."""
    records = sorted(state.sessions.values(), key=_key)
    held = {"seq": state.seq, "head": state.head, "at": state.at}
    return {"version": VERSION, **held, "sessions": records}


def load(dumped: dict[str, Any], archive: Archive) -> Bindings:
    """The state that was dumped; raises Corrupt if it is not one."""
    if dumped.get("version") != VERSION:
        raise Corrupt(0, "not a checkpoint of bindings")
    sessions = {_key(record): record for record in dumped["sessions"]}
    return Bindings(archive, dumped["seq"], dumped["head"], dumped["at"], sessions)


def document(state: Bindings) -> bytes:
    """What hooks read instead of the journal: `current.json` of the bindings."""
    return canonical_json(dump(state))


def _key(record: Record) -> tuple[str, str]:
    return record["host"], record["session"]
