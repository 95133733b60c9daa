"""Cursor: how its hooks name things, and what they take as an answer.

Its sessions are conversations. A hook may run in the user's folder; the payload says
where the work is. Every payload holds the user's address, which is taken out before
anything of it can be kept.

In the command line's version a subagent is a conversation of its own with no word of
its parent, in the editor it is not told apart: every actor is unknown.
"""

from git_intent.hosts import event as events
from git_intent.hosts import reply
from git_intent.hosts.event import CHILD, UNKNOWN, HostEvent, from_members

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.payload import Payload

NAME, PROMPT = "cursor", "beforeSubmitPrompt"
#: Its event -> ours. Any other event is none of our business.
EVENTS = {
    "sessionStart": events.SESSION_START,
    "beforeSubmitPrompt": events.PROMPT,
    "preToolUse": events.PRE_TOOL,
    "postToolUse": events.POST_TOOL,
    "preCompact": events.PRE_COMPACT,
    "stop": events.STOP,
    "subagentStart": events.CHILD_START,
    "subagentStop": events.CHILD_STOP,
    "sessionEnd": events.SESSION_END,
}
#: Whose text reaches the model.
CONTEXT = frozenset(("sessionStart", "beforeSubmitPrompt"))
#: Whose payload means something to us.
READ = CONTEXT | {"preToolUse", "stop", "sessionEnd"}
OTHERS: tuple[str, ...] = ()

_ADDRESS = b'"user_email"'
_BLANK = b" \t\r\n"


def parse(native: str, payload: "Payload") -> HostEvent:
    """The event of a payload; `native` is a key of EVENTS."""
    payload.raw = without_address(payload.raw)
    found = from_members(NAME, EVENTS[native], native, payload, "generation_id")
    found.session = payload.members.get("conversation_id", found.session)
    if found.actor != CHILD:
        found.actor = UNKNOWN
    found.folder = payload.text("cwd") or _first_root(payload)
    return found


def _first_root(payload: "Payload") -> str:
    roots = payload.members.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return first if isinstance(first, str) else ""


def without_address(raw: bytes) -> bytes:
    """The payload with nothing in the place of the address, whole or broken off."""
    at = raw.find(_ADDRESS)
    while at >= 0:
        start = at = at + len(_ADDRESS)
        while raw[at : at + 1] and raw[at] in _BLANK + b":":
            at += 1
        if b":" in raw[start:at] and raw[at : at + 1] == b'"':
            raw = raw[: at + 1] + raw[_string_end(raw, at + 1) :]
        at = raw.find(_ADDRESS, at)
    return raw


def _string_end(raw: bytes, at: int) -> int:
    """Where the string that holds `at` ends; the end of all if it breaks off."""
    while at < len(raw) and raw[at : at + 1] != b'"':
        at += 2 if raw[at : at + 1] == b"\\" else 1
    return min(at, len(raw))


def context(native: str, text: str) -> bytes:
    """Text for the model."""
    if native == PROMPT:
        return reply.line({"additional_context": text, "continue": True})
    return reply.line({"additional_context": text})


def deny(native: str, reason: str) -> bytes:
    """A tool is not to be used now; for the user and for the agent."""
    return reply.line(
        {"agent_message": reason, "permission": "deny", "user_message": reason}
    )
