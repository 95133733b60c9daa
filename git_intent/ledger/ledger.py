"""The ledger of one chat, for whoever reads or writes it.

Reading takes no lock and writes nothing: the state is the fold of the ref, with what
waits in the spool beside it. Writing holds the lock, drains the spool, validates the
whole proposal against the state that came to be, and only then appends.
"""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from git_intent.files import canonical_json, sha256
from git_intent.ledger import bound, created, durable, recover
from git_intent.ledger import fold as rules
from git_intent.ledger import spool as spooling
from git_intent.ledger.answer import Answer
from git_intent.ledger.appending import Appending
from git_intent.ledger.chain import Fold, Tip
from git_intent.ledger.drain import drain
from git_intent.ledger.faults import Evidence, Fault, fault_of
from git_intent.ledger.fold import Already, Draft, fold, propose
from git_intent.ledger.home import Home
from git_intent.ledger.hot import Place, opened
from git_intent.ledger.journal import Journal
from git_intent.ledger.objective import render
from git_intent.ledger.objects import Objects
from git_intent.ledger.outside import Outside, references, stamp
from git_intent.ledger.processes import Processes
from git_intent.ledger.proofs import Proofs, prove
from git_intent.ledger.publish import CURRENT, JOURNAL, Projected, fresh
from git_intent.ledger.reading import Reading, drained
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.spool import Entry
from git_intent.ledger.state import State
from git_intent.ledger.view import view
from git_intent.ledger.writing import NotAppended, Writing, writing

WAIT = 10.0
#: The one command that a chat without a ledger takes.
_BEGINS = "capture"

Actor = dict[str, str]


def _anybody() -> None:
    """Nobody is refused for who he is."""


