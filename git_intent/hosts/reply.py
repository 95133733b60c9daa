"""What a hook prints: nothing, or one line of ASCII JSON in the host's exact form.

Each host's own module makes its forms; those that several share are here. A key that a
host does not know can make it throw the whole answer away (Codex), so each form has the
keys that it must have and no other. An answer never blocks or continues anything but a
tool that preflight holds.
"""

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: Characters, of which each host takes as many without cutting or hiding them.
LONGEST = 9500


def line(value: "Mapping[str, Any]") -> bytes:
    """An answer."""
    from git_intent.ledger.light_json import canonical

    return canonical(value)


def context(native: str, text: str) -> bytes:
    """Text for the model, from a hook of Claude Code, Codex or Gemini."""
    return _specific({"hookEventName": native, "additionalContext": text})


def deny(native: str, reason: str) -> bytes:
    """A tool is not to be used now, from a hook of Claude Code or Codex."""
    return _specific(
        {
            "hookEventName": native,
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    )


def _specific(members: "Mapping[str, Any]") -> bytes:
    return line({"hookSpecificOutput": members})
