"""Gemini CLI: how its hooks name things, and what they take as an answer.

What a hook said at the start of the session stands in front of the next prompt, as one
`<hook_context>` and a blank line: that block is no part of what the user wrote.
PreCompress is fired before every turn of the model, whether it compresses or not.

Nothing of ours is said at the start of a session: a message that begins with such a
block is left out when the session is resumed, and the user's words with it. What a hook
says of a prompt stands behind it, and is the same.

A subagent has no prompt event. Its tool events carry the session of the root and no
mark at all, so whoever uses a tool is unknown.
"""

from git_intent.hosts import event as events
from git_intent.hosts import reply
from git_intent.hosts.event import UNKNOWN, HostEvent, from_members

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.payload import Payload

NAME, PROMPT = "gemini", "BeforeAgent"
#: Its event -> ours. Any other event is none of our business.
EVENTS = {
    "SessionStart": events.SESSION_START,
    "BeforeAgent": events.PROMPT,
    "AfterAgent": events.STOP,
    "BeforeTool": events.PRE_TOOL,
    "AfterTool": events.POST_TOOL,
    "PreCompress": events.PRE_COMPACT,
    "SessionEnd": events.SESSION_END,
}
#: Whose text may reach the model.
CONTEXT = frozenset(("BeforeAgent",))
#: Whose payload means something to us.
READ = CONTEXT | {"SessionStart", "BeforeTool", "AfterAgent", "SessionEnd"}
OTHERS: tuple[str, ...] = ()

_BEGIN, _END = "<hook_context>", "</hook_context>"


def parse(native: str, payload: "Payload") -> HostEvent:
    """The event of a payload; `native` is a key of EVENTS."""
    found = from_members(NAME, EVENTS[native], native, payload, "turn_id")
    if found.actor != events.CHILD and found.event != events.PROMPT:
        found.actor = UNKNOWN
    if isinstance(found.prompt, str):
        end = _leading_block(found.prompt)
        found.wrapped = [(0, end)] if end else []
    return found


def _leading_block(prompt: str) -> int:
    """Where the block in front of the user's words ends; 0 if there is none.

    The host escapes angle brackets of what it puts in, so the first end is its own.
    """
    end = prompt.find(_END) + len(_END)
    if not prompt.startswith(_BEGIN) or end < len(_END):
        return 0
    return end if prompt.startswith("\n\n", end) or end == len(prompt) else 0


context = reply.context


def deny(native: str, reason: str) -> bytes:
    """A tool is not to be used now."""
    return reply.line({"decision": "deny", "reason": reason})
