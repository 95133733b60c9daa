"""Bind a session to a chat, or shut it out: one event in the journal of bindings.

A bind names who, which chat, in which role and why. It is refused where it would leave
a contract without its owner, or lead to a ledger that has itself moved. A ledger of the
session that holds captures only is *absorbed*: its pending prompts are captured again
in the target, under their own ids, and it is closed. The event comes first, so the same
bind again carries on one that was interrupted, and nothing is captured twice.

Binds take turns by the lock of the bindings, which is taken before that of any chat.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from git_intent.files import canonical_json, sha256
from git_intent.ledger import bindings
from git_intent.ledger.absorb import Absorbed, absorb, examine
from git_intent.ledger.answer import Answer
from git_intent.ledger.archive import Record
from git_intent.ledger.binding_journal import journal
from git_intent.ledger.bindings import Bindings, place, propose
from git_intent.ledger.faults import Evidence, Fault, fault_of
from git_intent.ledger.fields import invalid, text
from git_intent.ledger.home import Home
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.names import usable
from git_intent.ledger.outside import stamp
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import CLOSED, NO_CONTRACT
from git_intent.ledger.writing import NotAppended, Writing, writing

WAIT = 10.0
_note = text(4000)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: the session of `host` is to be `role` in a chat, and why."""

    host: str
    session: str
    namespace: str
    chat: str
    role: str
    note: str

    @property
    def target(self) -> tuple[str, str]:
        return self.namespace, self.chat

    def as_json(self) -> Record:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Binder:
    """Binds sessions in one home; `spool` holds what that home could not take."""

    home: Home
    actor: dict[str, str]
    clock: Callable[[], float] = time.time
    spool: str = ""
    faults: list[Fault] = field(default_factory=list)

    def bind(self, wish: Wish) -> Answer:
        """Record the binding, and bring along what the session captured elsewhere."""
        self.faults = []
        done, before = Answer(False), ""
        try:
            _check(wish)
            with writing(journal(self.home), WAIT, self.clock) as work:
                before = work.tip.state.head
                done = self._carry_out(work, wish)
            self.faults = [*work.faults, *self.faults]
        except Refusal as refusal:
            done = Answer(False, refusal=refusal)
        except NotAppended as failed:
            self.faults.insert(0, failed.fault)
        except OSError as error:
            self.faults.insert(0, fault_of("append", error))
        if done.recorded and wish.role == bindings.OWNER:
            with suppress(Refusal, OSError):  # its text names the owner's commands
                self._ledger(wish.target).refresh()
        return self._told(replace(done, faults=tuple(self.faults)), wish, before)

    def _carry_out(self, work: Writing[Bindings], wish: Wish) -> Answer:
        state = work.tip.state
        target = self._ledger(wish.target)
        found = target.read()
        moving = list(self._moving(state, wish))
        if found.state.status == CLOSED:
            raise Refusal("ledger-closed", "/chat", f"chat {wish.chat!r} has moved")
        if not found.tip:
            _refuse_a_moved_name(state, wish)
        now = state.of(wish.host, wish.session)
        settled = now and (place(now), now["role"]) == (wish.target, wish.role)
        if settled and not moving:
            raise Refusal("already-settled", "", "the session is bound so already")
        event = "" if settled else self._record(work, wish, found, moving)
        for one in moving:
            self.faults += absorb(
                self._ledger(one.names), target, wish.note, self.actor
            )
        tip = work.tip.state
        return Answer(
            True, tip.seq, tip.head, event or f"ev-{now['seq'] if now else 0}"
        )

    def _record(
        self,
        work: Writing[Bindings],
        wish: Wish,
        found: Any,
        moving: list[Absorbed],
    ) -> str:
        state = work.tip.state
        owns = wish.role == bindings.OWNER
        body = {
            "host": wish.host,
            "session": wish.session,
            "role": wish.role,
            "note": wish.note,
            "target": {"seq": found.state.seq, "head": found.state.head}
            if found.tip
            else None,
            "previous": _previous(state, wish, found.state.owner) if owns else None,
            "absorbs": [one.as_json() for one in moving],
        }
        event = propose(state, wish.target, body, self.actor, stamp(self.clock()))
        bindings.apply(state, event)
        appending = work.begin()
        appending.add(event.line, {}, {})
        subject = (
            f"bind {wish.host} session as {wish.role}: {wish.note.splitlines()[0]}"
        )
        work.commit(appending, subject[:200])
        return event.id

    def _moving(self, state: Bindings, wish: Wish) -> Iterator[Absorbed]:
        """The ledgers that the session opened and leaves. Raises Refusal if one holds
        more than captures."""
        if wish.role not in bindings.CAPTURED:
            return
        now = state.of(wish.host, wish.session)
        if now and now["role"] == bindings.OWNER and place(now) != wish.target:
            self._refuse_a_contract(place(now))
        default = (wish.namespace, wish.session)
        if default == wish.target or not usable(wish.session):
            return
        one = examine(self._ledger(default), (wish.host, wish.session))
        if one is not None:
            yield one

    def _refuse_a_contract(self, names: tuple[str, str]) -> None:
        found = self._ledger(names).read()
        if found.state.status not in (NO_CONTRACT, CLOSED):
            raise Refusal(
                "not-allowed",
                "/session",
                f"the session owns chat {names[1]!r}, which has a contract",
                "bind another owner to that chat first",
            )

    def _ledger(self, names: tuple[str, str]) -> Ledger:
        return Ledger(self.home, *names, clock=self.clock, spool=self.spool)

    def _told(self, done: Answer, wish: Wish, before: str) -> Answer:
        """The answer, after evidence of what went wrong was kept."""
        evidence = Evidence(self.home.bindings)
        at = {"at": stamp(self.clock()), "command": "bind"}
        kept = []
        if done.refusal is not None:
            data = canonical_json(wish.as_json())
            told = {**at, **done.refusal.as_json(), "document": sha256(data)}
            heads = {"head_before": before, "head_after": before}
            kept.append(evidence.record("rejection", {**told, **heads}))
        for fault in done.faults:
            kept.append(evidence.record("fault", {**at, **fault.as_json()}))
        notes = [f"not kept as evidence: {fault.message}" for fault in kept if fault]
        return replace(done, notes=tuple(notes))


def _check(wish: Wish) -> None:
    _note(wish.note, "/note")
    if wish.role not in bindings.ROLES:
        raise invalid("/role", f"must be one of {', '.join(bindings.ROLES)}")
    for name in ("host", "session", "namespace", "chat"):
        if not usable(getattr(wish, name)):
            raise invalid(f"/{name}", "is empty, or too long to be part of a ref")


def _previous(state: Bindings, wish: Wish, opener: Record | None) -> Record | None:
    """The owner whose place is taken: the bound one, else the one that opened it."""
    bound = state.owner_of(*wish.target)
    owner = bound or opener
    if owner is None or (owner["host"], owner["session"]) == (wish.host, wish.session):
        return None
    return {key: owner[key] for key in ("host", "session")}


def _refuse_a_moved_name(state: Bindings, wish: Wish) -> None:
    """A chat that has no ledger, but whose own session speaks elsewhere, is none."""
    for record in state.sessions.values():
        moved = record["role"] in bindings.CAPTURED and place(record) != wish.target
        if moved and (record["namespace"], record["session"]) == wish.target:
            raise Refusal(
                "ledger-closed",
                "/chat",
                f"session {wish.chat!r} is bound to chat {record['chat']!r}",
            )
