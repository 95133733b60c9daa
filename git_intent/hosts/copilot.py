"""Copilot CLI: how its hooks name things, and what they take as an answer.

An event configured by its own name (`userPromptSubmitted`) has a payload in camel case
that does not tell the event, so the command line has to. One configured by a name like
Claude Code's (`UserPromptSubmit`) has one in snake case that does. Either way the text
stands at the top of an answer: what is nested as Claude Code wants it is dropped. If a
hook before a tool fails, the tool is denied.

A subagent has a session id of its own, which is its agent id; `parentAgentId` is the
session that it works for.
"""

from git_intent.hosts import event as events
from git_intent.hosts import reply
from git_intent.hosts.event import CHILD, HostEvent

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.payload import Payload

NAME, PROMPT = "copilot", "userPromptSubmitted"
#: Its event -> ours. Any other event is none of our business.
EVENTS = {
    "sessionStart": events.SESSION_START,
    "userPromptSubmitted": events.PROMPT,
    "preToolUse": events.PRE_TOOL,
    "postToolUse": events.POST_TOOL,
    "preCompact": events.PRE_COMPACT,
    "agentStop": events.STOP,
    "subagentStart": events.CHILD_START,
    "subagentStop": events.CHILD_STOP,
    "sessionEnd": events.SESSION_END,
    "SessionStart": events.SESSION_START,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.PRE_TOOL,
    "PostToolUse": events.POST_TOOL,
    "PreCompact": events.PRE_COMPACT,
    "Stop": events.STOP,
    "SubagentStart": events.CHILD_START,
    "SubagentStop": events.CHILD_STOP,
    "SessionEnd": events.SESSION_END,
}
#: Whose text reaches the model.
CONTEXT = frozenset(
    ("sessionStart", "userPromptSubmitted", "SessionStart", "UserPromptSubmit")
)
#: Whose payload means something to us.
READ = CONTEXT | {
    *("preToolUse", "agentStop", "sessionEnd"),
    *("PreToolUse", "Stop", "SessionEnd"),
}
OTHERS: tuple[str, ...] = ()


def parse(native: str, payload: "Payload") -> HostEvent:
    """The event of a payload; `native` is a key of EVENTS."""
    found = HostEvent(NAME, EVENTS[native], native, payload)
    members = payload.members
    found.session = members.get("sessionId", members.get("session_id"))
    if found.actor == CHILD:
        found.parent = payload.text("parentAgentId", "parent_agent_id")
    found.prompt = members.get("prompt")
    stamp = members.get("timestamp")
    found.turn = str(stamp) if type(stamp) is int else payload.text("timestamp")
    found.source = payload.text("source")
    found.reason = payload.text("reason")
    found.tool = payload.text("toolName", "tool_name")
    found.tool_input = _arguments(members.get("toolArgs", members.get("tool_input")))
    return found


def _arguments(told: object) -> object:
    """A tool's arguments, which some versions tell as a JSON text."""
    if not isinstance(told, str):
        return told
    from git_intent.ledger.light_json import loads

    try:
        return loads(told.encode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None


def context(native: str, text: str) -> bytes:
    """Text for the model."""
    return reply.line({"additionalContext": text})


def deny(native: str, reason: str) -> bytes:
    """A tool is not to be used now."""
    return reply.line(
        {"permissionDecision": "deny", "permissionDecisionReason": reason}
    )
