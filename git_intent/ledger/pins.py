"""Pins: which ledger a session of a host writes to, wherever its cwd is.

`<user state dir>/git-intent/pins/<host>/<escaped session id>` is the canonical JSON of
{home, namespace, chat}. The first capture of a session writes it, once; later events
follow it. One that was lost or cannot be read is rebuilt from what the home knows of
the session, never from the cwd alone (see `owner`).
"""

from git_intent.errors import IntentError
from git_intent.ledger import durable
from git_intent.ledger.light_json import canonical, loads
from git_intent.ledger.names import escape, usable

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

_FIELDS = ("chat", "home", "namespace")


class Pin:
    """Where a session's prompts go; `home` is a path, as it was configured."""

    __slots__ = _FIELDS

    def __init__(self, home: str, namespace: str, chat: str) -> None:
        self.home, self.namespace, self.chat = home, namespace, chat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pin) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash((self.home, self.namespace, self.chat))

    def as_json(self) -> "dict[str, Any]":
        return {name: getattr(self, name) for name in _FIELDS}


def path_of(state: str, host: str, session: str) -> str:
    """The file of a session's pin; `state` is the user's state folder."""
    return f"{state}/pins/{escape(host)}/{escape(session)}"


def read(state: str, host: str, session: str) -> Pin | None:
    """The pin of a session; None if there is none, or none that can be read."""
    try:
        with open(path_of(state, host, session), "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    try:
        value = loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or sorted(value) != list(_FIELDS):
        return None
    if not usable(value["namespace"]) or not usable(value["chat"]):
        return None
    return Pin(**value) if isinstance(value["home"], str) else None


def write(state: str, host: str, session: str, pin: Pin) -> Pin:
    """Pin a session, unless another process was faster; give the pin that stands.

    Raises IntentError if the folder cannot be written.
    """
    path = path_of(state, host, session)
    data = canonical(pin.as_json())
    try:
        durable.make_parents(path)
        if durable.create(path, data):
            return pin
        standing = read(state, host, session)
        if standing is None:  # it cannot be read: what was worked out takes its place
            durable.replace(path, data)
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}") from error
    return standing or pin
