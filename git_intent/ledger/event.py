"""One line of a journal.

A line is canonical JSON: keys sorted, no blanks, ASCII with escapes, one newline. It
has exactly these fields: `v` (1), `seq` (from 1, without holes), `id` (`ev-SEQ`),
`type`, `at` (RFC 3339 in UTC; told, never compared), `actor` {kind, host, session},
`namespace`, `chat`, `prev` (sha256 of the line before, ZERO before the first) and
`body`, whose fields belong to the type. There is one spelling of an event: `decode`
takes no other, so a line that parses has the hash it was appended with.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from git_intent.files import canonical_json, sha256
from git_intent.ledger.refusal import Corrupt, Newer

VERSION = 1
#: What the first line follows.
ZERO = "0" * 64
KINDS = ("hook", "owner", "recovery")

_FIELDS = {
    *("v", "seq", "id", "type", "at", "actor", "namespace", "chat", "prev", "body"),
}
_ACTOR = {"kind", "host", "session"}
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}")
_TYPE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Event:
    """A line, taken apart; `line` holds its bytes."""

    v: int
    seq: int
    id: str
    type: str
    at: str
    actor: dict[str, str]
    namespace: str
    chat: str
    prev: str
    body: dict[str, Any]
    line: bytes


def line_hash(line: bytes) -> str:
    """What the next line calls `prev`, and the ledger its head."""
    return sha256(line)


def encode(fields: dict[str, Any]) -> bytes:
    """The line of an event; `v` and `id` follow from the rest."""
    return canonical_json({**fields, "v": VERSION, "id": f"ev-{fields['seq']}"})


def decode(line: bytes, seq: int) -> Event:
    """The event of a line, `seq` being the number that it must have.

    Raises Corrupt, or Newer if a later version wrote it.
    """
    if not line.endswith(b"\n"):
        raise Corrupt(seq, "the line has no end")
    try:
        fields = json.loads(line.decode("ascii"))
        canonical = canonical_json(fields)
    except (ValueError, RecursionError):
        raise Corrupt(seq, "not canonical JSON") from None
    if canonical != line or not isinstance(fields, dict):
        raise Corrupt(seq, "not a canonical JSON object")
    version = fields.get("v")
    if type(version) is int and version > VERSION:
        raise Newer(seq, f"version {version}")
    wrong = _wrong(fields, seq)
    if wrong:
        raise Corrupt(seq, f"field {wrong!r} is not right")
    return Event(line=line, **fields)


def _wrong(fields: dict[str, Any], seq: int) -> str:
    """The name of a field that no event can have so; empty if all are right."""
    if fields.keys() != _FIELDS:
        return min(fields.keys() ^ _FIELDS)
    actor, body = fields["actor"], fields["body"]
    right = {
        "v": type(fields["v"]) is int and fields["v"] == VERSION,
        "seq": type(fields["seq"]) is int and fields["seq"] == seq,
        "id": fields["id"] == f"ev-{seq}",
        "type": _matches(_TYPE, fields["type"]),
        "at": _matches(_AT, fields["at"]),
        "actor": isinstance(actor, dict)
        and set(actor) == _ACTOR
        and actor["kind"] in KINDS
        and isinstance(actor["host"], str)
        and isinstance(actor["session"], str),
        "namespace": isinstance(fields["namespace"], str) and fields["namespace"] != "",
        "chat": isinstance(fields["chat"], str) and fields["chat"] != "",
        "prev": _matches(_HASH, fields["prev"]),
        "body": isinstance(body, dict),
    }
    return (
        "" if all(right.values()) else next(name for name in right if not right[name])
    )


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
