"""The fast lane of `git intent ledger preflight`.

Only a command line of the usual kind is answered here; for anything else the ordinary
command runs, and says what is wrong.
"""

import os

from git_intent.errors import IntentError
from git_intent.ledger.refusal import Refusal

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from git_intent.hosts.preflight import Call

_ONCE = ("--host", "--session", "--namespace", "--chat", "--tool", "--command")
_MANY = "--depends"


def answer(arguments: list[str], environ: "Mapping[str, str]") -> int | None:
    """Decide and print; the exit code, or None if the command line must run."""
    call = parse(arguments)
    if call is None:
        return None
    document, code, note = decided(call, environ)
    out = encoded(document)
    try:
        while out:
            out = out[os.write(1, out) :]
        if note:
            os.write(2, f"git intent: {note}\n".encode("ascii", "backslashreplace"))
    except OSError:
        return 1
    return code


def parse(arguments: list[str]) -> "Call | None":
    """The call that a usual command line asks about."""
    found: dict[str, str] = {}
    depends: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name not in (*_ONCE, _MANY) or name in found:
            return None
        if not equals:
            value = next(words, "-")
        if not value or value.startswith("-"):
            return None
        if name == _MANY:
            depends.append(value)
        else:
            found[name] = value
    chat = (found.get("--namespace", ""), found.get("--chat", ""))
    by_session = bool(found.get("--session")) and not any(chat)
    if not {"--host", "--tool"} <= set(found) or by_session == all(chat):
        return None
    from git_intent.hosts.preflight import Call

    return Call(
        found["--host"],
        found.get("--session", ""),
        found["--tool"],
        depends,
        chat=None if by_session else chat,
        command=found.get("--command"),
    )


def decided(
    call: "Call", environ: "Mapping[str, str]", cwd: str = ""
) -> "tuple[dict[str, Any], int, str]":
    """The document to print, the exit code, and a line for stderr."""
    from git_intent.hosts.preflight import preflight
    from git_intent.hosts.world import World
    from git_intent.ledger.preflight import ALLOW, HOLD, Decision

    world = None
    try:
        world = World(environ, cwd or os.getcwd())  # noqa: PTH109 - pathlib would cost
        decision = preflight(call, world)
    except Refusal as refusal:
        told = {"version": 1, "recorded": False, "refusal": refusal.as_json()}
        return told, 1, refusal.message
    except IntentError as error:
        decision = Decision(ALLOW, [error.message])
    except Exception as error:  # the boundary: no fault of ours may stop a user's work
        if world is not None:
            world.keep_fault(error)
        fault = f"our own fault: {type(error).__name__}: {error}"
        return Decision(ALLOW, [fault]).as_json(), 0, fault
    return decision.as_json(), int(decision.verdict == HOLD), ""


def encoded(document: "dict[str, Any]") -> bytes:
    """One line of ASCII, as every command of the ledger prints it."""
    import json

    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return text.encode("ascii") + b"\n"
