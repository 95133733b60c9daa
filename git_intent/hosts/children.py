"""Sessions that are known to be subagents': their host told it once.

`<user state dir>/git-intent/children/<host>/<escaped session id>` is the canonical JSON
of {parent}, written when the host tells that the session begins, and never changed.
"""

from git_intent.ledger import durable
from git_intent.ledger.light_json import canonical, loads
from git_intent.ledger.names import escape, usable

#: Subagents of subagents, as deep as any host lets them be.
_DEEPEST = 16


def remember(state: str, host: str, child: object, parent: str) -> None:
    """Remember whose child a session is. Raises OSError."""
    if not (usable(child) and usable(parent)):
        return
    path = _path(state, host, str(child))
    durable.make_parents(path)
    durable.create(path, canonical({"parent": parent}))


def root_of(state: str, host: str, session: object) -> str:
    """The session that a child works for in the end; empty if it is not known as a
    child."""
    root = ""
    for _ in range(_DEEPEST):
        parent = _parent(state, host, root or session)
        if not parent:
            break
        root = parent
    return root


def _parent(state: str, host: str, session: object) -> str:
    if not usable(session):
        return ""
    try:
        data = durable.read(_path(state, host, str(session)))
        known = loads(data) if data else None
    except (OSError, ValueError, RecursionError):
        return ""
    parent = known.get("parent") if isinstance(known, dict) else None
    return parent if isinstance(parent, str) else ""


def _path(state: str, host: str, session: str) -> str:
    return f"{state}/children/{escape(host)}/{escape(session)}"
