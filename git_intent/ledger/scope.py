"""The one reference to the definition of work that spans many steps.

    {"ref", "sha256", "phase", "remaining": [lines]}

It points at where the whole scope is defined, and says in a few lines what remains of
it; it is never the scope itself, hence the bounds. The owner's progress sets it, a
later one replaces it, and only a REPLACE or WITHDRAW can drop it. `phase` is copied and
means nothing here: nothing completes a scope but the owner's word elsewhere.
"""

from __future__ import annotations

from git_intent.files import sha256
from git_intent.ledger.evidence import REFERRED
from git_intent.ledger.fields import items, record, text
from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.ledger.archive import Record
    from git_intent.ledger.edge import Edge

#: What remains, in lines and bytes of a line.
LINES, LINE_BYTES = 20, 200

_line = text(LINE_BYTES, line=True)
shape = record({**REFERRED, "phase": _line, "remaining": items(_line, 0, LINES)})


def prove(
    scope: Record | None, evidence: list[Record], edge: Edge, pointer: str
) -> None:
    """Refuse evidence given under this scope if the scope's own bytes are not there."""
    mark = bound(scope).get("scope")
    if mark is None or all(item.get("scope") != mark for item in evidence):
        return
    data = edge.read_reference(mark["ref"])
    if data is None or sha256(data) != mark["sha256"]:
        lost = "missing" if data is None else "altered"
        raise Refusal(
            "evidence-unproven",
            pointer,
            f"the scope {mark['ref']} is {lost}; progress gives it anew",
            ids=[mark["ref"]],
        )


def bound(scope: Record | None) -> Record:
    """What evidence and next work given under a scope are marked with."""
    if scope is None:
        return {}
    return {"scope": {"ref": scope["ref"], "sha256": scope["sha256"]}}
