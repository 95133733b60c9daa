"""Transcripts of Gemini CLI: `tmp/<project>/chats/session-<time>-<id>.jsonl`.

The first record tells the session. A message is written again whenever more of it is
known. `$set` changes the conversation's own facts, and with `messages` what the model
is sent: what stood before was said all the same. `$rewindTo` takes back a message and
all after it. Subagents have folders of their own.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from git_intent.hosts.transcripts.fields import inner, objects, text, texts
from git_intent.hosts.transcripts.place import (
    Homes,
    Roots,
    Session,
    entries,
    small_text,
)
from git_intent.hosts.transcripts.stream import Problems, opened, records
from git_intent.hosts.transcripts.turn import Message, Role

NAME = "gemini"
SKIP = ("<session_context", "<state_snapshot", "System: Potential loop detected")
_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT}


def recognises(record: Mapping[str, Any]) -> bool:
    return "sessionId" in record and "projectHash" in record


def messages(found: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    said: dict[str, None] = {}  # in the order of their first mention
    for number, record in enumerate(found):
        if number == 0 and record.get("kind") == "subagent":
            return
        back = text(record, "$rewindTo")
        if back:
            ids = list(said)
            for id in ids[ids.index(back) if back in said else 0 :]:
                del said[id]
                yield Message(Role.USER, (), id=id)
        many = inner(record, "$set").get("messages", record.get("messages"))
        for member in (record, *objects(many)):
            message = _message(member)
            if message:
                said[message.id] = None
                yield message


def _message(record: Mapping[str, Any]) -> Message | None:
    role = _ROLES.get(text(record, "type"))
    id = text(record, "id")
    if role is None or not id:
        return None
    content = record.get("content")
    if any("functionResponse" in part for part in objects(content)):
        return None
    shown = record.get("displayContent")
    parts = texts(shown) if shown and role is Role.USER else texts(content)
    return Message(role, parts, text(record, "timestamp"), id)


def sessions(homes: Homes, roots: Roots) -> Iterator[Session]:
    known = _registered(homes)
    for folder in entries(f"{homes.gemini}/tmp"):
        cwd = small_text(f"{folder.path}/.project_root").strip()
        cwd = cwd or known.get(folder.name, "")
        if cwd and not roots.holds(cwd):
            continue
        for file in entries(f"{folder.path}/chats"):
            if not file.name.startswith("session-") or file.is_dir():
                continue
            meta = _meta(file.path)
            id = text(meta, "sessionId")
            began = cwd or _hashed(text(meta, "projectHash"), roots)
            if id and began and meta.get("kind") != "subagent":
                yield Session(NAME, id, file.path, began)


def _registered(homes: Homes) -> dict[str, str]:
    """Name of a project → its folder."""
    try:
        value = json.loads(small_text(f"{homes.gemini}/projects.json"))
    except (ValueError, RecursionError):
        return {}
    listed = inner(value, "projects") if isinstance(value, dict) else {}
    return {name: path for path, name in listed.items() if isinstance(name, str)}


def _hashed(given: str, roots: Roots) -> str:
    """The folder whose hash this is, if it is one of ours."""
    for root in roots.folders:
        if given == hashlib.sha256(root.encode("utf-8", "replace")).hexdigest():
            return root
    return ""


def _meta(path: str) -> Mapping[str, Any]:
    if not path.endswith(".jsonl"):
        return {}
    try:
        with opened(path) as stream:
            return next(islice(records(stream, Problems()), 1), {})
    except OSError:
        return {}
