"""Bring what waits in the spool into the journal, in the order of arrival.

Whoever holds the lock drains first. All that waits becomes one commit (at most BATCH
files or BATCH_BYTES), with one event for each prompt or gap; the first of a chat brings
`ledger-created` along. A file is unlinked only after the ref that holds its event
survives, and one whose event the journal has already is only unlinked.

What was damaged in the spool becomes a gap, after its bytes have been kept in
`faults/`. A file that is none of ours stays where it is. As a program:

    python -m git_intent.ledger.drain HOME NAMESPACE CHAT [SPOOL]

drains until nothing waits. It is started detached by hooks; of several only one works.
"""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from git_intent.files import sha256
from git_intent.ledger import created, durable
from git_intent.ledger.appending import Appending
from git_intent.ledger.capture import from_spool
from git_intent.ledger.edge import Edge
from git_intent.ledger.faults import fault_of
from git_intent.ledger.fold import Draft, fold, propose
from git_intent.ledger.refusal import Corrupt, Newer, Refusal
from git_intent.ledger.spool import Entry
from git_intent.ledger.state import State
from git_intent.ledger.writing import Writing

BATCH = 256
BATCH_BYTES = 64 << 20

MakeEdge = Callable[[Appending[State]], Edge]


@dataclass(slots=True)
class _Batch:
    appending: Appending[State]
    edge: Edge
    summaries: list[str] = field(default_factory=list)
    done: list[Entry] = field(default_factory=list)
    size: int = 0

    def add(self, draft: Draft) -> None:
        state = self.appending.tip.state
        event = propose(state, draft, self.edge)
        fold(state, event)
        self.appending.add(event.line, draft.sources, draft.evidence)
        self.summaries.append(draft.summary)

    @property
    def full(self) -> bool:
        return len(self.done) >= BATCH or self.size >= BATCH_BYTES

    @property
    def subject(self) -> str:
        if len(self.summaries) == 1:
            return self.summaries[0]
        return f"drain {len(self.summaries)} events: {self.summaries[-1]}"


def drain(work: Writing[State], entries: list[Entry], make_edge: MakeEdge) -> None:
    """Append what the entries hold. Raises NotAppended or Refusal at the first that
    cannot be; those before it are recorded."""
    waiting: Iterator[Entry] = iter([e for e in entries if e.damage != "name"])
    more = True
    while more:
        appending = work.begin()
        batch = _Batch(appending, make_edge(appending))
        more = False
        try:
            _keep_torn(work, batch)
            for entry in waiting:
                _take(work, batch, entry)
                if batch.full:
                    more = True
                    break
        finally:
            if appending.tip.state.seq == len(appending.lines) == 1:
                work.reload()  # nothing but `ledger-created`: its capture was refused
            elif appending.lines:
                work.commit(appending, batch.subject)
                _unlink(work, batch.done)
        if not appending.lines:
            _unlink(work, batch.done)


def _keep_torn(work: Writing[State], batch: _Batch) -> None:
    """Say in the journal that a tail behind its last line was kept."""
    torn = work.tip.torn
    if torn:
        name = work.journal.evidence.keep_tail(torn, elsewhere=False)
        batch.add(created.preserving(name, sha256(torn), len(torn)))


def _take(work: Writing[State], batch: _Batch, entry: Entry) -> None:
    """Add the event of one file."""
    state, header = batch.appending.tip.state, entry.header
    if entry.damage == "version":
        raise Newer(state.seq + 1, f"spooled file {entry.name}")
    raw = entry.raw()
    data = raw[entry.start :]
    if entry.damage or (data and sha256(data) != header["sha256"]):
        work.journal.evidence.keep_tail(raw, elsewhere=False)
    if entry.damage != "header":
        try:
            _add(batch, header, data)
        except (Corrupt, OSError):
            raise
        except Refusal as refusal:
            if refusal.code == "ledger-closed":
                raise
            if not state.seq:
                return
            work.journal.evidence.keep_tail(raw, elsewhere=False)
            _add(batch, _lost(entry.name, state, batch.edge), b"")
    elif state.seq:
        _add(batch, _lost(entry.name, state, batch.edge), b"")
    else:
        return  # a ledger is not begun by what has lost its sender
    batch.size += len(data)
    batch.done.append(entry)


def _add(batch: _Batch, header: dict[str, Any], data: bytes) -> None:
    state = batch.appending.tip.state
    draft = from_spool(state, header, data, batch.edge)
    if draft is None:
        return
    if not state.seq:
        route = "default" if header["session"] == state.chat else "explicit"
        first = created.creating(header["host"], header["session"], route)
        batch.add(replace(first, actor=draft.actor))
    batch.add(draft)


def _lost(name: str, state: State, edge: Edge) -> dict[str, Any]:
    """What can be said of a file whose header is torn: that something was there."""
    sender = state.owner or edge.actor
    return {
        "id": f"gap-{sha256(name.encode())[:32]}",
        "kind": "gap",
        "host": sender["host"],
        "session": sender["session"],
        "turn": None,
        "at": edge.at,
        "sha256": None,
        "bytes": None,
        "reason": "spool-torn",
    }


def _unlink(work: Writing[State], done: list[Entry]) -> None:
    """Remove what the journal has now; what stays is known by its id next time."""
    for entry in done:
        try:
            durable.remove(entry.path)
        except FileNotFoundError:
            continue
        except OSError as error:
            work.faults.append(fault_of("cleanup", error, (entry.id,)))


def main(arguments: list[str]) -> int:
    """Drain one chat's spool as a process of its own."""
    from git_intent.ledger.home import open_home
    from git_intent.ledger.ledger import Ledger

    path, namespace, chat, *elsewhere = arguments
    ledger = Ledger(open_home(path, ""), namespace, chat, spool=(*elsewhere, "")[0])
    code = 0
    while ledger.waiting():
        guard = _guard(f"{ledger.folder}/drain.guard")
        if guard is None:
            return 0
        try:
            while ledger.waiting():
                answer = ledger.drain(10)
                code = answer.exit_code
                if code:
                    return code
        finally:
            os.close(guard)
        # what came between the last look and now found the guard taken
    return code


def _guard(path: str) -> int | None:
    """A descriptor that holds the file; None if another process does."""
    guard = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, durable.PRIVATE)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(guard)
        return None
    return guard


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
