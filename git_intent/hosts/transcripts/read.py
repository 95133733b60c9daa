"""From a session, or from a transcript of any host, to what was said in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO

from git_intent.errors import IntentError
from git_intent.hosts.transcripts import claude, codex, copilot, cursor, gemini
from git_intent.hosts.transcripts.place import Homes, Roots, Session
from git_intent.hosts.transcripts.stream import Problems, opened, records
from git_intent.hosts.transcripts.turn import Turn, turns

_BY_LINES: dict[str, Any] = {
    module.NAME: module for module in (claude, codex, gemini, copilot, cursor)
}
OPENCODE = "opencode"
HOSTS = (*_BY_LINES, OPENCODE)
_LOOKED_AT = 40  # records by which a host is recognised


@dataclass(frozen=True, slots=True)
class Said:
    """`problems` say what could not be read."""

    turns: tuple[Turn, ...]
    problems: tuple[str, ...] = ()


def sessions(host: str, homes: Homes, roots: Roots) -> Iterator[Session]:
    """The project's sessions with a host, those of subagents left out.

    Raises IntentError if the host's files are not what they should be.
    """
    if host != OPENCODE:
        yield from _BY_LINES[host].sessions(homes, roots)
        return
    import sqlite3

    from git_intent.hosts.transcripts import opencode

    try:
        yield from opencode.sessions(homes, roots)
    except sqlite3.Error as error:
        raise _unreadable(f"{homes.opencode}/opencode.db", error) from error


def said(session: Session) -> Said:
    """What was said in a session. Raises IntentError if it cannot be read."""
    if session.host == OPENCODE:
        return _said_in_database(session)
    try:
        with opened(session.path) as stream:
            return said_in(session.host, stream)
    except OSError as error:
        raise _unreadable(session.path, error) from error


def _said_in_database(session: Session) -> Said:
    import sqlite3

    from git_intent.hosts.transcripts import opencode

    try:
        return Said(turns(opencode.messages(session.path, session.id), opencode.SKIP))
    except sqlite3.Error as error:
        raise _unreadable(session.path, error) from error


def said_in(host: str, stream: BinaryIO) -> Said:
    """What was said in a transcript of JSON lines."""
    module = _BY_LINES[host]
    problems = Problems()
    found = turns(module.messages(records(stream, problems)), module.SKIP)
    return Said(found, tuple(problems.words()))


def recognised(head: bytes) -> str:
    """The host whose transcript begins so; empty if it is nobody's that we know."""
    first = islice(records(BytesIO(head), Problems()), _LOOKED_AT)
    for record in first:
        for host, module in _BY_LINES.items():
            if module.recognises(record):
                return host
    return ""


def _unreadable(path: str, error: Exception) -> IntentError:
    words = getattr(error, "strerror", None) or str(error)
    return IntentError(f"{path}: {words}", "leave this host out with --host")
