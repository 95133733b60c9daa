"""What a journal comes to: the live state of one chat, and its archive.

Records are JSON-able dictionaries, replaced and never changed in place, so a copy of a
state is cheap and a reader's record stays as it was. What is settled leaves the live
state for the archive; what is held here is bounded by what is open, not by history.

    source {id, seq, sha256, bytes, origin, state UNCLASSIFIED|CLASSIFIED|DISPOSED,
            host, session, turn, at, encoding, flags, skip, deliveries, order, late}
    gap    {id, seq, sha256, bytes, reason, host, session, turn, at,
            state OPEN|RECOVERED|DISPOSED, source}
    action {id, seq, tool, what, serves, depends, retries, contract, at,
            state PENDING|SUCCEEDED|FAILED|CANCELLED|UNKNOWN_EFFECT, effect,
            result_seq, evidence, reconciled: [{seq, effect, evidence}]}
    outcome state {state OPEN|ACTIVE|BLOCKED|DONE, evidence, blockers}

`order` is the place in the chat that a source has, as a sequence number; it is `late`
if a younger one was classified before it came.

Ids: events, actions and clauses are numbered by the event that made them (`ev-57`,
`act-57`, `out-57.2`); sources and gaps carry 32 random hex digits (`src-…`, `gap-…`),
for they get their id before they are in the journal.
"""

from dataclasses import dataclass, field
from typing import Any

from git_intent.ledger.archive import Archive, Record
from git_intent.ledger.contract import Contract, clauses, contract_hash, empty
from git_intent.ledger.event import ZERO
from git_intent.ledger.refusal import Refusal

NO_CONTRACT, LIVE, WITHDRAWN, CLOSED = "NO_CONTRACT", "LIVE", "WITHDRAWN", "CLOSED"
#: How many captures are remembered in the live state.
WINDOW = 32

_RANDOM = ("src-", "gap-")
_SHORTEST = len("src-") + 4


@dataclass(slots=True)
class State:
    """The fold of a journal up to `seq`; `head` is the hash of that line."""

    namespace: str
    chat: str
    archive: Archive
    seq: int = 0
    head: str = ZERO
    at: str = ""
    #: How the chat id came about: {host, session, route}.
    binding: Record | None = None
    #: Who made the ledger: {host, session}.
    owner: Record | None = None
    status: str = NO_CONTRACT
    #: Of a closed ledger: {namespace, chat} of the one it moved to.
    moved_to: Record | None = None
    contract: Contract = field(default_factory=empty)
    contract_hash: str = field(default_factory=lambda: contract_hash(empty()))
    #: Outcome states by clause id.
    outcomes: dict[str, Record] = field(default_factory=dict)
    next_work: Record | None = None
    scope: Record | None = None
    #: Sources that wait for classification, in journal order.
    sources: dict[str, Record] = field(default_factory=dict)
    #: Actions without result, or with an unreconciled unknown effect.
    actions: dict[str, Record] = field(default_factory=dict)
    #: Gaps that are open, or recovered and to be proved at every reading.
    gaps: dict[str, Record] = field(default_factory=dict)
    #: The last captures: {id, seq, sha256, turn, of}; see `source.remember`.
    recent: list[Record] = field(default_factory=list)
    #: The sequence number of the youngest capture that was classified.
    youngest: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, name: str) -> None:
        """One more of what `name` counts."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def find(self, kind: str, record_id: str) -> Record | None:
        """A record of `sources`, `actions` or `gaps`, live or archived."""
        live: dict[str, Record] = getattr(self, kind)
        return live.get(record_id) or self.archive.get(record_id)

    def settle_source(self, source_id: str, **changes: Any) -> Record:
        """Take a source out of the pending ones (or change an archived one)."""
        record = self.sources.pop(source_id, None) or self.archive.get(source_id)
        if record is None:
            raise KeyError(source_id)
        settled = {**record, **changes}
        if settled["state"] == "CLASSIFIED":
            self.youngest = max(self.youngest, settled["order"])
        self.archive.put(source_id, settled)
        return settled


def resolve_id(state: State, text: str, pointer: str) -> str:
    """The id that `text` names, live or archived.

    Random ids may be cut short, to no less than four digits, if they stay unique.
    """
    live = {*state.sources, *state.actions, *state.gaps}
    live |= {clause["id"] for _, clause in clauses(state.contract)}
    if text in live or (":" not in text and state.archive.get(text) is not None):
        return text
    found = []
    if text.startswith(_RANDOM) and len(text) >= _SHORTEST:
        known = live | state.archive.all_keys()
        found = sorted(name for name in known if name.startswith(text))
    if len(found) > 1:
        raise Refusal(
            "ambiguous-id", pointer, f"{text} begins {len(found)} ids", ids=found[:10]
        )
    if not found:
        raise Refusal("unknown-id", pointer, f"{text!r} names nothing here", ids=[text])
    return found[0]
