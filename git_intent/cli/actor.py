"""Who is at the keyboard: a person, or an agent's shell.

A claim, not a proof: the rules that nobody may break do not depend on it, and reports
print it with its reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from git_intent.store.commit_actor import SCAN_VARIABLE
from git_intent.store.rules import Actor

#: Variables that a host sets only in the processes which its agent starts. A terminal
#: inside an editor has variables of its own (`CURSOR_TRACE_ID`, `TERM_PROGRAM`): those
#: say nothing about who types.
AGENT_VARIABLES = (
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "CODEX_CI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "COPILOT_CLI",
    "COPILOT_AGENT",
    "AI_AGENT",
)


@dataclass(frozen=True, slots=True)
class Claim:
    """An actor and why we take them for one."""

    actor: Actor
    reason: str


def who(told: str | None, environment: Mapping[str, str]) -> Claim:
    """`--actor` if given, else what the environment gives away, else a person."""
    if told:
        return Claim(Actor(told), "--actor says so")
    if run := environment.get(SCAN_VARIABLE):
        return Claim(Actor.AGENT, f"scan {run} makes the commit")
    for name in AGENT_VARIABLES:
        if environment.get(name):
            return Claim(Actor.AGENT, f"{name} is set")
    return Claim(Actor.PERSON, "no agent's variable is set")
