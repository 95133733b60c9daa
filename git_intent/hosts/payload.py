"""What a host wrote to our standard input, read without believing it.

Hosts write raw UTF-8 JSON of any size, an object. What is not that is told apart: a
payload that *breaks off* (the host died, or the pipe did), and one that is malformed.
Of one that breaks off, the members before the break are still known.
"""

from git_intent.ledger import strict_json
from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any


class Payload:
    """The members of the object; `problem` is empty if it could be read whole."""

    __slots__ = ("broken_off", "members", "problem", "raw")

    def __init__(
        self,
        raw: bytes,
        members: "dict[str, Any]",
        problem: str = "",
        broken_off: bool = False,
    ) -> None:
        self.raw = raw
        self.members = members
        self.problem = problem
        self.broken_off = broken_off

    def text(self, *names: str) -> str:
        """The first of these members that is a text and not empty."""
        for name in names:
            value = self.members.get(name)
            if isinstance(value, str) and value:
                return value
        return ""


def read(raw: bytes) -> Payload:
    """Read what came in; nothing is raised."""
    try:
        value = strict_json.payload(raw)
    except Refusal as refusal:
        from git_intent.hosts.broken import before_the_break

        known = before_the_break(raw)
        if known is None:
            return Payload(raw, {}, refusal.message)
        return Payload(raw, known, "breaks off", broken_off=True)
    if not isinstance(value, dict):
        return Payload(raw, {}, "not an object")
    return Payload(raw, value)
