"""Take events that were written elsewhere into the ledger of this home.

Only a continuation is taken: what is here stays, line for line, and what is offered
goes on from there. Two copies that went different ways both stay as they are.

What came from elsewhere is REFERENCE_ONLY until somebody binds a session to it: whoever
owned the chat here becomes a reader, by an event in the journal of bindings, before
anything is taken. The lock of the bindings comes first, as ever.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from git_intent.ledger import binding_journal, bindings
from git_intent.ledger.answer import Answer
from git_intent.ledger.appending import Appending
from git_intent.ledger.archive import Record
from git_intent.ledger.bindings import Bindings
from git_intent.ledger.chain import Tip
from git_intent.ledger.faults import fault_of
from git_intent.ledger.fold import replay
from git_intent.ledger.ledger import Actor, Ledger
from git_intent.ledger.objects import Objects
from git_intent.ledger.outside import stamp
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State
from git_intent.ledger.writing import NotAppended, Writing, writing

_WAIT = 10.0

#: kind -> hash -> bytes, of what a line names.
Kept = dict[str, dict[str, bytes]]
#: Makes the append that brings what a tip lacks.
Bring = Callable[[Tip[State]], Appending[State]]


def missing(here: Sequence[bytes], offered: Sequence[bytes], where: str) -> int:
    """How many lines are offered beyond those that are here, less than 0 if these are
    fewer. Raises Refusal if the two went different ways."""
    for number, (ours, theirs) in enumerate(zip(here, offered, strict=False), 1):
        if ours != theirs:
            raise Refusal(
                "not-forward",
                "",
                f"{where} and the ledger here part at event {number}: "
                f"{len(offered)} events there, {len(here)} here",
                ids=[f"ev-{number}"],
            )
    return len(offered) - len(here)


def lines_of(tip: Tip[State]) -> list[bytes]:
    """The journal at a tip."""
    return b"".join(tip.segments()).splitlines(keepends=True)


def lines_here(ledger: Ledger) -> list[bytes]:
    """The journal of a ledger as it is now; empty if there is none."""
    journal = ledger.journal
    with Objects(ledger.home) as objects:
        return lines_of(journal.read(objects, journal.tip()))


def importing(lines: Sequence[bytes], kept: Sequence[Kept], ledger: Ledger) -> Bring:
    """Brings lines by writing them here, as one commit."""

    def bring(tip: Tip[State]) -> Appending[State]:
        made, first = Appending(tip, ledger.journal.fold), tip.state.seq
        for line, held in zip(lines[first:], kept[first:], strict=True):
            replay(tip.state, line)
            made.add(line, held["sources"], held["evidence"])
        return made

    return bring


class Arrived(Appending[State]):
    """Brings commits that are in the home already, on top of a tip's: `new` has been
    proved."""

    def __init__(self, tip: Tip[State], new: Tip[State], ledger: Ledger) -> None:
        super().__init__(tip, ledger.journal.fold)
        self._new = new
        self.lines = lines_of(new)[tip.state.seq :]

    def commit(self, subject: str, seconds: int, nonce: str) -> str:
        """There is nothing to write but what points to it."""
        new, tip = self._new, self.tip
        tip.state, tip.commit, tip.root = new.state, new.commit, new.root
        tip.journal, tip.tail, tip.torn = new.journal, new.tail, new.torn
        return new.commit


def adopt(
    ledger: Ledger,
    offered: Sequence[bytes],
    opener: tuple[str, str],
    bring: Bring,
    actor: Actor,
    where: str,
) -> Answer:
    """Make what is offered the ledger here. `where` says where it comes from.

    Raises Refusal if it does not continue what is here.
    """
    done = Answer(False)
    faults = []
    names = binding_journal.journal(ledger.home, ledger.processes)
    with (
        writing(names, _WAIT, ledger.clock) as bound,
        writing(ledger.journal, _WAIT, ledger.clock) as work,
    ):
        if work.tip.torn:
            message = "the last line here is torn; the next write keeps it"
            raise Refusal("not-allowed", "", message)
        count = missing(lines_of(work.tip), offered, where)
        if count <= 0:
            raise Refusal("not-forward", "", f"the ledger here is ahead of {where}")
        try:
            _suspend(bound, ledger, opener, actor, where)
            work.commit(bring(work.tip), f"take {count} events from {where}")
            done = Answer(True, event=f"ev-{len(offered)}")
        except NotAppended as failed:
            faults.append(failed.fault)
        except OSError as error:
            faults.append(fault_of("append", error))
        _, seq, head = work.heads
    faults = [*faults, *bound.faults, *work.faults]
    return replace(done, seq=seq, head=head, faults=tuple(faults))


def _suspend(
    work: Writing[Bindings],
    ledger: Ledger,
    opener: tuple[str, str],
    actor: Actor,
    where: str,
) -> None:
    """Let nobody here own the chat."""
    state, chat = work.tip.state, (ledger.namespace, ledger.chat)
    bound = state.owner_of(*chat)
    owner = (bound["host"], bound["session"]) if bound else opener
    if bound is None and state.of(*owner) is not None:
        return  # it is led elsewhere, or owns nothing already
    body: Record = {
        "host": owner[0],
        "session": owner[1],
        "role": bindings.READER,
        "note": f"events came from {where}; bind whoever goes on with them",
        "target": None,
        "previous": None,
        "absorbs": [],
    }
    event = bindings.propose(state, chat, body, actor, stamp(ledger.clock()))
    bindings.apply(state, event)
    appending = work.begin()
    appending.add(event.line, {}, {})
    work.commit(appending, f"bind {owner[0]} session as reader: {body['note']}"[:200])
