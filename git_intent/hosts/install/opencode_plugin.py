"""The plugin that OpenCode loads: a file of ours alone, with what it tells."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.hosts.install.agent_host import AgentHost
from git_intent.hosts.install.guide import SETTINGS

_FIRST = b"// Written by `git intent install opencode`"


def path_of(
    host: AgentHost, scope: str, root: Path, environ: Mapping[str, str]
) -> Path:
    """Where OpenCode looks for plugins."""
    return host.folder(scope, root, environ) / "plugins" / "git-intent.js"


def registered(data: bytes | None) -> list[str]:
    """The events that a plugin of ours asks about."""
    for line in (data or b"").splitlines():
        if line.startswith(b"const EVENTS = "):
            try:
                found = json.loads(line[15:].rstrip(b";"))
            except ValueError:
                return []
            return [str(name) for name in found]
    return []


def written(data: bytes | None, natives: Sequence[str], path: Path) -> bytes:
    """The plugin. Raises IntentError if another file has its name."""
    if data is not None:
        need_ours(data, path)
    text = (SETTINGS / "opencode.js").read_text(encoding="utf-8")
    return text.replace("__EVENTS__", json.dumps(list(natives))).encode()


def need_ours(data: bytes, path: Path) -> None:
    """Raise IntentError if this is a file of somebody else."""
    if not data.startswith(_FIRST):
        raise IntentError(
            f"{path}: was not written by git intent", "move it out of the way"
        )
