"""Claude Code: how its hooks name things, and what they take as an answer."""

from git_intent.hosts import event as events
from git_intent.hosts import reply
from git_intent.hosts.event import HostEvent, from_members

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.payload import Payload

NAME, PROMPT = "claude", "UserPromptSubmit"
#: Its event -> ours. Any other event is none of our business.
EVENTS = {
    "SessionStart": events.SESSION_START,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.PRE_TOOL,
    "PostToolUse": events.POST_TOOL,
    "PreCompact": events.PRE_COMPACT,
    "PostCompact": events.POST_COMPACT,
    "Stop": events.STOP,
    "SubagentStart": events.CHILD_START,
    "SubagentStop": events.CHILD_STOP,
    "SessionEnd": events.SESSION_END,
}
#: Whose text reaches the model.
CONTEXT = frozenset(("SessionStart", "UserPromptSubmit"))
#: Whose payload means something to us.
READ = CONTEXT | {"PreToolUse", "Stop", "SessionEnd"}
#: Hosts that also run the hooks of Claude's settings: their own hook speaks there.
OTHERS = ("COPILOT_CLI", "CURSOR_VERSION")


def parse(native: str, payload: "Payload") -> HostEvent:
    """The event of a payload; `native` is a key of EVENTS."""
    return from_members(NAME, EVENTS[native], native, payload, "prompt_id")


context = reply.context
deny = reply.deny
