"""What a hook prints: nothing, or one line of ASCII JSON in the host's exact form.

A key that a host does not know can make it throw the whole answer away (Codex), so each
form has the keys that it must have and no other. An answer never blocks or continues
anything but a tool that preflight holds.
"""

from git_intent.ledger.light_json import canonical

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from typing import Any


def context(native: str, text: str) -> bytes:
    """Text for the model, from a hook of Claude Code or Codex."""
    return _line({"hookEventName": native, "additionalContext": text})


def deny(native: str, reason: str) -> bytes:
    """A tool is not to be used now, from a hook of Claude Code or Codex."""
    return _line(
        {
            "hookEventName": native,
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    )


def _line(specific: "dict[str, Any]") -> bytes:
    return canonical({"hookSpecificOutput": specific})
