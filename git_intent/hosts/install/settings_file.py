"""Hooks of ours in a host's JSON file: put in beside those of others, and taken out.

A hook is known as ours by its command, whoever wrote it, so that one that was put there
by hand is not doubled. A file that is no JSON of the expected shape is an error with
its place, and stays as it is.

A file that we made has `hooks` as its first key; when nothing else of it is left but
what we put there, it goes as a whole.
"""

import json
import re
from collections.abc import Sequence

from git_intent.errors import IntentError
from git_intent.hosts.install import json_edit
from git_intent.hosts.install.agent_host import AgentHost
from git_intent.hosts.install.json_spans import Node, place, read

_MARK = b"\xef\xbb\xbf"
_OURS = re.compile(r"(?:\S*/)?git[- ]intent hook (?P<words>.*)", re.S)
_COMMANDS = ("command", "bash")


def registered(data: bytes | None, host: AgentHost, path: str) -> list[str]:
    """The host's names of the events that a hook of ours is registered for."""
    if data is None:
        return []
    return list(dict.fromkeys(event for event, _ in groups(data, host, path)))


def groups(data: bytes, host: AgentHost, path: str) -> list[tuple[str, int]]:
    """Each event that a hook of ours is registered for, and which entry of the event's
    list it stands in."""
    hooks = _read(_text(data, path), host, path).get("hooks")
    return [
        (event.key, number)
        for event in (hooks.items if hooks else ())
        for number, entry in enumerate(event.value.items)
        if any(_is_ours(_command(h), host) for h in _handlers(entry.value, host))
    ]


def disabled(data: bytes, host: AgentHost, path: str) -> str:
    """The setting in this file that switches all hooks off, if one does."""
    text = _text(data, path)
    root = _read(text, host, path)
    switch = root.get("disableAllHooks")
    if host.name == "claude" and switch and text[switch.start : switch.end] == "true":
        return "disableAllHooks"
    config = root.get("hooksConfig")
    switch = config.get("enabled") if config else None
    if host.name == "gemini" and switch and text[switch.start : switch.end] == "false":
        return "hooksConfig.enabled"
    return ""


def written(
    data: bytes | None, host: AgentHost, natives: Sequence[str], path: str
) -> bytes:
    """The file with a hook for each of these events."""
    if data is None:
        lists = {native: [host.entry(native)] for native in natives}
        whole = {"hooks": lists, **dict(host.extra)}
        return (json.dumps(whole, indent=2) + "\n").encode()
    text = _text(data, path)
    present = registered(data, host, path)
    for native in natives:
        if native not in present:
            text = _put(text, host, native, path)
    return _bytes(data, text)


def removed(data: bytes, host: AgentHost, path: str) -> bytes | None:
    """The file without hooks of ours; None if it is gone with them."""
    text = _text(data, path)
    while True:
        root = _read(text, host, path)
        trail = _trail(root, text, host)
        if trail is None:
            return _bytes(data, text)
        holder, number = trail
        if holder is root and _whole(text, root, host):
            return None
        text = json_edit.take(text, holder, number)


def _put(text: str, host: AgentHost, native: str, path: str) -> str:
    root = _read(text, host, path)
    hooks = root.get("hooks")
    entry = host.entry(native)
    if hooks is None:
        return json_edit.put(text, root, "hooks", {native: [entry]})
    listed = hooks.get(native)
    if listed is None:
        return json_edit.put(text, hooks, native, [entry])
    return json_edit.put(text, listed, "", entry)


def _trail(root: Node, text: str, host: AgentHost) -> tuple[Node, int] | None:
    """What to take out next: the largest thing that holds nothing but a hook of ours,
    as the number of an item in what holds it."""
    hooks = root.get("hooks")
    # from the end, so that what was put in last comes out first
    for event, item in reversed([*enumerate(hooks.items if hooks else ())]):
        for number, group in reversed([*enumerate(item.value.items)]):
            handlers = _handlers(group.value, host)
            ours = [i for i, h in enumerate(handlers) if _is_ours(_command(h), host)]
            if not ours:
                continue
            inner = group.value.get("hooks")
            if inner is not None and len(ours) < len(handlers):
                return inner, ours[0]
            assert hooks is not None
            at = next(i for i, it in enumerate(root.items) if it.value is hooks)
            climb = [(root, at), (hooks, event), (item.value, number)]
            return _highest(climb, text)
    return None


def _highest(climb: list[tuple[Node, int]], text: str) -> tuple[Node, int]:
    """Up while what would be left is empty and was made by us."""
    holder, number = climb.pop()
    while climb and len(holder.items) == 1 and json_edit.is_made(text, holder):
        holder, number = climb.pop()
    return holder, number


def _whole(text: str, root: Node, host: AgentHost) -> bool:
    """Whether a file without its hooks would be one that we made."""
    keys = [item.key for item in root.items]
    return keys == ["hooks", *dict(host.extra)] and json_edit.is_made(text, root)


def _handlers(entry: Node, host: AgentHost) -> Sequence[Node]:
    if not host.nested:
        return (entry,)
    inner = entry.get("hooks")
    return [item.value for item in inner.items] if inner else ()


def _command(handler: Node) -> str:
    return next((found for key in _COMMANDS if (found := handler.word(key))), "")


def _is_ours(command: str, host: AgentHost) -> bool:
    found = _OURS.fullmatch(command)
    return bool(found and re.search(rf"--host[ =]{host.name}\b", found["words"]))


def _read(text: str, host: AgentHost, path: str) -> Node:
    root = read(text, path, comments=host.comments)
    hooks = root.get("hooks")
    _expect(root, "{", "an object", text, path)
    for item in [*(hooks.items if hooks else ())]:
        _expect(item.value, "[", f"hooks.{item.key} to be a list", text, path)
    if hooks:
        _expect(hooks, "{", "hooks to be an object", text, path)
    return root


def _expect(node: Node, kind: str, what: str, text: str, path: str) -> None:
    if node.kind != kind:
        raise IntentError(
            f"{path}:{place(text, node.start)}: expected {what}",
            "mend it and run this again; it is not touched until then",
        )


def _text(data: bytes, path: str) -> str:
    try:
        return data.removeprefix(_MARK).decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - before.rfind(b"\n")
        raise IntentError(
            f"{path}:{line}:{column}: not UTF-8",
            "mend it and run this again; it is not touched until then",
        ) from error


def _bytes(data: bytes, text: str) -> bytes:
    mark = _MARK if data.startswith(_MARK) else b""
    return mark + text.encode()
