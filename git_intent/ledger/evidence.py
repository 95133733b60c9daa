"""What an owner gives as proof of progress, of a result, of an effect.

In a document an item is {"ref", "sha256", "note"} (the note may be left out) or
{"text"}. In an event the text is {"blob", "bytes"}: its bytes are kept in the ledger
under `evidence/`. A reference is read and hashed when it is given and whenever
something that rests on it is consumed.

Evidence only adds up. Where the same reference was given with other bytes, both stay on
record, and what is proved later is the last.
"""

from __future__ import annotations

from git_intent.files import sha256
from git_intent.ledger.fields import at, digest, invalid, items, record, text, whole
from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from git_intent.ledger.archive import Record
    from git_intent.ledger.edge import Edge

MOST = 100
_HEX = frozenset("0123456789abcdef")
_line = text(4_096, line=True)


def reference(value: Any, pointer: str) -> None:
    """Check the spelling of a reference."""
    _line(value, pointer)
    kind, _, name = value.partition(":")
    if kind == "git":
        if len(name) not in (40, 64) or not _HEX.issuperset(name):
            raise invalid(pointer, "git: is followed by an object's full id")
    elif kind == "file":
        steps = name.split("/")
        if "" in steps or "." in steps or ".." in steps:
            raise invalid(
                pointer, "file: is followed by a plain path from the top of the home"
            )
    else:
        raise invalid(pointer, "must be git:OBJECT or file:PATH")


REFERRED = {"ref": reference, "sha256": digest}
_NOTE = {"note": text(500, line=True)}
_referred = record(REFERRED, _NOTE)
_told = record({"text": text()})
_kept = record({"blob": digest, "bytes": whole(1)})


def _item(value: Any, pointer: str) -> None:
    (_told if isinstance(value, dict) and "text" in value else _referred)(
        value, pointer
    )


def _recorded(value: Any, pointer: str) -> None:
    (_kept if isinstance(value, dict) and "blob" in value else _referred)(
        value, pointer
    )


def given(low: int = 0) -> Any:
    """The check of a document's list of evidence."""
    return items(_item, low, MOST)


def recorded(low: int = 0) -> Any:
    """The check of an event's list of evidence."""
    return items(_recorded, low, MOST)


def compose(
    evidence: list[Record], edge: Edge, pointer: str
) -> tuple[list[Record], dict[str, bytes]]:
    """The items as an event says them, and the bytes to keep; refuses the unproven."""
    composed: list[Record] = []
    blobs: dict[str, bytes] = {}
    for place, item in enumerate(evidence):
        if "text" in item:
            data = item["text"].encode()
            blobs[sha256(data)] = data
            kept = {"blob": sha256(data), "bytes": len(data)}
            composed.append(kept)
            continue
        prove(item, edge, at(pointer, place))
        composed.append(item)
    return merge([], composed), blobs


def prove(item: Record, edge: Edge, pointer: str) -> None:
    """Refuse a reference that does not hold the bytes it is said to hold."""
    data = edge.read_reference(item["ref"])
    if data is None:
        raise Refusal(
            "evidence-unproven",
            at(pointer, "ref"),
            f"{item['ref']} is no object or plain file of the home",
            ids=[item["ref"]],
        )
    if sha256(data) != item["sha256"]:
        raise Refusal(
            "evidence-unproven",
            at(pointer, "sha256"),
            f"the sha256 of {item['ref']} is {sha256(data)}",
            ids=[item["ref"]],
        )


def merge(old: list[Record], new: Iterable[Record]) -> list[Record]:
    """Both, each item once, as it was given last."""
    merged = {_key(item): item for item in old}
    for item in new:
        merged.pop(_key(item), None)
        merged[_key(item)] = item
    return list(merged.values())


def current(evidence: Iterable[Record]) -> list[Record]:
    """The items to prove: of each reference what was given last."""
    return list({item.get("ref", item.get("blob")): item for item in evidence}.values())


def holds(item: Record, edge: Edge) -> bool:
    """Whether an item on record can be proved now."""
    if "blob" in item:
        data = edge.read_evidence(item["blob"])
        return data is not None and sha256(data) == item["blob"]
    data = edge.read_reference(item["ref"])
    return data is not None and sha256(data) == item["sha256"]


def _key(item: Record) -> tuple[str, ...]:
    if "blob" in item:
        return ("blob", item["blob"])
    return ("ref", item["ref"], item["sha256"])
