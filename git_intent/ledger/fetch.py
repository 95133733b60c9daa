"""Bring a chat's ledger from a remote, beside the one here and into it if that is safe.

What arrives lies under `refs/intent/remotes/` and is proved whole: every line of this
namespace and chat, every rule, every byte. Only if it continues the ledger here, the
ref moves forward to it. Otherwise both stay, and are named.
"""

from dataclasses import replace

from git_intent.ledger import ref
from git_intent.ledger.adopting import Arrived, adopt, lines_here, lines_of, missing
from git_intent.ledger.answer import Answer
from git_intent.ledger.chain import Tip
from git_intent.ledger.journal import is_ancestor
from git_intent.ledger.ledger import Actor, Ledger
from git_intent.ledger.objects import Objects
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.remote import Remote
from git_intent.ledger.state import State
from git_intent.ledger.verify import prove


def fetch(ledger: Ledger, remote: Remote, actor: Actor) -> Answer:
    """Fetch a ledger, and adopt it if it is this one further on. Raises Refusal."""
    remote.check()
    place = ledger.place
    if not remote.tip(place):
        raise Refusal(
            "no-ledger",
            "",
            f"{remote.name} has no ledger of chat {ledger.chat!r} in namespace "
            f"{ledger.namespace!r}",
            f"git ls-remote {remote.name} 'refs/intent/ledger/*' lists what it has",
        )
    name = remote.fetch(place)
    named = {"remote": remote.name, "fetched": name}
    with Objects(ledger.home) as objects:
        new = _proved(ledger, objects, name)
        lines, here = lines_of(new), lines_here(ledger)
        if missing(here, lines, name) <= 0:
            state = ledger.read().state
            return Answer(True, state.seq, state.head, named=named, already=True)
        _refuse_other_commits(ledger, new, name)
        owner = new.state.owner or {}
        opener = (owner["host"], owner["session"])
        answer = adopt(
            ledger,
            lines,
            opener,
            lambda tip: Arrived(tip, new, ledger),
            actor,
            name,
        )
    return replace(answer, named=named)


def _proved(ledger: Ledger, objects: Objects, name: str) -> Tip[State]:
    commit = ref.read(ledger.home, name)
    found, tip = prove(objects, ledger.journal.fold, commit, name)
    for finding in found.findings:
        raise Refusal(
            finding.code,
            "",
            f"event {finding.seq}: {finding}",
            f"it stays at {name} and is not adopted",
        )
    assert tip is not None
    return tip


def _refuse_other_commits(ledger: Ledger, new: Tip[State], name: str) -> None:
    """The same events can stand in other commits, if one of the two was imported."""
    here = ledger.journal.tip()
    if here and not is_ancestor(ledger.home, here, new.commit):
        raise Refusal(
            "not-forward",
            "",
            f"{name} has the events of the ledger here in other commits",
            "one of them was imported: export that ledger, and import it here",
        )
