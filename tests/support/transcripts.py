"""Transcripts in the shapes that hosts give them, of our own writing."""

import json
import re
import sqlite3
from pathlib import Path


def write(path: Path, records, tail: str = "") -> Path:
    """JSON, one object a line, and what else stands at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines) + tail, encoding="utf-8")
    return path


def at(number: int) -> str:
    return f"2026-09-01T10:00:{number:02}.000Z"


# Claude Code


def claude(kind, content, cwd="/p", number=0, **more):
    return {
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": f"u{number}",
        "sessionId": "1b2c",
        "timestamp": at(number),
        "cwd": str(cwd),
        "isSidechain": False,
        **more,
    }


def claude_file(home: Path, cwd: Path, session: str) -> Path:
    folder = re.sub("[^A-Za-z0-9]", "-", str(cwd))
    return home / ".claude/projects" / folder / f"{session}.jsonl"


def claude_chat(home: Path, cwd: Path, session: str, prompts) -> Path:
    records = [claude("user", text, cwd, n) for n, text in enumerate(prompts)]
    return write(claude_file(home, cwd, session), records)


# Codex


def codex_meta(cwd="/p", id="t1", **more):
    payload = {"id": id, "session_id": id, "cwd": str(cwd), "thread_source": "user"}
    return {
        "timestamp": at(0),
        "type": "session_meta",
        "payload": {**payload, "source": "exec", **more},
    }


def codex(role, *texts, kinds=None, number=1):
    kind = "input_text" if role == "user" else "output_text"
    payload = {
        "type": "message",
        "role": role,
        "content": [{"type": kind, "text": text} for text in texts],
    }
    if kinds is not None:
        payload["internal_chat_message_metadata_passthrough"] = {
            "content_item_kinds": kinds
        }
    return {"timestamp": at(number), "type": "response_item", "payload": payload}


def codex_file(home: Path, id: str) -> Path:
    name = f"rollout-2026-09-01T10-00-00-{id}.jsonl"
    return home / ".codex/sessions/2026/09/01" / name


# Gemini CLI


def gemini_meta(id="g1", hash="0" * 64, **more):
    return {
        "sessionId": id,
        "projectHash": hash,
        "startTime": at(0),
        "kind": "main",
        **more,
    }


def gemini(kind, content, id, **more):
    return {"id": id, "timestamp": at(1), "type": kind, "content": content, **more}


# Copilot CLI


def copilot_start(cwd="/p"):
    return {
        "type": "session.start",
        "data": {"sessionId": "c1", "context": {"cwd": str(cwd)}},
        "id": "e0",
        "timestamp": at(0),
        "parentId": None,
    }


def copilot(kind, content, id, **more):
    return {
        "type": f"{kind}.message",
        "data": {"content": content, "transformedContent": f"<x>{content}</x>"},
        "id": id,
        "timestamp": at(1),
        "parentId": None,
        **more,
    }


# Cursor


def cursor(role, text):
    return {"role": role, "message": {"content": [{"type": "text", "text": text}]}}


# OpenCode


def opencode(home: Path, sessions, messages) -> Path:
    """`sessions`: (id, parent, folder); `messages`: (session, role, parts), where a
    part is a text, or an object as the host would keep it."""
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE session (id, parent_id, directory)")
    database.execute("CREATE TABLE message (id, session_id, data)")
    database.execute("CREATE TABLE part (id, message_id, session_id, data)")
    database.executemany("INSERT INTO session VALUES (?, ?, ?)", sessions)
    for number, (session, role, parts) in enumerate(messages):
        id = f"msg_{number:03}"
        facts = json.dumps({"role": role, "time": {"created": 1788256801000 + number}})
        database.execute("INSERT INTO message VALUES (?, ?, ?)", (id, session, facts))
        for at_, part in enumerate(parts):
            data = {"type": "text", "text": part} if isinstance(part, str) else part
            row = (f"prt_{number:03}{at_}", id, session, json.dumps(data))
            database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
    database.commit()
    database.close()
    return path
