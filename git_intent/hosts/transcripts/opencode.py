"""Transcripts of OpenCode: the tables of `opencode.db`.

A session with a parent is a subagent's. A part that is synthetic is the host's own,
also what stands for the user after a compaction. The database is opened to be read
only, and may be in use.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from git_intent.hosts.transcripts.fields import inner, moment, text
from git_intent.hosts.transcripts.place import Homes, Roots, Session
from git_intent.hosts.transcripts.turn import Message, Role

NAME = "opencode"
SKIP: tuple[str, ...] = ()
_WAIT = 2.0  # seconds for a writer to end
_SESSIONS = """
    SELECT id, directory FROM session
    WHERE coalesce(parent_id, '') = '' ORDER BY id
"""
_PARTS = """
    SELECT message.id, message.data, part.data
    FROM message JOIN part ON part.message_id = message.id
    JOIN session ON session.id = message.session_id
    WHERE message.session_id = ? AND coalesce(session.parent_id, '') = ''
    ORDER BY message.id, part.id
"""


def sessions(homes: Homes, roots: Roots) -> Iterator[Session]:
    path = f"{homes.opencode}/opencode.db"
    if not Path(path).is_file():
        return
    with closing(_opened(path)) as database:
        for id, folder in database.execute(_SESSIONS):
            if isinstance(folder, str) and roots.holds(folder):
                yield Session(NAME, str(id), path, folder)


def messages(path: str, session: str) -> Iterator[Message]:
    """What was said in a session. Raises sqlite3.Error for what is no such database."""
    with closing(_opened(path)) as database:
        now, parts = "", list[str]()
        about: Mapping[str, Any] = {}
        for id, facts, part in database.execute(_PARTS, (session,)):
            if id != now:
                yield from _message(now, about, parts)
                now, about, parts = id, _read(facts), []
            said = _read(part)
            if said.get("type") == "text" and not said.get("synthetic"):
                parts.append(text(said, "text"))
        yield from _message(now, about, parts)


def _opened(path: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", _WAIT, uri=True)


def _message(id: str, about: Mapping[str, Any], parts: list[str]) -> Iterator[Message]:
    role = text(about, "role")
    if not parts or role not in tuple(Role) or about.get("summary") is True:
        return
    if role == Role.USER:
        parts = [_unquoted(part) for part in parts]
    at = moment(inner(about, "time").get("created"))
    yield Message(Role(role), tuple(parts), at, id)


def _unquoted(part: str) -> str:
    """`opencode run "two words"` comes with the quotes around it."""
    if len(part) > 2 and part[0] == part[-1] == '"' and '"' not in part[1:-1]:
        return part[1:-1]
    return part


def _read(data: Any) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (TypeError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
