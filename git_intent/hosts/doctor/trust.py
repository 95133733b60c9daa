"""Whether a host runs the hooks of a project, going by what it wrote down itself.

Read from files whose formats are the hosts' own affair, so that anything unexpected
means that it is not known. Codex also keeps a hash of each hook that only it can make;
what is told is whether it has kept one.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from git_intent.hosts.install.agent_host import HOSTS, PROJECT, USER, AgentHost

_HASH = "trusted_hash"
_COMMENT = re.compile(r"(?m)^\s*//.*$")
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Trust(StrEnum):
    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    UNKNOWN = "unknown"
    NEEDLESS = "not needed"


def trust(
    host: AgentHost,
    scope: str,
    root: Path,
    environ: Mapping[str, str],
    hooks: Sequence[tuple[str, int]],
) -> Trust:
    """Whether hooks of this scope run in the project at `root`.

    `hooks` names each event and which group of that event's list ours is.
    """
    own = host.folder(USER, root, environ)
    if host.name == "claude":
        return _claude(own, root, environ)
    if host.name == "codex":
        return _codex(host, own, scope, root, environ, hooks)
    if host.name == "gemini":
        return _gemini(own, root)
    if host.name == "copilot":
        return _copilot(own, root)
    return Trust.NEEDLESS if host.name == "opencode" else Trust.UNKNOWN


def _claude(own: Path, root: Path, environ: Mapping[str, str]) -> Trust:
    moved = environ.get(HOSTS["claude"].moved)
    file = own / ".claude.json" if moved else own.parent / ".claude.json"
    found = _member(_json(file), "projects", str(root))
    if not isinstance(found, dict):
        return Trust.UNKNOWN
    return Trust.YES if found.get("hasTrustDialogAccepted") is True else Trust.NO


def _codex(
    host: AgentHost,
    own: Path,
    scope: str,
    root: Path,
    environ: Mapping[str, str],
    hooks: Sequence[tuple[str, int]],
) -> Trust:
    try:
        table = tomllib.loads((own / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Trust.UNKNOWN
    level = _member(table, "projects", str(root), "trust_level")
    if scope == PROJECT and level != "trusted":
        return Trust.NO
    file = host.settings(scope, root, environ)
    events = ((_WORDS.sub("_", native).lower(), group) for native, group in hooks)
    known = [
        bool(_member(table, "hooks", "state", f"{file}:{event}:{group}:0", _HASH))
        for event, group in events
    ]
    if all(known):
        return Trust.YES
    return Trust.PARTLY if any(known) else Trust.NO


def _gemini(own: Path, root: Path) -> Trust:
    """What is not on its list is not trusted, unless it is told not to ask."""
    settings = _json(own / "settings.json")
    if _member(settings, "security", "folderTrust", "enabled") is False:
        return Trust.NEEDLESS
    found = _json(own / "trustedFolders.json", of=own)
    if not isinstance(found, dict):
        return Trust.UNKNOWN
    for folder in (root, *root.parents):
        word = found.get(str(folder))
        if word == "DO_NOT_TRUST":
            return Trust.NO
        if word == "TRUST_FOLDER":
            return Trust.YES
    beside = [Path(path) for path, word in found.items() if word == "TRUST_PARENT"]
    return Trust.YES if any(_below(root, p.parent) for p in beside) else Trust.NO


def _copilot(own: Path, root: Path) -> Trust:
    """It has no list before the first folder is trusted."""
    found = _json(own / "config.json", of=own)
    if not isinstance(found, dict):
        return Trust.UNKNOWN
    listed = found.get("trustedFolders", found.get("trusted_folders", []))
    if not isinstance(listed, list):
        return Trust.UNKNOWN
    known = any(isinstance(one, str) and _below(root, Path(one)) for one in listed)
    return Trust.YES if known else Trust.NO


def _below(root: Path, folder: Path) -> bool:
    return root.is_relative_to(folder)


def _member(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _json(file: Path, of: Path | None = None) -> Any:
    """What a file says, whole lines of comment aside; None if that is not known.

    If it is not there, but the folder `of` a host that has been started is, it says
    nothing."""
    try:
        return json.loads(_COMMENT.sub("", file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {} if of is not None and of.is_dir() else None
    except (OSError, ValueError, RecursionError):
        return None
