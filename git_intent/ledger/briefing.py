"""What stands in a chat's compact context, in the order in which it matters.

Facts, not orders: an agent's host may take orders in injected text for an attack.
"""

from git_intent.ledger.context import ABOUT, Section, Speaker
from git_intent.ledger.frontier import Frontier

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    Record = Mapping[str, Any]

_CLASSES = {
    "LIVE": "",
    "NO_CONTRACT": " It has no contract yet: the first prompt is classified INITIAL.",
    "WITHDRAWN": " Its contract was withdrawn: the next one is classified REPLACE.",
}


def sections(
    speaker: Speaker, found: Frontier, dead_lock: str = "", notes: "Iterable[str]" = ()
) -> "Iterator[Section]":
    """The sections below the pointer; `dead_lock` is the hash of a lock whose owner is
    proved dead, `notes` what else must be said."""
    status = str(found.view.get("status", "NO_CONTRACT"))
    yield Section(
        f"{ABOUT}the file above holds this chat's objective, contract, outcomes, "
        f"effects and next work.{_CLASSES.get(status, '')}"
    )
    yield from map(Section, notes)
    yield from _waiting(speaker, found)
    yield from _actions(speaker, found)
    if dead_lock:
        yield Section(
            "The ledger's lock is held by a process that is dead:",
            command=speaker.command(f"recover-lock --sha256 {dead_lock}"),
        )
    if found.next_work:
        yield Section(_advice(len(found.next_work), found.held))


def _waiting(speaker: Speaker, found: Frontier) -> "Iterator[Section]":
    if found.sources:
        yield Section(
            f"{_count(found.sources, 'prompt')} of the user not yet classified or "
            "disposed, oldest first; new actions and configured mutations are held "
            "until then. One is settled by",
            found.sources,
            _source,
            speaker.command("classify-source"),
        )
        yield Section(
            "or, if it changes nothing,", command=speaker.command("dispose-source")
        )
    if found.gaps:
        yield Section(
            f"{_count(found.gaps, 'prompt')} known to be missing; new actions and "
            "configured mutations are held. With the exact bytes recover-source brings "
            "one back; else",
            found.gaps,
            _gap,
            speaker.command("dispose-gap"),
        )


def _actions(speaker: Speaker, found: Frontier) -> "Iterator[Section]":
    if found.pending:
        yield Section(
            f"{_count(found.pending, 'action')} started and without a result:",
            found.pending,
            _action,
            speaker.command("action-finish"),
        )
    if found.effects:
        yield Section(
            f"{_count(found.effects, 'action')} with an unknown effect:",
            found.effects,
            _action,
            speaker.command("reconcile-effect"),
        )


def _count(records: "list[Record]", noun: str) -> str:
    return f"1 {noun}" if len(records) == 1 else f"{len(records)} {noun}s"


def _advice(items: int, held: bool) -> str:
    if held:
        return f"Next work ({items}) is held until the prompts above are settled."
    return f"Next work of the current contract: {items}, in the file above."


def _source(record: "Record") -> str:
    at, size = record.get("at"), record.get("bytes")
    facts = [str(fact) for fact in (at, f"{size} bytes" if size else "") if fact]
    return " ".join([str(record["id"]), *facts])


def _gap(record: "Record") -> str:
    size = record.get("bytes")
    return f"{record['id']} {size} bytes" if size else str(record["id"])


def _action(record: "Record") -> str:
    return str(record["id"])
