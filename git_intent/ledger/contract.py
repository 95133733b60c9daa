"""The objective contract: what the user wants, clause by clause.

    {"objective": clause or null, "policies": [], "constraints": [],
     "prohibitions": [], "outcomes": []}

A clause is {"id", "text", "bindings"}; a binding is {"event", "source", "sha256",
"span", "span_sha256"} and says which bytes of which captured source the clause rests
on. A clause has at least one. Its id tells the kind, the sequence number of the event
that made it, and its place among the clauses made there: `out-57.2`. The contract's
hash is the SHA-256 of its canonical JSON.

Contracts are values: what changes one makes another.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

from git_intent.files import canonical_json, sha256
from git_intent.ledger.fields import digest, items, record, span, text

Clause: TypeAlias = dict[str, Any]
Contract: TypeAlias = dict[str, Any]

#: Where a clause can stand, and what its id begins with.
PREFIXES = {
    "objective": "obj",
    "policies": "pol",
    "constraints": "con",
    "prohibitions": "pro",
    "outcomes": "out",
}
FIELDS = tuple(PREFIXES)
#: A clause is a sentence or a paragraph. What is longer is a document to refer to.
TEXT_BYTES = 65_536

binding = record(
    {
        "event": text(64, line=True),
        "source": text(64, line=True),
        "sha256": digest,
        "span": span,
        "span_sha256": digest,
    }
)
bindings = items(binding, 1, 100)
clause_text = text(TEXT_BYTES)


def empty() -> Contract:
    """The contract of a ledger that has none yet, or has none any more."""
    return {field: None if field == "objective" else [] for field in FIELDS}


def contract_hash(contract: Contract) -> str:
    """What documents and events name a contract by."""
    return sha256(canonical_json(contract)[:-1])


def clauses(contract: Contract) -> Iterator[tuple[str, Clause]]:
    """Every clause with the field it stands in, in the contract's order."""
    for field in FIELDS:
        held = contract[field]
        for clause in [held] if isinstance(held, dict) else held or []:
            yield field, clause


def find(contract: Contract, clause_id: str) -> tuple[str, Clause] | None:
    """The live clause of this id and its field."""
    for field, clause in clauses(contract):
        if clause["id"] == clause_id:
            return field, clause
    return None
