"""Transcripts of Codex: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`.

The first record tells which thread the file holds; a subagent's says so. A prompt is a
message of role `user` whose parts are marked as the user's; older files mark nothing,
and then what the host says is known by how it begins.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from git_intent.hosts.transcripts.fields import inner, objects, text, texts
from git_intent.hosts.transcripts.place import Homes, Roots, Session, entries
from git_intent.hosts.transcripts.stream import Problems, opened, records
from git_intent.hosts.transcripts.turn import Message, Role

NAME = "codex"
SKIP = (
    "<environment_context",
    "<hook_prompt",
    "<subagent_notification",
    "<user_instructions",
    "<turn_aborted",
    "<skill>",
    "<user_shell_command",
    "# AGENTS.md instructions",
)
_META = "session_meta"


def recognises(record: Mapping[str, Any]) -> bool:
    return "payload" in record and record.get("type") in (_META, "response_item")


def messages(found: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    meta_seen = False
    for number, record in enumerate(found):
        payload = inner(record, "payload")
        if record.get("type") == _META and not meta_seen:
            meta_seen = True
            if _is_childs(payload):
                return
        if record.get("type") != "response_item" or payload.get("type") != "message":
            continue
        role = payload.get("role")
        if role == "user":
            said = _users(payload)
        elif role == "assistant":
            said = texts(payload.get("content"))
        else:
            continue
        if said:
            id = text(payload, "id") or f"line {number}"
            yield Message(Role(role), said, text(record, "timestamp"), id)


def _is_childs(meta: Mapping[str, Any]) -> bool:
    if meta.get("thread_source") == "subagent":
        return True
    return "subagent" in inner(meta, "source")


def _users(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts of a message that the user wrote."""
    content = payload.get("content")
    marks = inner(payload, "internal_chat_message_metadata_passthrough")
    kinds = marks.get("content_item_kinds")
    if not isinstance(kinds, list):
        return texts(content)
    parts = list(objects(content))
    if len(kinds) == len(parts):
        parts = [p for p, kind in zip(parts, kinds, strict=True) if _is_users(kind)]
    elif not any(map(_is_users, kinds)):
        parts = []
    return texts(parts)


def _is_users(kind: Any) -> bool:
    """A kind stands there by its name, or as an object that has it."""
    return kind == "user.text" or (
        isinstance(kind, dict) and "user.text" in kind.values()
    )


def sessions(homes: Homes, roots: Roots) -> Iterator[Session]:
    found: dict[str, Session] = {}
    for path in _rollouts(homes):
        meta = _meta(path)
        id = text(meta, "id") or text(meta, "session_id")
        if id and not _is_childs(meta) and roots.holds(text(meta, "cwd")):
            commit = text(inner(meta, "git"), "commit_hash")
            found[id] = Session(NAME, id, path, text(meta, "cwd"), commit)
    yield from found.values()


def _rollouts(homes: Homes) -> Iterator[str]:
    folders = [f"{homes.codex}/sessions", f"{homes.codex}/archived_sessions"]
    while folders:
        for entry in entries(folders.pop(0)):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif entry.name.startswith("rollout-") and entry.name.endswith(".jsonl"):
                yield entry.path


def _meta(path: str) -> Mapping[str, Any]:
    try:
        with opened(path) as stream:
            for record in islice(records(stream, Problems()), 1):
                if record.get("type") == _META:
                    return inner(record, "payload")
    except OSError:
        pass
    return {}
