"""How each host words an event that tests name as Claude Code does, and an answer."""

import json
from typing import Any

#: Event -> each host's own name of it, where that is another.
NATIVE = {
    "SessionStart": {
        "copilot": "sessionStart",
        "cursor": "sessionStart",
        "opencode": "experimental.chat.system.transform",
    },
    "UserPromptSubmit": {
        "gemini": "BeforeAgent",
        "copilot": "userPromptSubmitted",
        "cursor": "beforeSubmitPrompt",
        "opencode": "chat.message",
    },
    "PreToolUse": {
        "gemini": "BeforeTool",
        "copilot": "preToolUse",
        "cursor": "preToolUse",
        "opencode": "tool.execute.before",
    },
    "PreCompact": {
        "gemini": "PreCompress",
        "copilot": "preCompact",
        "cursor": "preCompact",
        "opencode": "experimental.session.compacting",
    },
    "PostCompact": {"opencode": "session.compacted"},
    "Stop": {
        "gemini": "AfterAgent",
        "copilot": "agentStop",
        "cursor": "stop",
        "opencode": "session.idle",
    },
    "SessionEnd": {
        "copilot": "sessionEnd",
        "cursor": "sessionEnd",
        "opencode": "session.ended",
    },
    "SubagentStart": {
        "copilot": "subagentStart",
        "cursor": "subagentStart",
        "opencode": "session.created",
    },
}
HOSTS = ("claude", "codex", "copilot", "cursor", "gemini", "opencode")
#: Where a host tells which turn it is.
TURN = {
    "claude": "prompt_id",
    "codex": "turn_id",
    "copilot": "timestamp",
    "cursor": "generation_id",
    "gemini": "timestamp",
    "opencode": "messageID",
}
_CAMEL = {
    "session_id": "sessionId",
    "tool_name": "toolName",
    "tool_input": "toolArgs",
    "agent_id": "agentId",
}


def native(host: str, event: str) -> str:
    return NATIVE.get(event, {}).get(host, event)


def payload(host: str, event: str, session: Any, members: dict[str, Any]) -> bytes:
    """What the host writes to the hook's standard input."""
    name = native(host, event)
    sent = {"session_id": session, "hook_event_name": name, "cwd": "/repo", **members}
    if host == "copilot":
        del sent["hook_event_name"]
        sent = {_CAMEL.get(key, key): value for key, value in sent.items()}
    elif host == "cursor":
        sent["conversation_id"] = sent.pop("session_id")
        sent |= {"user_email": "ann@example.invalid", "workspace_roots": ["/repo"]}
    elif host == "opencode":
        sent = _plugins(name, session, members)
    else:
        sent["transcript_path"] = "/nowhere/transcript.jsonl"
    return json.dumps(sent).encode()


def _plugins(name: str, session: Any, members: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {"sessionID": session}
    output: dict[str, Any] = {}
    if name == "chat.message":
        output["message"] = {"id": members.get("messageID"), "role": "user"}
        output["parts"] = [{"type": "text", "text": members.get("prompt")}]
    elif name == "tool.execute.before":
        given["tool"] = members.get("tool_name")
        output["args"] = members.get("tool_input")
    elif name.startswith("session."):
        given = {"type": name, "properties": {"sessionID": session}}
    kept = {key: members[key] for key in ("parentID",) if key in members}
    return {"input": given, "output": output, **kept}


def context(host: str, out: bytes) -> str:
    """The text for the model; empty if there is none. Any other form is a failure."""
    if not out:
        return ""
    found = json.loads(out)
    if host in ("claude", "codex", "gemini"):
        assert set(found) == {"hookSpecificOutput"}
        found = found["hookSpecificOutput"]
    form, text = _CONTEXT[host]
    assert set(found) <= {*form, text}
    return str(found[text])


_CONTEXT = {
    "claude": (("hookEventName",), "additionalContext"),
    "codex": (("hookEventName",), "additionalContext"),
    "copilot": ((), "additionalContext"),
    "cursor": (("continue",), "additional_context"),
    "gemini": (("hookEventName",), "additionalContext"),
    "opencode": ((), "context"),
}


def denied(host: str, out: bytes) -> str:
    """Why a tool may not be used; empty if it may. Any other form is a failure."""
    if not out:
        return ""
    found = json.loads(out)
    if host in ("claude", "codex"):
        assert set(found) == {"hookSpecificOutput"}
        found = found["hookSpecificOutput"]
    form, reason = _DENIED[host]
    assert set(found) == {*form, reason} | _BESIDE.get(host, set())
    assert all(found[key] == value for key, value in form.items())
    return str(found[reason])


_DECISION = {"permissionDecision": "deny"}
_DENIED: dict[str, tuple[dict[str, str], str]] = {
    "claude": (
        {"hookEventName": "PreToolUse", **_DECISION},
        "permissionDecisionReason",
    ),
    "codex": (
        {"hookEventName": "PreToolUse", **_DECISION},
        "permissionDecisionReason",
    ),
    "copilot": (_DECISION, "permissionDecisionReason"),
    "cursor": ({"permission": "deny"}, "agent_message"),
    "gemini": ({"decision": "deny"}, "reason"),
    "opencode": ({}, "deny"),
}
_BESIDE = {"cursor": {"user_message"}}
