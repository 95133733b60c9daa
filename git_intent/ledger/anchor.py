"""The anchor: where the last append left the ledger, kept outside of git.

It makes a ref that was moved back, emptied or replaced visible, and tells which
projection files belong to it. One line of canonical JSON in the chat's folder:

    {"v":1,"namespace","chat","seq","head","commit",
     "current","objective": sha256 of the files as they should be,
     "journal": bytes of journal.jsonl,
     "before": {"current","objective": sha256 of what they replaced, or null}}

It is written before the projection, so a kill in between leaves files that are known by
`before`. An anchor of another chat, or one that cannot be read, is none.
"""

from git_intent.ledger import durable
from git_intent.ledger.light_json import canonical, loads

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any

VERSION = 1
_FIELDS = {
    "v": int,
    "namespace": str,
    "chat": str,
    "seq": int,
    "head": str,
    "commit": str,
    "current": str,
    "objective": str,
    "journal": int,
    "before": dict,
}


class Anchor:
    """`before` holds the hashes of files that were in place when it was written."""

    __slots__ = tuple(name for name in _FIELDS if name != "v")

    namespace: str
    chat: str
    seq: int
    head: str
    commit: str
    current: str
    objective: str
    journal: int
    before: "dict[str, Any]"

    def __init__(self, **fields: "Any") -> None:
        for name in self.__slots__:
            setattr(self, name, fields[name])

    def encode(self) -> bytes:
        held = {name: getattr(self, name) for name in self.__slots__}
        return canonical({"v": VERSION, **held})

    def knows(self, name: str, digest: str) -> bool:
        """Whether a projection (`current`, `objective`) with this hash is ours."""
        return digest in (getattr(self, name), self.before.get(name))


def path(folder: str) -> str:
    """Where the anchor lies in a chat's folder."""
    return f"{folder}/anchor"


def read(folder: str, namespace: str, chat: str) -> Anchor | None:
    """The anchor of this chat, if there is one that can be read. Raises OSError."""
    data = durable.read(path(folder))
    if data is None:
        return None
    try:
        fields = loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or fields.get("v") != VERSION:
        return None
    if any(type(fields.get(name)) is not kind for name, kind in _FIELDS.items()):
        return None
    if (fields["namespace"], fields["chat"]) != (namespace, chat):
        return None
    return Anchor(**fields)


def write(folder: str, anchor: Anchor) -> None:
    """Put the anchor in place, to survive; the ledger's lock is held."""
    durable.replace(path(folder), anchor.encode())
