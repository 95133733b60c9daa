"""What the pure core is given by the outside: the time, chance, and bytes.

Composing an event reads through an Edge and nothing else, so that a test can be the
whole world. What reads bytes of the ledger proves them: it answers None unless they
are there and have the sha256 that they are kept under.
"""

from typing import Any, Protocol


class Edge(Protocol):
    """The world of one command."""

    @property
    def at(self) -> str:
        """Now, RFC 3339 in UTC."""

    @property
    def actor(self) -> dict[str, str]:
        """Who writes: {kind, host, session}."""

    def mint(self) -> str:
        """32 random hex digits."""

    def has_source(self, sha256: str) -> bool:
        """Whether the ledger's tree has an entry for these bytes; they are not read."""

    def has_evidence(self, sha256: str) -> bool:
        """The same of evidence."""

    def read_source(self, sha256: str) -> bytes | None:
        """The exact bytes of a source, read and hashed now."""

    def read_evidence(self, sha256: str) -> bytes | None:
        """The bytes of evidence that the ledger keeps, read and hashed now."""

    def read_reference(self, ref: str) -> bytes | None:
        """What `git:OBJECT` or `file:PATH` holds now; the caller hashes it."""

    def read_unbound(self, id: str) -> tuple[dict[str, Any], bytes] | None:
        """Header and bytes of a spooled prompt or gap that belongs to no chat."""
