"""The host's tools that edit files, classed as `mutation` in the configuration.

In a project's `.cloche/config.toml` that is a marked section; for a user it is values
in the global git configuration. A class that is configured already stays as it is.
"""

import json
import tomllib
from typing import Any

from git_intent.errors import IntentError
from git_intent.hosts.install.agent_host import AgentHost
from git_intent.inject.section import Marks


def written(data: bytes | None, host: AgentHost, path: str) -> bytes | None:
    """The configuration with the class. Raises IntentError if a person has to do it."""
    before = _parsed(data, path)
    marks = _marks(host)
    ours = data is not None and marks.find(data, path) is not None
    if set(host.tools) <= set(_mutations(before, host)) and not ours:
        return data
    new = marks.written(data, _text(host), path, "")
    try:
        after = tomllib.loads(new.decode("utf-8-sig"))
    except ValueError:
        after = {}
    if not ours and (not after or _without(after, host) != _without(before, host)):
        raise _by_hand(host, path, "put this into it by hand")
    return new


def removed(data: bytes, host: AgentHost, path: str) -> bytes | None:
    """The configuration without the section; None if it is gone with it."""
    before = _parsed(data, path)
    rest = _marks(host).removed(data, path, "")
    if rest == data or rest is None:
        return rest
    try:
        after = tomllib.loads(rest.decode("utf-8-sig"))
    except ValueError:
        after = {"": None}
    if _without(after, host) != _without(before, host):
        raise _by_hand(host, path, "take this out of it by hand")
    return rest


def git_key(host: AgentHost) -> str:
    """The key in git's configuration."""
    return f"intent.ledger.tools.{host.name}.mutation"


def _marks(host: AgentHost) -> Marks:
    name = f"# git-intent-preflight-{host.name}"
    return Marks(f"{name}:begin", f"{name}:end", "a section of ours", "install")


def _text(host: AgentHost) -> str:
    marks = _marks(host)
    by = f"; written by `git intent install {host.name} --with-preflight`"
    return f"{marks.begins}{by}\n{_table(host)}\n{marks.ends}"


def _table(host: AgentHost) -> str:
    tools = json.dumps(list(host.tools))
    return f"[intent.ledger.tools.{host.name}]\nmutation = {tools}"


def _by_hand(host: AgentHost, path: str, what: str) -> IntentError:
    return IntentError(
        f"{path}: has a table for the tools of {host.title} in it that is in the way",
        f"{what}:\n{_table(host)}",
    )


def _parsed(data: bytes | None, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads((data or b"").decode("utf-8-sig"))
    except ValueError as error:
        raise IntentError(
            f"{path}: not TOML: {error}",
            "mend it and run this again; it is not touched until then",
        ) from error


def _mutations(table: dict[str, Any], host: AgentHost) -> list[str]:
    for name in ("intent", "ledger", "tools", host.name):
        found = table.get(name)
        if not isinstance(found, dict):
            return []
        table = found
    listed = table.get("mutation")
    return [one for one in listed if isinstance(one, str)] if listed else []


def _without(table: dict[str, Any], host: AgentHost) -> dict[str, Any]:
    """The rest, without the class and the tables that hold nothing else."""
    trail = ("intent", "ledger", "tools", host.name, "mutation")

    def cut(value: dict[str, Any], depth: int) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for key, inner in value.items():
            if key != trail[depth]:
                kept[key] = inner
            elif isinstance(inner, dict) and depth < len(trail) - 1:
                left = cut(inner, depth + 1)
                if left:
                    kept[key] = left
        return kept

    return cut(table, 0)
