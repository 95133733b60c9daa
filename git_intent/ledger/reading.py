"""What a reader finds: the state of the journal, and what waits beside it."""

from dataclasses import dataclass
from typing import Any

from git_intent.ledger.proofs import Proofs
from git_intent.ledger.publish import Projected
from git_intent.ledger.spool import Entry
from git_intent.ledger.state import State


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader found: `tip` is empty if the chat has no ledger yet."""

    tip: str
    state: State
    view: dict[str, Any]
    inbox: list[Entry]
    proofs: Proofs
    projected: Projected
    fresh: bool  # the files are what this is shown as


def drained(state: State, entry: Entry) -> bool:
    """Whether the journal has what a file holds: it was drained meanwhile."""
    digits = entry.id.partition("-")[2]
    return (
        any(known["id"] == f"src-{digits}" for known in state.recent)
        or f"src-{digits}" in state.sources
        or f"gap-{digits}" in state.gaps
    )
