"""What hooks read of the bindings: who a session is in which chat.

As with chats, `current.json` of the bindings is believed only if the anchor names the
commit that the ref holds and the hash of the file; else the journal is read. Light as
long as that is not needed.
"""

from git_intent.ledger import anchor, durable, ref
from git_intent.ledger.digest import sha256
from git_intent.ledger.light_json import loads
from git_intent.ledger.names import BINDINGS
from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from git_intent.ledger.home import Home

    Record = Mapping[str, Any]

#: As in `bindings`, which is not light.
OWNER, READER, EXCLUDED, CHILD = "owner", "reader", "excluded", "child"


class Bound:
    """The last binding of each session."""

    __slots__ = ("_records",)

    def __init__(self, records: "Iterable[Record]" = ()) -> None:
        self._records = list(records)

    def of(self, host: str, session: str) -> "Record | None":
        """The binding of a session: {host, session, namespace, chat, role, note, …}."""
        for record in self._records:
            if (record["host"], record["session"]) == (host, session):
                return record
        return None

    def owner_of(self, namespace: str, chat: str) -> "Record | None":
        """The session that a chat was bound to as its owner."""
        for record in self._records:
            if record["role"] == OWNER and (record["namespace"], record["chat"]) == (
                namespace,
                chat,
            ):
                return record
        return None


def read(home: "Home") -> Bound:
    """The bindings of a home. Raises Refusal if they cannot be trusted, or OSError."""
    try:
        tip = ref.read(home, BINDINGS)
    except ref.Broken as broken:
        raise Refusal("ref-rewound", "", str(broken)) from None
    try:
        known = anchor.read(home.bindings, "", "")
    except NotADirectoryError:  # something else is in the place of our folder
        known = None
    if not tip and known is None:
        return Bound()
    if known is not None and known.commit == tip:
        data = durable.read(f"{home.bindings}/current.json")
        if data is not None and sha256(data) == known.current:
            return Bound(loads(data)["sessions"])
    from git_intent.ledger.binding_journal import read_state

    return Bound(read_state(home).sessions.values())