@dataclass(slots=True)
class Ledger:
    """`spool` is the folder of what could not be kept in the home."""

    home: Home
    namespace: str
    chat: str
    clock: Callable[[], float] = time.time
    random: Callable[[int], bytes] = os.urandom
    processes: Processes = field(default_factory=Processes)
    spool: str = ""

    @property
    def place(self) -> Place:
        return Place(self.home, self.namespace, self.chat)

    @property
    def folder(self) -> str:
        return self.place.folder

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.folder)

    @property
    def journal(self) -> Journal[State]:
        place = self.place
        return Journal(
            self.home,
            place.ref,
            place.folder,
            (self.namespace, self.chat),
            Fold(
                lambda archive: State(self.namespace, self.chat, archive),
                rules.replay,
                rules.dump,
                rules.load,
            ),
            self.project,
            self.processes,
        )

    def project(self, tip: Tip[State]) -> Projected:
        """The files that a state is shown as."""
        shown = view(tip.state)
        return self._projected(shown, self._proofs(tip, shown))

    def _projected(self, shown: dict[str, Any], proofs: Proofs) -> Projected:
        paths = [f"{self.folder}/{CURRENT}", f"{self.folder}/{JOURNAL}"]
        objective = render(shown, proofs, paths, owner=self.owner(shown))
        return Projected(canonical_json(shown), objective)

    def owner(self, shown: dict[str, Any]) -> Mapping[str, Any] | None:
        """The session that writes here: the one that is bound to, else the one that
        opened it."""
        try:
            known = bound.read(self.home).owner_of(self.namespace, self.chat)
        except (Refusal, OSError):
            known = None
        return known or shown["owner"]

    def read(self) -> Reading:
        """The ledger as it is now. Raises Refusal if it cannot be proved."""
        inbox = self.waiting()  # before the ref: what is drained meanwhile is in both
        journal = self.journal
        with Objects(self.home) as objects:
            commit = journal.tip()
            tip = journal.read(objects, commit)
            shown = view(tip.state)
            proofs = self._proofs(tip, shown)
        projected, known = self._projected(shown, proofs), journal.anchor()
        in_step = (
            known is not None
            and (known.commit, known.objective) == (commit, sha256(projected.objective))
            and fresh(self.folder, known)
        )
        left = [entry for entry in inbox if not drained(tip.state, entry)]
        return Reading(commit, tip.state, shown, left, proofs, projected, in_step)

    def refresh(self) -> bool:
        """Bring a projection that is behind up to date, if nobody writes just now.

        Gives whether it is up to date afterwards; a reader may call it.
        """
        reading = self.read()
        if reading.fresh or not reading.tip:
            return True
        try:
            with writing(self.journal, 0, self.clock) as work:
                work.again = True
                work.load()
        except (Refusal, OSError):
            return False
        return not work.faults

    def waiting(self) -> list[Entry]:
        """What is spooled for this chat, in the order of arrival."""
        found = spooling.entries(spooling.inbox(self.folder))
        if self.spool:
            found += [e for e in spooling.entries(self.spool) if self._is_ours(e)]
        return found

    def write(
        self,
        command: str,
        document: Any,
        actor: Actor,
        wait: float = WAIT,
        allowed: Callable[[], None] = _anybody,
    ) -> Answer:
        """Carry out an owner's command: all of it, or nothing.

        `allowed` is asked while the lock is held; it raises Refusal.
        """
        if command != _BEGINS and not opened(self.place):
            return self._told(
                Answer(False, refusal=self._none()), "", command, document
            )
        return self._writing(wait, actor, command, document, allowed)

    def reject(self, command: str, document: Any, refusal: Refusal) -> Answer:
        """Tell of a refusal that came before the lock, and keep it as evidence.

        `document` may be bytes that no document could be made of.
        """
        seq, head = self._anchored()
        done = Answer(False, seq, head, refusal=refusal)
        return self._told(done, head, command, document)

    def drain(self, wait: float = WAIT) -> Answer:
        """Bring what is spooled into the journal."""
        if not opened(self.place) and not self.waiting():
            return Answer(True)
        return self._writing(wait, {"kind": "hook", "host": "", "session": ""})

    def capture(
        self, header: dict[str, Any], data: bytes, wait: float = WAIT
    ) -> Answer:
        """Keep a prompt, and bring it into the journal. Raises OSError if it could not
        be kept; once it is, any fault only delays its event."""
        spooling.spool(spooling.inbox(self.folder), header, data)
        return self.drain(wait)

    def recover_lock(self, digest: str) -> Answer:
        """See `recover.recover_lock`: where the lock is now is named `kept`."""

        def act() -> Answer:
            kept = recover.recover_lock(self.journal, digest)
            return Answer(True, named={"kept": kept})

        return self._recovering("recover-lock", {"sha256": digest}, act)

    def recover_ref(self) -> Answer:
        """See `recover.recover_ref`."""
        return self._recovering(
            "recover-ref", {}, lambda: recover.recover_ref(self.journal)
        )

    def accept_head(self, head: str, note: str) -> Answer:
        """See `recover.accept_head`."""
        return self._recovering(
            "accept-head",
            {"head": head, "note": note},
            lambda: recover.accept_head(self.journal, head, note),
        )

    def _none(self) -> Refusal:
        return Refusal("no-ledger", "", f"chat {self.chat!r} has no ledger yet")

    def _recovering(
        self, command: str, document: Any, act: Callable[[], Answer]
    ) -> Answer:
        """What a recovery comes to; a refusal is kept as evidence."""
        try:
            if not opened(self.place):
                raise self._none()
            return act()
        except Refusal as refusal:
            return self.reject(command, document, refusal)

    def _writing(
        self,
        wait: float,
        actor: Actor,
        command: str = "",
        document: Any = None,
        allowed: Callable[[], None] = _anybody,
    ) -> Answer:
        done = Answer(False)
        faults: list[Fault] = []
        work: Writing[State] | None = None
        try:
            with writing(self.journal, wait, self.clock) as work:
                done = self._carry_out(work, actor, command, document, allowed)
        except Refusal as refusal:
            done = Answer(False, refusal=refusal)
        except OSError as error:
            faults.append(fault_of("append", error))
        if work is not None:
            before, seq, head = work.heads
            faults += work.faults
        else:  # the lock was not to be had
            seq, head = self._anchored()
            before = head
        done = replace(done, seq=seq, head=head, faults=tuple(faults))
        return self._told(done, before, command, document)

    def _anchored(self) -> tuple[int, str]:
        """Where the last append left the journal, as far as that is known."""
        try:
            known = self.journal.anchor()
        except OSError:
            known = None
        return (known.seq, known.head) if known else (0, "")

    def _carry_out(
        self,
        work: Writing[State],
        actor: Actor,
        command: str,
        document: Any,
        allowed: Callable[[], None],
    ) -> Answer:
        try:
            drain(work, self.waiting(), lambda added: self._edge(work, added, actor))
            if not command:
                return Answer(True)
            allowed()
            return self._append(work, command, document, actor)
        except Refusal as refusal:
            return Answer(False, refusal=refusal)
        except NotAppended as failed:
            work.faults.append(failed.fault)
        except OSError as error:
            work.faults.append(fault_of("append", error))
        return Answer(False)

    def _append(
        self, work: Writing[State], command: str, document: Any, actor: Actor
    ) -> Answer:
        """Compose, validate and record one event."""
        state, appending = work.tip.state, work.begin()
        if not state.seq and command != _BEGINS:
            raise self._none()
        edge = self._edge(work, appending, actor)
        draft = rules.compose(command, state, document, edge)
        if isinstance(draft, Already):
            named = draft.named
            return Answer(True, event=f"ev-{draft.seq}", named=named, already=True)
        event = None
        for each in [draft] if state.seq else [self._opening(draft, actor), draft]:
            event = propose(state, each, edge)
            fold(state, event)
            appending.add(event.line, each.sources, each.evidence)
        work.commit(appending, draft.summary)
        assert event is not None
        if "unbound" in document:
            self._forget(document["unbound"], work)
        named = rules.named(event.body)
        if "effect" in event.body:
            named["effect"] = event.body["effect"]
        return Answer(True, event=event.id, named=named)

    def _opening(self, draft: Draft, actor: Actor) -> Draft:
        """The event that comes before a chat's first capture, one given by hand."""
        if not any(data.strip() for data in draft.sources.values()):
            raise Refusal(
                "not-allowed", "", "a prompt that says nothing opens no ledger"
            )
        route = "default" if actor["session"] == self.chat else "explicit"
        return created.creating(actor["host"], actor["session"], route)

    def _forget(self, unbound: str, work: Writing[State]) -> None:
        """Remove the file of a prompt that belonged to no chat, and now does."""
        for entry in spooling.entries(self.spool):
            if entry.id == unbound:
                try:
                    durable.remove(entry.path)
                except OSError as error:
                    work.faults.append(fault_of("cleanup", error, (unbound,)))

    def _edge(
        self, work: Writing[State], added: Appending[State], actor: Actor
    ) -> Outside:
        return Outside(work.objects, added, actor, self.clock, self.random, self.spool)

    def _told(self, done: Answer, before: str, command: str, document: Any) -> Answer:
        """The answer, after evidence of what went wrong was kept; that it could not be
        kept is a note, and changes nothing else."""
        kept: list[Fault | None] = []
        at = {"at": stamp(self.clock()), "command": command or "drain"}
        if done.refusal is not None:
            raw = isinstance(document, bytes)
            data = document if raw else canonical_json(document)
            kept.append(
                self.evidence.record(
                    "rejection",
                    {
                        **at,
                        **done.refusal.as_json(),
                        "document": sha256(data),
                        "bytes": len(data),
                        "head_before": before,
                        "head_after": done.head,
                    },
                )
            )
        for fault in done.faults:
            kept.append(self.evidence.record("fault", {**at, **fault.as_json()}))
        notes = [f"not kept as evidence: {fault.message}" for fault in kept if fault]
        return replace(done, notes=tuple(notes))

    def _proofs(self, tip: Tip[State], shown: dict[str, Any]) -> Proofs:
        return prove(
            shown,
            lambda digest: tip.bytes_of("sources", digest),
            lambda digest: tip.bytes_of("evidence", digest),
            references(tip.objects),
        )

    def _is_ours(self, entry: Entry) -> bool:
        header = entry.header
        named = (header.get("namespace"), header.get("chat"))
        homes = (self.home.path, self.home.common_dir)
        return named == (self.namespace, self.chat) and header.get("home") in homes
