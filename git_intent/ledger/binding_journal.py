"""The journal of the bindings, with its lock: taken before a chat's, never after."""

from git_intent.ledger import bindings
from git_intent.ledger.bindings import Bindings
from git_intent.ledger.chain import Fold, Tip
from git_intent.ledger.home import Home
from git_intent.ledger.journal import Journal
from git_intent.ledger.names import BINDINGS
from git_intent.ledger.objects import Objects
from git_intent.ledger.processes import Processes
from git_intent.ledger.publish import Projected

FOLD: Fold[Bindings] = Fold(
    bindings.begin, bindings.replay, bindings.dump, bindings.load
)


def journal(home: Home, processes: Processes | None = None) -> Journal[Bindings]:
    """The journal of a home's bindings."""
    return Journal(
        home=home,
        ref=BINDINGS,
        folder=home.bindings,
        names=("", ""),
        fold=FOLD,
        project=_project,
        processes=processes or Processes(),
    )


def _project(tip: Tip[Bindings]) -> Projected:
    return Projected(bindings.document(tip.state), b"")


def read_state(home: Home) -> Bindings:
    """The bindings as the journal has them. Raises Refusal."""
    found = journal(home)
    with Objects(home) as objects:
        return found.read(objects, found.tip()).state
