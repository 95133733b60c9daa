"""What a reader may ask of a ledger besides its state: sources, their bytes, events.

Nothing is locked or written. The inbox is listed before the ref is read, so a prompt
that is drained meanwhile is seen in one of them at least; in both it is told once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from git_intent.files import sha256
from git_intent.ledger.archive import Record
from git_intent.ledger.chain import Tip
from git_intent.ledger.event import Event, decode
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.objects import Objects
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.source import UNCLASSIFIED
from git_intent.ledger.spool import Entry
from git_intent.ledger.state import State

_SHORTEST = len("src-") + 4
_SOURCE = "src-"


class Look:
    """One reading of a ledger, for as long as it is open."""

    def __init__(self, tip: Tip[State], inbox: list[Entry]) -> None:
        self.tip = tip
        self.state = tip.state
        waiting = [entry for entry in inbox if not self._has(entry)]
        self._spooled = {e.id: e for e in waiting if _is_prompt(e)}
        self._lost = [entry for entry in waiting if not _is_prompt(entry)]

    def sources(self) -> list[Record]:
        """Every source, in the order of the journal; what is spooled comes last."""
        archive = self.state.archive
        names = {name for name in archive.all_keys() if name.startswith(_SOURCE)}
        settled = (archive.get(name) for name in names - set(self.state.sources))
        found = [record for record in settled if record is not None]
        found += self.state.sources.values()
        found.sort(key=lambda record: int(record["seq"]))
        return [*found, *map(_waiting, self._spooled.values())]

    def gaps(self) -> list[Record]:
        """The prompts that are known to be missing; what is spooled comes last."""
        found = [gap for gap in self.state.gaps.values() if gap["state"] == "OPEN"]
        return [*found, *map(_missing, self._lost)]

    def source(self, wanted: str) -> Record:
        """The source that an id or the beginning of one names. Raises Refusal."""
        if wanted in self._spooled:
            return _waiting(self._spooled[wanted])
        known = self.state.find("sources", wanted) if _is_whole(wanted) else None
        if known is not None:
            return known
        found = [
            record
            for record in self.sources()
            if len(wanted) >= _SHORTEST and record["id"].startswith(wanted)
        ]
        if len(found) > 1:
            names = [record["id"] for record in found[:10]]
            raise Refusal(
                "ambiguous-id", "", f"{wanted} begins {len(found)} ids", ids=names
            )
        if not found:
            raise Refusal("unknown-id", "", f"no source {wanted!r} here", ids=[wanted])
        return found[0]

    def bytes_of(self, record: Record) -> bytes:
        """The exact bytes of a source, proved now. Raises Refusal."""
        entry = self._spooled.get(record["id"])
        data = entry.data() if entry else self.tip.bytes_of("sources", record["sha256"])
        if data is None or sha256(data) != record["sha256"]:
            raise Refusal(
                "source-unproven",
                "",
                f"the bytes of {record['id']} are missing or altered",
                ids=[record["id"]],
            )
        return data

    def events(self) -> Iterator[Event]:
        """Every event, from the first on. Raises Corrupt."""
        seq = 0
        for data in self.tip.segments():
            for line in data.splitlines(keepends=True):
                seq += 1
                yield decode(line, seq)

    def _has(self, entry: Entry) -> bool:
        """Whether the journal has it: it was drained meanwhile."""
        digits = entry.id.partition("-")[2]
        return (
            self.state.find("sources", f"src-{digits}") is not None
            or any(known["id"] == f"src-{digits}" for known in self.state.recent)
            or self.state.find("gaps", f"gap-{digits}") is not None
        )


@contextmanager
def look(ledger: Ledger) -> Iterator[Look]:
    """Read a ledger. Raises Refusal if it cannot be proved, or is not there at all."""
    inbox = ledger.waiting()
    journal = ledger.journal
    with Objects(ledger.home) as objects:
        tip = journal.read(objects, journal.tip())
        if not tip.commit and not inbox:
            raise Refusal("no-ledger", "", f"chat {ledger.chat!r} has no ledger yet")
        yield Look(tip, inbox)


def _is_whole(wanted: str) -> bool:
    return wanted.startswith(_SOURCE) and len(wanted) == len(_SOURCE) + 32


def _is_prompt(entry: Entry) -> bool:
    return entry.header.get("kind") == "prompt" and not entry.damage


def _missing(entry: Entry) -> dict[str, Any]:
    """A spooled gap, or a file whose bytes are not those of its header, as a gap."""
    header = entry.header
    told = ("sha256", "bytes", "host", "session", "turn", "at")
    kept = {name: header.get(name) for name in told}
    reason = "spool-damaged" if entry.damage else header.get("reason", "not-kept")
    return {
        "id": entry.id or entry.name,
        "seq": None,
        **kept,
        "reason": reason,
        "state": "OPEN",
        "source": None,
        "spooled": True,
    }


def _waiting(entry: Entry) -> dict[str, Any]:
    """A spooled prompt as a source: safe, and not in the journal yet."""
    header = entry.header
    told = ("id", "sha256", "bytes", "origin", "host", "session", "turn", "at")
    kept = {name: header.get(name) for name in (*told, "encoding", "flags", "skip")}
    return {**kept, "seq": None, "state": UNCLASSIFIED, "spooled": True}
