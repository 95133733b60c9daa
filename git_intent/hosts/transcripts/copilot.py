"""Transcripts of Copilot CLI: `session-state/<session>/events.jsonl`.

What subagents say stands in the same file, and each such event carries an `agentId`.
`content` is what the user typed, `transformedContent` what the model was sent.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from git_intent.hosts.transcripts.fields import inner, text, texts
from git_intent.hosts.transcripts.place import (
    Homes,
    Roots,
    Session,
    entries,
    small_text,
)
from git_intent.hosts.transcripts.stream import Problems, opened, records
from git_intent.hosts.transcripts.turn import Message, Role

NAME = "copilot"
SKIP: tuple[str, ...] = ()
_ROLES = {"user.message": Role.USER, "assistant.message": Role.ASSISTANT}
_LOOKED_AT = 50  # events in which the folder is sought


def recognises(record: Mapping[str, Any]) -> bool:
    return "data" in record and str(record.get("type")).startswith("session.")


def messages(found: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    for record in found:
        role = _ROLES.get(text(record, "type"))
        data = inner(record, "data")
        if role is None or record.get("agentId") or _of_a_skill(data):
            continue
        said = texts(data.get("content"))
        if said:
            yield Message(role, said, text(record, "timestamp"), text(record, "id"))


def _of_a_skill(data: Mapping[str, Any]) -> bool:
    return text(data, "source").startswith("skill-")


def sessions(homes: Homes, roots: Roots) -> Iterator[Session]:
    for folder in entries(f"{homes.copilot}/session-state"):
        path = f"{folder.path}/events.jsonl"
        cwd = _cwd(path) or _workspace(small_text(f"{folder.path}/workspace.yaml"))
        if roots.holds(cwd):
            yield Session(NAME, folder.name, path, cwd)


def _cwd(path: str) -> str:
    try:
        with opened(path) as stream:
            for record in islice(records(stream, Problems()), _LOOKED_AT):
                data = inner(record, "data")
                for place in (inner(data, "context"), inner(data, "input"), data):
                    if cwd := text(place, "cwd"):
                        return cwd
    except OSError:
        pass
    return ""


def _workspace(facts: str) -> str:
    """The folder of a `workspace.yaml`, in which one line names it."""
    rows = (line.partition(": ") for line in facts.splitlines())
    return next((value.strip(" \"'") for key, _, value in rows if key == "cwd"), "")
