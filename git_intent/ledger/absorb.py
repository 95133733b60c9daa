"""Bring the captures of a small ledger into another one, and close it.

Only a ledger that its own session opened and that holds captures alone can be absorbed:
no contract, no action. Pending prompts keep their ids in the target, so it can be done
again after an interruption; open gaps go along. What was disposed stays where it is.
"""

from dataclasses import dataclass
from typing import Any

from git_intent.ledger import capture, created, gaps
from git_intent.ledger.appending import Appending
from git_intent.ledger.drain import drain
from git_intent.ledger.faults import Fault
from git_intent.ledger.fold import Draft, fold, propose
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.outside import Outside
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import CLOSED, NO_CONTRACT, State
from git_intent.ledger.writing import Writing, writing

_WAIT = 10.0


@dataclass(frozen=True, slots=True)
class Absorbed:
    """A ledger that is to be absorbed, as it stands."""

    names: tuple[str, str]
    head: str
    sources: int

    def as_json(self) -> dict[str, Any]:
        namespace, chat = self.names
        told = {"namespace": namespace, "chat": chat, "head": self.head}
        return {**told, "sources": self.sources}


def examine(small: Ledger, session: tuple[str, str]) -> Absorbed | None:
    """What a session's own ledger holds; None if there is nothing to absorb.

    Raises Refusal if it holds more than captures.
    """
    found = small.read()
    state = found.state
    owner = state.owner or {}
    opened = (owner.get("host"), owner.get("session")) == session
    if not found.tip or state.status == CLOSED or not opened:
        return None
    if state.status != NO_CONTRACT or state.counts.get("actions"):
        raise Refusal(
            "not-allowed",
            "/session",
            f"the session's own chat {small.chat!r} has a contract",
            "go on there, or carry its objective over by hand",
        )
    return Absorbed((small.namespace, small.chat), state.head, len(state.sources))


def absorb(
    small: Ledger, target: Ledger, note: str, actor: dict[str, str]
) -> list[Fault]:
    """Capture again in the target what the small one holds, and close that."""
    with (
        writing(target.journal, _WAIT, target.clock) as into,
        writing(small.journal, _WAIT, small.clock) as leaving,
    ):
        for work, ledger in ((into, target), (leaving, small)):
            drain(work, ledger.waiting(), _edges(work, ledger, actor))
        _carry_over(into, target, leaving, small, actor)
        appending = leaving.begin()
        edge = _edges(leaving, small, actor)(appending)
        draft = created.closing(target.namespace, target.chat, note)
        _add(appending, draft, edge)
        leaving.commit(appending, draft.summary)
    return [*into.faults, *leaving.faults]


def _carry_over(
    into: Writing[State],
    target: Ledger,
    leaving: Writing[State],
    small: Ledger,
    actor: dict[str, str],
) -> None:
    appending = into.begin()
    edge = _edges(into, target, actor)(appending)
    state = leaving.tip.state
    for draft in _drafts(into.tip.state, leaving, small, edge):
        if not into.tip.state.seq:
            opener = state.owner or actor
            first = created.creating(opener["host"], opener["session"], "explicit")
            _add(appending, first, edge)
        _add(appending, draft, edge)
    if appending.lines:
        count = len(appending.lines)
        into.commit(appending, f"absorb chat {small.chat}: {count} events")


def _drafts(
    state: State, leaving: Writing[State], small: Ledger, edge: Outside
) -> "list[Draft]":
    found: list[Draft | None] = []
    for record in leaving.tip.state.sources.values():
        data = leaving.tip.bytes_of("sources", record["sha256"])
        if data is None:
            lost = f"gap-{record['id'].partition('-')[2]}"
            found.append(gaps.recording(record, lost, "bytes-lost"))
        else:
            names = (small.namespace, small.chat)
            found.append(capture.absorbing(state, record, data, *names, edge))
    for gap in leaving.tip.state.gaps.values():
        if gap["state"] == gaps.OPEN and not gaps.known(state, gap["id"]):
            found.append(gaps.recording(gap, gap["id"], gap["reason"]))
    return [draft for draft in found if draft is not None]


def _add(appending: Appending[State], draft: Draft, edge: Outside) -> None:
    state = appending.tip.state
    event = propose(state, draft, edge)
    fold(state, event)
    appending.add(event.line, draft.sources, draft.evidence)


def _edges(work: Writing[State], ledger: Ledger, actor: dict[str, str]) -> Any:
    """Makes the Edge of an append to a ledger."""

    def edge(appending: Appending[State]) -> Outside:
        return Outside(
            work.objects, appending, actor, ledger.clock, ledger.random, ledger.spool
        )

    return edge
