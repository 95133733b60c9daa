"""What the composing of events sees of the world: clock, chance, the ledger's bytes.

The one Edge of the program; everything is read when it is asked for.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from git_intent.ledger import spool
from git_intent.ledger.home import Home
from git_intent.ledger.objects import Objects
from git_intent.ledger.references import References


class Bytes(Protocol):
    """A tip, or what is being added to one."""

    def has(self, kind: str, digest: str) -> bool: ...

    def bytes_of(self, kind: str, digest: str) -> bytes | None: ...


class Outside:
    """See `edge.Edge`; `unbound` is the folder of prompts that belong to no chat."""

    def __init__(
        self,
        objects: Objects,
        ledger: Bytes,
        actor: dict[str, str],
        clock: Callable[[], float],
        random: Callable[[int], bytes],
        unbound: str,
    ) -> None:
        self.actor = actor
        self._ledger, self._clock, self._random = ledger, clock, random
        self._unbound = unbound
        self.read_reference = references(objects)

    @property
    def at(self) -> str:
        return stamp(self._clock())

    def mint(self) -> str:
        return self._random(16).hex()

    def has_source(self, sha256: str) -> bool:
        return self._ledger.has("sources", sha256)

    def has_evidence(self, sha256: str) -> bool:
        return self._ledger.has("evidence", sha256)

    def read_source(self, sha256: str) -> bytes | None:
        return self._ledger.bytes_of("sources", sha256)

    def read_evidence(self, sha256: str) -> bytes | None:
        return self._ledger.bytes_of("evidence", sha256)

    def read_unbound(self, id: str) -> tuple[dict[str, Any], bytes] | None:
        for entry in spool.entries(self._unbound) if self._unbound else ():
            if entry.id == id and not entry.damage and "chat" not in entry.header:
                return entry.header, entry.data()
        return None


def stamp(seconds: float) -> str:
    """A time as events tell it."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z"


def references(objects: Objects) -> References:
    """Reads what references of a home point at."""
    home = objects.home
    return References(_work_tree(home), lambda oid: _object(objects, oid))


def _work_tree(home: Home) -> str | None:
    return home.path if Path(home.path, ".git").exists() else None


def _object(objects: Objects, oid: str) -> bytes | None:
    found = objects.ask(oid)
    return found.data if found is not None and found.oid == oid else None
