"""Give a chat's ledger to a remote: proved, without secrets, never forced.

Exactly the commit that was looked at is pushed. A remote whose ledger went another way
refuses it, and keeps what it has.
"""

from dataclasses import dataclass
from typing import Any

from git_intent.ledger.export import whole
from git_intent.ledger.journal import is_ancestor
from git_intent.ledger.leaks import Leak, leaks
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.objects import Objects
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.remote import Remote

_TOLD = 5


@dataclass(frozen=True, slots=True)
class Pushed:
    """What the remote has now; `already` if it had it before."""

    seq: int
    head: str
    commit: str
    already: bool

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def push(ledger: Ledger, remote: Remote, *, allow_secrets: bool = False) -> Pushed:
    """Push a ledger. Raises Refusal."""
    remote.check()
    place = ledger.place
    with Objects(ledger.home) as objects:
        found, tip = whole(ledger, objects)
        there = remote.tip(place)
        known = there if there and objects.ask(there) is not None else ""
        if there and not (known and is_ancestor(ledger.home, there, tip.commit)):
            raise Refusal(
                "not-forward",
                "",
                f"{remote.name} has events of this chat that are not here",
                f"git intent ledger fetch {remote.name} brings them beside these; "
                "nothing is forced",
            )
        if there != tip.commit:
            if not allow_secrets:
                _refuse_leaks([*leaks(tip, ledger.journal.fold, known)])
            remote.push(place, tip.commit)
    return Pushed(found.seq, found.head, tip.commit, there == tip.commit)


def _refuse_leaks(found: list[Leak]) -> None:
    if not found:
        return
    told = "; ".join(str(leak) for leak in found[:_TOLD])
    more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
    raise Refusal(
        "secret-found",
        "",
        f"not pushed: {told}{more}",
        "look at them; --allow-secrets pushes all of it, which cannot be undone",
    )
