"""OpenCode: how its plugin names things, and what it takes as an answer.

OpenCode runs no commands as hooks: a plugin of ours in its process starts ours. It is
thin, and everything is decided here. For a hook of the plugin interface it calls

    git-intent hook --host opencode --event NAME

where NAME is the hook's name, or the `type` of an event, with a JSON object on stdin:

    {"input": …, "output": …}    what the hook was given; for an event `input` is it
    {…, "parentID": "ses_…"}     besides, the session's parent if the plugin knows it
                                 (`client.session.get`), or null if it has none

`output` may be left out where it tells nothing: the model's system prompt need not
travel. What comes back on stdout is nothing, or one of

    {"context": "…"}   text for the model: a text part of the message (chat.message), a
                       line of `output.system` (experimental.chat.system.transform), a
                       line of `output.context` (experimental.session.compacting)
    {"deny": "…"}      the tool may not be used: the plugin throws an Error that says so

The text for the system prompt changes with the next prompt or a compaction, not with
every call of the model, so the plugin may keep it in between.

A subagent's session is its own, and only `session.created` names its parent. That is
remembered in the user's state folder, and then its events are a child's. Of a session
whose parent was never told, the actor is unknown.
"""

from git_intent.hosts import event as events
from git_intent.hosts import reply
from git_intent.hosts.event import CHILD, ROOT, UNKNOWN, HostEvent

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from git_intent.hosts.payload import Payload

NAME, PROMPT = "opencode", "chat.message"
CREATED = "session.created"
#: OpenCode has no such event: the plugin says so of a session that has been idle for a
#: while, or is when the program ends.
ENDED = "session.ended"
#: Its hook or event -> ours. Any other one is none of our business.
EVENTS = {
    "chat.message": events.PROMPT,
    "experimental.chat.system.transform": events.SESSION_START,
    "experimental.session.compacting": events.PRE_COMPACT,
    "tool.execute.before": events.PRE_TOOL,
    "tool.execute.after": events.POST_TOOL,
    "session.created": events.CHILD_START,
    "session.compacted": events.POST_COMPACT,
    "session.idle": events.STOP,
    ENDED: events.SESSION_END,
}
#: Whose text reaches the model.
CONTEXT = frozenset(
    (
        "chat.message",
        "experimental.chat.system.transform",
        "experimental.session.compacting",
    )
)
#: Whose payload means something to us.
READ = CONTEXT | {"tool.execute.before", "session.idle", CREATED, ENDED}
OTHERS: tuple[str, ...] = ()


def parse(native: str, payload: "Payload") -> HostEvent:
    """The event of a payload; `native` is a key of EVENTS."""
    found = HostEvent(NAME, EVENTS[native], native, payload)
    given = _object(payload.members, "input") or payload.members
    output = _object(payload.members, "output")
    properties = _object(given, "properties")
    found.session = given.get("sessionID", properties.get("sessionID"))
    _take_parent(found, payload.members, _object(properties, "info"))
    if found.event == events.PROMPT:
        found.prompt = _words(output.get("parts"))
        id = _object(output, "message").get("id", given.get("messageID"))
        found.turn = id if isinstance(id, str) else ""
    tool = given.get("tool")
    found.tool = tool if isinstance(tool, str) else ""
    found.tool_input = output.get("args")
    return found


def _take_parent(
    found: HostEvent, members: "Mapping[str, Any]", info: "Mapping[str, Any]"
) -> None:
    """Whether it is a child's; a `session.created` names child and parent."""
    if found.native == CREATED:
        found.session = info.get("id", found.session)
        parent = info.get("parentID")
        known = bool(info)
    else:
        parent = members.get("parentID")
        known = "parentID" in members
    if isinstance(parent, str) and parent:
        found.actor, found.parent = CHILD, parent
    elif found.actor != CHILD:
        found.actor = ROOT if known else UNKNOWN


def _words(parts: object) -> str | None:
    """What the user wrote: the texts that the host or a plugin did not add."""
    if not isinstance(parts, list):
        return None
    texts = [
        part.get("text")
        for part in parts
        if isinstance(part, dict)
        and part.get("type") == "text"
        and part.get("synthetic") is not True
    ]
    return "\n".join(text for text in texts if isinstance(text, str))


def _object(members: "Mapping[str, Any]", name: str) -> "Mapping[str, Any]":
    value = members.get(name)
    return value if isinstance(value, dict) else {}


def context(native: str, text: str) -> bytes:
    """Text for the model."""
    return reply.line({"context": text})


def deny(native: str, reason: str) -> bytes:
    """A tool is not to be used now."""
    return reply.line({"deny": reason})
