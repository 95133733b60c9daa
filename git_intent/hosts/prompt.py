"""A prompt arrives: keep it, then say what waits.

It is safe once its file lies in the inbox, synced; only then is anything answered, and
only after that does it go into the journal. What cannot be kept is a gap, and if not
even that can be written, the answer says so.
"""

from git_intent.errors import IntentError
from git_intent.hosts import draining
from git_intent.hosts.event import HostEvent
from git_intent.hosts.opening import Opening
from git_intent.hosts.outcome import Said
from git_intent.hosts.own_text import spans
from git_intent.hosts.telling import look, tell
from git_intent.ledger import durable, pins, spool, wtf8
from git_intent.ledger.context import ABOUT, END
from git_intent.ledger.digest import sha256
from git_intent.ledger.effective import is_effective, outside, own_spans
from git_intent.ledger.owner import NOWHERE, UNBOUND, Route

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

    from git_intent.hosts.world import World

#: As `source.HOST`, which is not light.
ORIGIN = "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR"
NOT_KEPT = "this prompt was NOT kept"
BROKEN_OFF = "payload-broken-off"
_BINARY = "binary"


def captured(event: HostEvent, world: "World") -> Said:
    """Keep the prompt of an event. Raises IntentError."""
    if not isinstance(event.prompt, str):
        return broken(event, world, "no-prompt-text")
    data, encoding = wtf8.encode(event.prompt)
    skip = own_spans(spans(event.prompt, event.wrapped), len(data))
    if not is_effective(data, skip):
        return Said()
    said = _captured(event, data, encoding, skip, world)
    said.task = outside(data, skip).decode("utf-8", "replace")
    return said


def _captured(
    event: HostEvent,
    data: bytes,
    encoding: str,
    skip: "list[list[int]]",
    world: "World",
) -> Said:
    flags = ["lone-surrogate"] if encoding == wtf8.WTF8 else []
    header = {
        **_header(event, world, "prompt", f"src-{world.mint()}"),
        "sha256": sha256(data),
        "bytes": len(data),
        "encoding": encoding,
        "flags": flags,
        "skip": skip,
    }
    found, why = _route(event, world)
    if found is None:
        return _kept_aside(header, data, world, why)
    if found.role == NOWHERE:
        return Said("", f"nothing is captured: {found.why}")
    if found.role == UNBOUND:
        return _unbound(found, header, data, world)
    if not found.captures:
        return Said()
    return _keep(found, header, data, event, world)


def broken(event: HostEvent, world: "World", flag: str = "") -> Said:
    """Keep a payload whose prompt cannot be read. Raises IntentError.

    One that breaks off in a session that is known is a gap of its chat, whatever of it
    came; every other one belongs to no chat.
    """
    payload = event.payload
    header = {
        **_header(event, world, "unbound", f"src-{world.mint()}"),
        "sha256": sha256(payload.raw),
        "bytes": len(payload.raw),
        "encoding": wtf8.encoding_of(payload.raw) or _BINARY,
        "flags": [flag or payload.problem],
        "skip": [],
    }
    found, why = _route(event, world)
    if found is None:
        return _kept_aside(header, payload.raw, world, why)
    if found.role == NOWHERE:
        return Said("", f"nothing is captured: {found.why}")
    if payload.broken_off and found.place is not None:
        if not found.captures:
            return Said()
        gap = {
            **_header(event, world, "gap", f"gap-{world.mint()}"),
            "sha256": None,
            "bytes": None,
            "reason": BROKEN_OFF,
        }
        return _keep(found, gap, payload.raw, event, world)
    return _unbound(found, header, payload.raw, world)


def _header(event: HostEvent, world: "World", kind: str, id: str) -> "dict[str, Any]":
    session = event.session if isinstance(event.session, str) else ""
    return {
        "v": spool.VERSION,
        "kind": kind,
        "id": id,
        "host": event.host,
        "session": session,
        "turn": event.turn or None,
        "at": world.now(),
        "origin": ORIGIN,
        "encoding": _BINARY,
        "flags": [],
        "skip": [],
    }


