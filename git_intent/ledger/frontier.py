"""What stands open in a chat: the projection's part of it and what waits in the inbox.

Everything that shows or judges open things asks here, so that a prompt counts from the
moment it is safe, drained or not. Pure and light.
"""

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    Record = Mapping[str, Any]

GAP = "gap"


class Frontier:
    """Records, each with an `id`, the oldest first."""

    __slots__ = ("effects", "gaps", "pending", "recovered", "sources", "view")

    def __init__(self, view: "Record | None", spooled: "Iterable[Record]" = ()) -> None:
        self.view: Record = view or {}
        #: Prompts that are neither classified nor disposed.
        self.sources: list[Record] = list(self.view.get("pending_sources", ()))
        #: Prompts that are known to be missing.
        self.gaps: list[Record] = [
            gap for gap in self.view.get("gaps", ()) if gap["state"] == "OPEN"
        ]
        #: Prompts that came back; whether their bytes are still there must be proved.
        self.recovered: list[Record] = [
            gap for gap in self.view.get("gaps", ()) if gap["state"] != "OPEN"
        ]
        #: Actions without a result.
        self.pending: list[Record] = list(self.view.get("pending_actions", ()))
        #: Actions whose effect is unknown and not reconciled.
        self.effects: list[Record] = list(self.view.get("unknown_effects", ()))
        headers = list(spooled)
        if not headers:
            return
        # A drained file may still lie there, and what was damaged became a gap.
        known = {_digits(name) for name in self.view.get("recent", ())}
        known |= {_digits(record["id"]) for record in (*self.sources, *self.gaps)}
        for header in headers:
            if _digits(header["id"]) not in known:
                of_its_kind = self.gaps if header.get("kind") == GAP else self.sources
                of_its_kind.append(header)

    @property
    def held(self) -> bool:
        """Whether new actions and configured mutations wait for the owner."""
        return bool(self.sources or self.gaps)

    @property
    def next_work(self) -> "list[str]":
        """What the current contract has for next work; nothing of an older one's."""
        work = self.view.get("next_work")
        if not work or work["contract"] != self.view.get("contract_hash"):
            return []
        return list(work["items"])


def _digits(record_id: str) -> str:
    return record_id.partition("-")[2]


def spooled_headers(entries: "Iterable[Any]") -> "list[Record]":
    """What an inbox tells: the header of each file, or its name if that is damaged."""
    return [
        {"id": entry.name, "kind": "damaged"} if entry.damage else entry.header
        for entry in entries
    ]
