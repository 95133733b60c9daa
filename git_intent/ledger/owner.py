"""Which ledger a session of a host speaks in, and whether it owns it.

The pin of a session says where it goes; without one, the home and namespace of git
config. There an exclusion outranks a binding, a binding outranks the default: the chat
whose id is the session's own. Nothing else counts: no title, model, folder, repository
or text.

The default is for a chat that is new, or that this very session opened. What another
host's session opened under the same id is out of reach until somebody binds it: such
prompts belong to no chat.

OWNER is the one session that a chat is bound to as its owner, by default the one that
opened it; everybody else reads only. It is what the caller says of himself, not proof.

Nothing is created here; light.
"""

from git_intent.errors import IntentError
from git_intent.ledger import bound, hot, pins
from git_intent.ledger.home import HOME_KEY, NAMESPACE_KEY, Home, open_home
from git_intent.ledger.hot import Place
from git_intent.ledger.names import usable
from git_intent.ledger.pins import Pin

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Record = Mapping[str, Any]

#: How a session may relate to a ledger.
OWNER, READER, EXCLUDED, CHILD = "owner", "reader", "excluded", "child"
UNBOUND, NOWHERE = "unbound", "nowhere"
#: What `owner-view` calls the two kinds of access.
OWNS, REFERENCE_ONLY = "OWNER", "REFERENCE_ONLY"


class Where:
    """What decides where a session goes, besides the home itself."""

    __slots__ = ("configured", "namespace", "state", "user")

    def __init__(self, configured: str, namespace: str, state: str, user: str) -> None:
        self.configured = configured  # intent.ledgerHome at the cwd
        self.namespace = namespace  # intent.namespace there
        self.state = state  # the user's state folder
        self.user = user  # the user's home folder


class Route:
    """Where a session's prompts go.

    `place` is its chat's ledger, None unless its role is one of a chat. `why` says what
    is missing or in the way, `elsewhere` that the cwd is configured for another ledger.
    """

    __slots__ = (
        "binding",
        "elsewhere",
        "home",
        "host",
        "namespace",
        "pinned",
        "place",
        "role",
        "session",
        "why",
    )

    def __init__(self, host: str, session: object) -> None:
        self.host = host
        self.session = session if isinstance(session, str) else ""
        self.home: Home | None = None
        self.namespace = ""
        self.place: Place | None = None
        self.role = NOWHERE
        self.binding: Record | None = None
        self.pinned: Pin | None = None
        self.elsewhere = ""
        self.why = ""

    @property
    def captures(self) -> bool:
        """Whether its prompts are captured into a chat."""
        return self.place is not None and self.role in (OWNER, READER)

    def pin(self) -> "Pin | None":
        """What a first capture pins the session to."""
        if self.home is None or self.place is None:
            return None
        return Pin(self.home.path, self.namespace, self.place.chat)


def route(where: Where, host: str, session: object) -> Route:
    """Where a session's prompts go.

    Raises IntentError if a home that is named is none, or its bindings cannot be read.
    """
    found = Route(host, session)
    named = usable(session) and usable(host)
    found.pinned = pins.read(where.state, host, found.session) if named else None
    path = found.pinned.home if found.pinned else where.configured
    found.namespace = found.pinned.namespace if found.pinned else where.namespace
    if not path or not found.namespace:
        missing = NAMESPACE_KEY if path else HOME_KEY
        found.why = f"{missing} is not set; git intent ledger init sets it"
        return found
    if not usable(found.namespace):
        raise IntentError(f"{NAMESPACE_KEY}: {found.namespace!r} is too long for a ref")
    found.home = open_home(path, where.user)
    if found.pinned:
        found.elsewhere = _elsewhere(where, found.home, found.namespace)
    if not named:
        found.role = UNBOUND
        found.why = "the session has no id that can name a chat"
        return found
    _decide(found, found.home)
    return found


def _elsewhere(where: Where, home: Home, namespace: str) -> str:
    """What the cwd is configured for, if that is another ledger than the pinned one."""
    if not where.configured or not where.namespace:
        return ""
    try:
        same = open_home(where.configured, where.user) == home
    except IntentError:
        same = False
    if same and where.namespace == namespace:
        return ""
    return f"namespace {where.namespace} in {where.configured}"


def _decide(found: Route, home: Home) -> None:
    bindings = bound.read(home)
    binding = bindings.of(found.host, found.session)
    if binding is not None:
        found.binding = binding
        found.namespace = binding["namespace"]
        found.role = binding["role"]
        found.place = Place(home, found.namespace, binding["chat"])
        return
    chat = found.pinned.chat if found.pinned else found.session
    place = Place(home, found.namespace, chat)
    opener = None if found.pinned else opener_of(place)
    if opener is not None and opener != (found.host, found.session):
        found.role = UNBOUND
        found.why = (
            f"chat {found.session} belongs to another session; git intent ledger bind "
            "joins this one to it"
        )
        return
    found.place = place
    taken = bindings.owner_of(found.namespace, chat)
    found.role = OWNER if taken is None else READER


def opener_of(place: Place) -> "tuple[str, str] | None":
    """The session that opened a chat; None if there is nothing of that chat yet.

    Raises IntentError if that cannot be read.
    """
    if not hot.opened(place):
        return None
    seen = hot.read(place)
    view = seen.view
    if view is None and seen.tip:
        view = read_journal(place)
    if view is not None:
        return view["owner"]["host"], view["owner"]["session"]
    for entry in seen.entries:
        if not entry.damage:
            return entry.header["host"], entry.header["session"]
    return None


def read_journal(place: Place) -> "dict[str, Any]":
    """The view as the journal has it, where the projection is not certain.

    Raises IntentError.
    """
    from git_intent.ledger.ledger import Ledger

    return Ledger(place.home, place.namespace, place.chat).read().view


def access(found: Route, view: "Record | None") -> str:
    """OWNS or REFERENCE_ONLY, for a session that is led to a chat with this view."""
    if found.role != OWNER or found.place is None or found.elsewhere:
        return REFERENCE_ONLY
    if found.binding is None and view is not None:
        opener = view["owner"]
        if (opener["host"], opener["session"]) != (found.host, found.session):
            return REFERENCE_ONLY
    return OWNS