def _route(event: HostEvent, world: "World") -> tuple[Route | None, str]:
    """Where the prompt goes; why that cannot be told is no reason to lose it."""
    try:
        return world.route(event.host, event.session), ""
    except IntentError as error:
        return None, error.message
    except OSError as error:
        return None, str(error)


def _keep(
    found: Route,
    header: "dict[str, Any]",
    data: bytes,
    event: HostEvent,
    world: "World",
) -> Said:
    """Keep what belongs to a chat, and tell what waits there."""
    assert found.place is not None
    may_open = found.pinned is None and found.binding is None
    with Opening(found.place.folder if may_open else ""):
        if may_open:
            again, _ = _route(event, world)
            if again is not None and again.role == UNBOUND:
                return _unbound(again, header, data, world)
        notes = _pin(found, world)
        path, why = _spooled(found, header, data, world)
    now, _ = _route(event, world)
    if why is None and now is not None and now.captures and _leads_on(found, now):
        # It was bound to another chat just now: whoever did so has not seen this file.
        kept, why = _spooled(now, header, data, world)
        if kept:
            _forget(path)
        found, path = now, kept or path
    said: list[str] = []
    if not path:
        said = [f"{NOT_KEPT}: {why}"]
    elif why is not None:
        said = [f"the bytes of this prompt could not be kept where they belong: {why}"]
    told = _told(found, world, said)
    told.notes = [*notes, *said, *told.notes]
    return told


def _spooled(
    found: Route, header: "dict[str, Any]", data: bytes, world: "World"
) -> "tuple[str, OSError | None]":
    """As `spool.keep`, for the chat of a route."""
    place = found.place
    assert place is not None
    header |= {
        "home": place.home.path,
        "namespace": place.namespace,
        "chat": place.chat,
    }
    return spool.keep(place.inbox, world.fallback, header, data)


def _leads_on(before: Route, now: Route) -> bool:
    assert before.place is not None
    return now.place is not None and now.place.folder != before.place.folder


def _forget(path: str) -> None:
    try:
        durable.remove(path)
    except OSError:
        return  # drained meanwhile; its id is known where it is now


def _told(found: Route, world: "World", said: list[str]) -> Said:
    """What the agent is told after its user's prompt is safe."""
    place = found.place
    assert place is not None
    try:
        seen = look(place, world.fallback)
        told = Said(tell(found, seen, world, said), *world.settings().faults)
        first = not seen.hot.tip
    except (IntentError, OSError) as error:
        told, first = Said("", str(error)), False

    def drain() -> list[str]:
        if first:
            return draining.at_once(place, world.fallback)
        try:
            draining.detached(place, world.fallback, world.environ)
        except OSError as error:
            return [f"the prompt is safe, and waits for the next one: {error}"]
        return []

    told.after = drain
    return told


def _pin(found: Route, world: "World") -> list[str]:
    """Pin a session at its first capture; the prompt matters more than the pin."""
    pin = found.pin()
    if found.pinned is not None or pin is None:
        return []
    try:
        pins.write(world.state, found.host, found.session, pin)
    except IntentError as error:
        return [f"the session could not be pinned to its ledger: {error.message}"]
    return []


def _unbound(
    found: Route, header: "dict[str, Any]", data: bytes, world: "World"
) -> Said:
    """Keep what belongs to no chat."""
    home = found.home.path if found.home else ""
    header |= {"kind": "unbound", "home": home, "namespace": found.namespace}
    return _kept_aside(header, data, world, found.why or "the payload names no chat")


def _kept_aside(
    header: "dict[str, Any]", data: bytes, world: "World", why: str
) -> Said:
    """Keep a prompt in the user's own spool, since no chat can take it."""
    try:
        name = spool.spool(world.fallback, {**header, "kind": "unbound"}, data)
    except OSError as error:
        lost = f"{NOT_KEPT}: {error}"
        return Said(f"{lost}\n{ABOUT}no file could be written.\n{END}", lost)
    return Said("", f"the prompt is kept as unbound ({name}): {why}")
