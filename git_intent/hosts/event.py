"""One event of a coding agent, whichever host it runs in.

Hosts name the same things differently and tell different things; what a host does not
tell is empty here. `actor` is

    child    the host marks the event as a subagent's
    root     the host marks the events of subagents, and this one is not marked
    unknown  the host does not always mark them

None of it is proof. `agent_type` is no mark, for a main thread may have one. A child
may have a session of its own: then `parent` is the session that it works for.
"""

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from git_intent.hosts.payload import Payload

SESSION_START, SESSION_END = "session_start", "session_end"
PROMPT, STOP = "prompt", "stop"
PRE_TOOL, POST_TOOL = "pre_tool", "post_tool"
PRE_COMPACT, POST_COMPACT = "pre_compact", "post_compact"
CHILD_START, CHILD_STOP = "child_start", "child_stop"

ROOT, CHILD, UNKNOWN = "root", "child", "unknown"
_AGENT = ("agent_id", "agentId")


class HostEvent:
    """An event; `event` is one of the words above, `native` the host's own name.

    `wrapped` are spans of the prompt, in characters, that the host put around what the
    user wrote; `folder` is where the session works, if the hook may run elsewhere.
    """

    __slots__ = (
        "actor",
        "event",
        "folder",
        "host",
        "native",
        "parent",
        "payload",
        "prompt",
        "reason",
        "session",
        "source",
        "tool",
        "tool_input",
        "turn",
        "wrapped",
    )

    def __init__(self, host: str, event: str, native: str, payload: "Payload") -> None:
        self.host = host
        self.event = event
        self.native = native
        self.payload = payload
        self.actor = CHILD if _is_childs(payload.members) else ROOT
        self.session: object = None  # as told; may be anything
        self.parent = ""  # of a child that has a session of its own
        self.prompt: object = None
        self.wrapped: list[tuple[int, int]] = []
        self.turn = ""
        self.source = ""  # of a session start
        self.reason = ""  # of a session end
        self.tool = ""
        self.tool_input: object = None
        self.folder = ""


def _is_childs(members: "Mapping[str, Any]") -> bool:
    return any(members.get(name) not in (None, "") for name in _AGENT)


def from_members(
    host: str, event: str, native: str, payload: "Payload", turn: str
) -> HostEvent:
    """An event whose payload has Claude Code's names, as those of most hosts do.

    `turn` is what the host calls its id of a turn. Without one, the time that the
    payload itself names tells one prompt of a session from the next.
    """
    found = HostEvent(host, event, native, payload)
    members = payload.members
    found.session = members.get("session_id")
    found.prompt = members.get("prompt")
    found.turn = payload.text(turn, "timestamp")
    if not found.turn and type(members.get("timestamp")) is int:
        found.turn = str(members["timestamp"])
    found.source = payload.text("source")
    found.reason = payload.text("reason")
    found.tool = payload.text("tool_name")
    found.tool_input = members.get("tool_input")
    return found
