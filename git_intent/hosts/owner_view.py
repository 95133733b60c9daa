"""`owner-view`: which ledger a session speaks in, and as whom. Creates nothing.

    {"version": 1, "host", "session", "access": OWNER|REFERENCE_ONLY, "role",
     "namespace", "chat", "home", "ref", "binding", "objective", "status", "pinned",
     "elsewhere", "why", "unbound": […], "faults": […]}

`objective` is null until the chat has a ledger. `binding` is the record that was
inherited, or says that the chat is the session's own by default. Whatever is wrong is
named in `faults`, and the rest is answered as far as it is known. OWNER is what the
caller says of himself: it is no proof, and no host makes it one.
"""

from typing import Any

from git_intent.errors import IntentError
from git_intent.hosts.telling import look
from git_intent.hosts.world import World
from git_intent.ledger import spool
from git_intent.ledger.owner import Route, access
from git_intent.ledger.refusal import Refusal

VERSION = 1
_KEPT = ("id", "kind", "host", "session", "at", "bytes", "sha256", "flags", "chat")


def owner_view(world: World, host: str, session: str) -> dict[str, Any]:
    """The document for a session of a host. Raises nothing that a user can cause."""
    faults: list[dict[str, str]] = []
    found = Route(host, session)
    try:
        found = world.route(host, session)
        faults += [
            {"code": "config", "message": one} for one in world.settings().faults
        ]
    except (IntentError, OSError) as error:
        faults.append(_fault(error))
    view: Any = None
    objective = None
    if found.place is not None:
        seen = look(found.place, world.fallback)
        view = seen.found.view or None
        objective = found.place.objective if seen.hot.tip else None
        if seen.fault:
            faults.append({"code": "ledger", "message": seen.fault})
    return {
        "version": VERSION,
        "host": host,
        "session": session,
        "access": access(found, view),
        "role": found.role,
        "namespace": found.namespace or None,
        "chat": found.place.chat if found.place else None,
        "home": found.home.path if found.home else None,
        "ref": found.place.ref if found.place else None,
        "binding": _binding(found),
        "objective": objective,
        "status": view["status"] if view else None,
        "pinned": found.pinned is not None,
        "elsewhere": found.elsewhere or None,
        "why": found.why or None,
        "unbound": _unbound(world),
        "faults": faults,
    }


def _binding(found: Route) -> dict[str, Any] | None:
    if found.binding is not None:
        return {"route": "explicit", **found.binding}
    return {"route": "default"} if found.place is not None else None


def _unbound(world: World) -> list[dict[str, Any]]:
    """What lies in the user's spool: of no chat, or not kept in its home."""
    return [
        {name: entry.header.get(name) for name in _KEPT}
        | {"path": entry.path, "damage": entry.damage or None}
        for entry in spool.entries(world.fallback)
    ]


def _fault(error: Exception) -> dict[str, str]:
    if isinstance(error, Refusal):
        return {"code": error.code, "message": error.message}
    return {"code": "system", "message": str(error)}
