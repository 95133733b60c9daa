"""Codex: how its hooks name things, and what they take as an answer.

Its events have Claude Code's names. It refuses an answer with any key that it does not
know, as a whole. A subagent's events carry the session of the root, and `agent_id`.
"""

from git_intent.hosts import claude
from git_intent.hosts.event import HostEvent, from_members

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from git_intent.hosts.payload import Payload

NAME, PROMPT = "codex", claude.PROMPT
EVENTS, CONTEXT, READ = claude.EVENTS, claude.CONTEXT, claude.READ
OTHERS: tuple[str, ...] = ()


def parse(native: str, payload: "Payload") -> HostEvent:
    """The event of a payload; `native` is a key of EVENTS."""
    return from_members(NAME, EVENTS[native], native, payload, "turn_id")


context, deny = claude.context, claude.deny
