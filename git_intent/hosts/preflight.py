"""`git intent ledger preflight`: the decision about one call, as JSON.

    git intent ledger preflight --host HOST (--session S | --namespace NS --chat ID)
        --tool NAME [--depends ID…] [--command TEXT]

Exit 0 for ALLOW and OUTSIDE_CONTROL, 1 for HOLD and for an id that nobody knows. The
class of the tool is the one configured for HOST. Nothing is written, unless a fault of
our own makes the answer ALLOW: that is kept as evidence.
"""

from git_intent.errors import IntentError
from git_intent.hosts.telling import look
from git_intent.hosts.tool import names_of, prove_recovered
from git_intent.ledger.context import Speaker
from git_intent.ledger.frontier import Frontier
from git_intent.ledger.hot import Place
from git_intent.ledger.owner import EXCLUDED
from git_intent.ledger.preflight import (
    ALLOW,
    MUTATION,
    READ_ONLY,
    Decision,
    decide,
    settles,
)
from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_intent.hosts.telling import Seen
    from git_intent.hosts.world import World


class Call:
    """A tool about to be used, and by whom; `chat` is (namespace, id) or None."""

    __slots__ = ("chat", "command", "depends", "host", "session", "tool")

    def __init__(
        self,
        host: str,
        session: str,
        tool: str,
        depends: "Sequence[str]" = (),
        *,
        chat: tuple[str, str] | None = None,
        command: str | None = None,
    ) -> None:
        self.host, self.session, self.tool = host, session, tool
        self.depends = list(depends)
        self.chat = chat
        self.command = command


def preflight(call: Call, world: "World") -> Decision:
    """The decision. Raises Refusal for an id that nobody knows."""
    from git_intent.config_ledger import SHELLS

    try:
        tool_class = _class(call, world)
        place = _place(call, world)
    except (IntentError, OSError) as error:
        return Decision(ALLOW, [f"the ledger cannot be found: {error}"])
    shell = call.tool in SHELLS.get(call.host, ())
    if shell and call.command is not None and settles(call.command):
        return Decision(ALLOW, ["one plain command of the ledger"])
    speaker = Speaker(call.host, call.session or "SESSION")
    if place is None:
        if call.depends:
            raise _unknown(call.depends[0])
        return decide(call.tool, tool_class, Frontier(None), speaker)
    seen = look(place, world.fallback)
    depends, doubts = _resolved(call, seen)
    if not doubts and tool_class != READ_ONLY:
        prove_recovered(seen)
    return decide(
        call.tool,
        tool_class,
        seen.found,
        speaker,
        depends=depends,
        fault=seen.fault,
        doubts=doubts,
    )


def _class(call: Call, world: "World") -> str:
    """The class of the tool, or the stricter one of what its command does."""
    names = names_of(call.host, call.tool, call.command)
    classes = [world.settings().class_of(call.host, name) for name in names]
    return MUTATION if MUTATION in classes else classes[0]


def _place(call: Call, world: "World") -> Place | None:
    if call.chat is not None:
        from git_intent.ledger.home import open_home

        home = open_home(world.settings().home, world.user)
        world.place = Place(home, *call.chat)
        return world.place
    found = world.route(call.host, call.session)
    return None if found.role == EXCLUDED else found.place


def _resolved(call: Call, seen: "Seen") -> tuple[list[str], list[str]]:
    """The whole ids of what the call depends on, and what cannot be proved of them.

    Where the journal cannot be read, ids stay as they are: the fault decides.
    """
    if not call.depends or seen.fault:
        return call.depends, []
    if not seen.hot.tip:
        spooled = {
            str(record["id"]) for record in (*seen.found.sources, *seen.found.gaps)
        }
        for wanted in call.depends:
            if wanted not in spooled:
                raise _unknown(wanted)
        return call.depends, []
    from git_intent.ledger.ledger import Ledger
    from git_intent.ledger.state import resolve_id

    place = seen.place
    reading = Ledger(place.home, place.namespace, place.chat).read()
    spooled = {entry.id for entry in reading.inbox}
    depends = [
        wanted
        if wanted in spooled
        else resolve_id(reading.state, wanted, f"/depends/{number}")
        for number, wanted in enumerate(call.depends)
    ]
    return depends, [str(doubt) for doubt in reading.proofs.holding(depends)]


def _unknown(wanted: str) -> Refusal:
    return Refusal("unknown-id", "/depends", f"{wanted!r} names nothing", ids=[wanted])
