"""A session starts, goes on, or has been compacted: read back, and create nothing."""

from git_intent.hosts.event import HostEvent
from git_intent.hosts.outcome import Said
from git_intent.hosts.telling import look, refresh, tell
from git_intent.ledger.context import ABOUT, END, Speaker
from git_intent.ledger.owner import UNBOUND, Route

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.world import World

#: Sources of a start that goes on with something: an id that nobody knows then is worth
#: a word.
_GOES_ON = ("resume", "fork", "compact")


def started(event: HostEvent, world: "World") -> Said:
    """What a session is told at its start. Raises IntentError."""
    found = world.route(event.host, event.session)
    if found.place is not None and found.captures:
        seen = look(found.place, world.fallback)
        if seen.hot.exists or seen.hot.entries or seen.gap_files:
            refresh(seen)
            return Said(tell(found, seen, world))
    unknown = found.place is not None or found.role == UNBOUND
    if unknown and found.session and found.binding is None and event.source in _GOES_ON:
        return Said(_unknown(found))
    return Said()


def _unknown(found: Route) -> str:
    speaker = Speaker(found.host, found.session)
    line = speaker.command("bind --chat CHAT --note WHY")
    return (
        f"{line}\n{ABOUT}no chat is known for this session. Its first prompt opens one "
        "of its own. If it goes on with an earlier chat, the owner can bind it to that "
        f"with the line above and a review note.\n{END}"
    )
