"""What `git intent install` has to know of each coding agent's host.

Its files, the shape of its hooks, the unit of its timeouts, which of its tools edit
files, and what the user still has to trust. Which events are registered is told by the
host's module in `hosts/`: those whose payload means something to us.

A command is the program's bare name and never a path: Codex keeps a hash of what the
user trusted, so the words may not change with the machine or the version.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_intent.hosts import event as events
from git_intent.hosts.handle import host_module

PROGRAM = "git-intent"
PROJECT, USER = "project", "user"
#: Seconds that a host waits for an event of ours. It works on without an answer.
SECONDS = {
    events.SESSION_START: 30,
    events.PROMPT: 30,
    events.PRE_TOOL: 10,
    events.SESSION_END: 3,  # Codex allows no more
}
_USUAL = 10


@dataclass(frozen=True, slots=True)
class AgentHost:
    """One host. `local` is the folder of its configuration in a project, `own` that of
    the user's, below the home folder; the variable `moved` moves it to `below` there.

    `hooks` is the file in that folder that hooks are put into, empty if it takes none.
    It is `nested` as Claude Code's, may hold `comments`, and a new one has the keys of
    `extra` besides.
    """

    name: str
    title: str
    local: str
    own: str
    hooks: str
    tools: tuple[str, ...]
    trust: str
    moved: str = ""
    below: str = ""
    nested: bool = True
    comments: bool = False
    extra: tuple[tuple[str, Any], ...] = ()

    def folder(self, scope: str, root: Path, environ: Mapping[str, str]) -> Path:
        """Where the host's configuration of a scope lies."""
        if scope == PROJECT:
            return root / self.local
        moved = environ.get(self.moved, "") if self.moved else ""
        return Path(moved or environ.get("HOME", ""), self.below if moved else self.own)

    def settings(self, scope: str, root: Path, environ: Mapping[str, str]) -> Path:
        """The file that hooks are put into."""
        return self.folder(scope, root, environ) / self.hooks

    def events(self, *, preflight: bool) -> Iterator[str]:
        """The host's names of the events that do something, in its order."""
        module = host_module(self.name)
        for native, kind in module.EVENTS.items():
            if native not in module.READ or (self.name == "copilot" and _other(native)):
                continue
            if preflight or kind != events.PRE_TOOL:
                yield native

    def command(self, native: str) -> str:
        """What the host runs for an event."""
        words = f"{PROGRAM} hook --host {self.name} --event {native}"
        # Copilot denies every tool when the hook before it fails, as by a missing
        # program, and it runs what Claude Code's settings say as well
        guarded = self.name in ("claude", "copilot")
        before_tool = self.kind(native) == events.PRE_TOOL
        return f"{words} || true" if guarded and before_tool else words

    def kind(self, native: str) -> str:
        """Our word for an event."""
        found: str = host_module(self.name).EVENTS[native]
        return found

    def entry(self, native: str) -> dict[str, Any]:
        """What stands in the list of an event, as the host wants it."""
        command = self.command(native)
        seconds = SECONDS.get(self.kind(native), _USUAL)
        if self.name == "cursor":
            return {"command": command, "timeout": seconds}
        if self.name == "copilot":
            return {"type": "command", "bash": command, "timeoutSec": seconds}
        handler: dict[str, Any] = {"type": "command", "command": command}
        if self.name == "gemini":
            handler = {**handler, "name": PROGRAM, "timeout": 1000 * seconds}
        else:
            handler["timeout"] = seconds
        return {"hooks": [handler]}


def _other(native: str) -> bool:
    """Whether a name of Copilot's is one that it has for other hosts' settings."""
    return native[:1].isupper()


HOSTS = {
    host.name: host
    for host in (
        AgentHost(
            "claude",
            "Claude Code",
            ".claude",
            ".claude",
            "settings.json",
            ("Edit", "MultiEdit", "NotebookEdit", "Write"),
            "Claude Code runs no hook of a folder that you have not trusted: it asks "
            "when it is started there. `claude -p` takes every folder as trusted.",
            moved="CLAUDE_CONFIG_DIR",
        ),
        AgentHost(
            "codex",
            "Codex",
            ".codex",
            ".codex",
            "hooks.json",
            ("apply_patch",),
            "Codex asks twice and runs nothing until then: trust the folder when it is "
            "started there, then each hook in its /hooks screen. A hook that is edited "
            "has to be trusted again.",
            moved="CODEX_HOME",
        ),
        AgentHost(
            "gemini",
            "Gemini CLI",
            ".gemini",
            ".gemini",
            "settings.json",
            ("replace", "write_file"),
            "Gemini CLI runs no hook in a folder that you have not trusted: answer its "
            "question, or /permissions. Without a terminal it wants --skip-trust or "
            "GEMINI_CLI_TRUST_WORKSPACE=true.",
            comments=True,
            moved="GEMINI_CLI_HOME",
            below=".gemini",
        ),
        AgentHost(
            "copilot",
            "Copilot CLI",
            ".github",
            ".copilot",
            "hooks/git-intent.json",
            ("apply_patch", "create", "edit"),
            "Copilot CLI leaves hooks out without a word in a folder that you have not "
            "trusted: answer its question, or --trust-folder with -p.",
            nested=False,
            extra=(("version", 1),),
            moved="COPILOT_HOME",
        ),
        AgentHost(
            "cursor",
            "Cursor",
            ".cursor",
            ".cursor",
            "hooks.json",
            ("Delete", "Edit", "StrReplace", "Write"),
            "Cursor takes a project's hooks once the workspace is trusted; its Hooks "
            "page in the settings lists them. `cursor-agent -p` runs no prompt hook.",
            nested=False,
            extra=(("version", 1),),
        ),
        AgentHost(
            "opencode",
            "OpenCode",
            ".opencode",
            ".config/opencode",
            "",
            ("apply_patch", "edit", "multiedit", "patch", "write"),
            "OpenCode loads its plugins without a question; start it anew.",
            moved="XDG_CONFIG_HOME",
            below="opencode",
        ),
    )
}
