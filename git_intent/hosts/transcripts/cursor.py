"""Transcripts of Cursor: `projects/<folder>/agent-transcripts/<id>[/<id>].jsonl`.

Records have neither times nor ids, and no tool results. What the user typed stands in
`<user_query>`. The name of the folder is made from the project's path and may stand for
several; a session counts only if it can stand for no other folder that is there.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from git_intent.hosts.transcripts.fields import inner, text, texts
from git_intent.hosts.transcripts.place import (
    Homes,
    Roots,
    Session,
    dashed,
    entries,
    small_text,
)
from git_intent.hosts.transcripts.turn import Message, Role

NAME = "cursor"
SKIP: tuple[str, ...] = ()
_QUERY = re.compile(r"<user_query>(.*?)(?:</user_query>|\Z)", re.DOTALL)


def recognises(record: Mapping[str, Any]) -> bool:
    return record.get("role") in ("user", "assistant") and "message" in record


def messages(found: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    for number, record in enumerate(found):
        if not recognises(record):
            continue
        role = Role(record["role"])
        said = texts(inner(record, "message").get("content"))
        if role is Role.USER:
            said = tuple(part for whole in said for part in _typed(whole))
        if said:
            yield Message(role, said, id=f"line {number}")


def _typed(whole: str) -> list[str]:
    """What the user typed; an element without a query beside it is the host's."""
    queries: list[str] = _QUERY.findall(whole)
    if queries or whole.lstrip().startswith("<"):
        return queries
    return [whole]


def sessions(homes: Homes, roots: Roots) -> Iterator[Session]:
    for folder in entries(f"{homes.cursor}/projects"):
        cwd = _cwd(folder, roots)
        if not cwd or not roots.holds(cwd):
            continue
        for entry in entries(f"{folder.path}/agent-transcripts"):
            id = entry.name.removesuffix(".jsonl")
            path = f"{entry.path}/{id}.jsonl" if entry.is_dir() else entry.path
            if path.endswith(".jsonl") and Path(path).is_file():
                yield Session(NAME, id, path, cwd)


def _cwd(folder: os.DirEntry[str], roots: Roots) -> str:
    """The folder that a name stands for; empty if it is none of ours, or in doubt."""
    try:
        told = json.loads(small_text(f"{folder.path}/.workspace-trusted"))
    except (ValueError, RecursionError):
        told = None
    if isinstance(told, dict) and text(told, "workspacePath"):
        return text(told, "workspacePath")
    name = _squeezed(folder.name)
    ours = [root for root in roots.folders if _squeezed(root) == name]
    if not ours or any(path not in ours for path in _called(name, os.sep)):
        return ""
    return ours[0]


def _called(name: str, above: str) -> Iterator[str]:
    """The folders below `above` that a squeezed name can stand for."""
    for entry in entries(above):
        own = _squeezed(entry.name)
        # What squeezes to nothing must not lead in a circle.
        if not name.startswith(own) or not entry.is_dir(follow_symlinks=bool(own)):
            continue
        rest = name[len(own) :]
        if not rest:
            yield os.path.realpath(entry.path)
        elif not own or rest.startswith("-"):
            yield from _called(rest.removeprefix("-"), entry.path)


def _squeezed(path: str) -> str:
    return re.sub("-+", "-", dashed(path)).strip("-")
