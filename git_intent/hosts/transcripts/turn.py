"""What was said in a chat, and the one form in which it is recorded and mined.

A host's reader gives *messages*: texts as the host wrote them. Of a message becomes a
*turn*: of the user's, what the user wrote; of the agent's, the lines that record a
decision. A message of which nothing is left is none. Recorded is one JSON object a
turn and line, of members `role`, `text`, `at` and `id`, without secrets; in ASCII, as
some scripts have line ends that are none here.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from git_intent.hosts.transcripts.words import without_wrappers
from git_intent.scan.transcript import decisions
from git_intent.secrets import scrub


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """`parts` are texts that the host keeps apart. Of two messages with one `id` the
    later counts, in the place of the first; one without parts takes it back."""

    role: Role
    parts: tuple[str, ...]
    at: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    role: Role
    text: str
    at: str = ""
    id: str = ""


def turns(messages: Iterable[Message], skip: tuple[str, ...]) -> tuple[Turn, ...]:
    """What the messages say; a part that begins with one of `skip` is the host's."""
    found: dict[str, Turn] = {}
    for number, message in enumerate(messages):
        parts = (_mined(message.role, part, skip) for part in message.parts)
        text = "\n\n".join(filter(None, parts))
        turn = Turn(message.role, text, message.at, message.id)
        found[message.id or f"#{number}"] = turn
    return tuple(turn for turn in found.values() if turn.text)


def _mined(role: Role, part: str, skip: tuple[str, ...]) -> str:
    # Half a pair, which JSON may hold, is no text.
    text = part.encode("utf-8", "replace").decode().replace("\0", "")
    if text.lstrip().startswith(skip):
        return ""
    if role is Role.USER:
        return without_wrappers(text)
    return "\n".join(line.strip() for line in decisions(without_wrappers(text)))


def scrubbed(found: Iterable[Turn]) -> tuple[Turn, ...]:
    """The turns without secrets."""
    return tuple(replace(turn, text=scrub(turn.text)) for turn in found)


def lines(found: Iterable[Turn]) -> Iterator[bytes]:
    """Each turn as it is recorded, without secrets."""
    for turn in scrubbed(found):
        value = {"role": turn.role, "text": turn.text, "at": turn.at, "id": turn.id}
        yield json.dumps(value).encode() + b"\n"


def prompts(found: Iterable[Turn]) -> int:
    """How many of the turns are the user's."""
    return sum(turn.role is Role.USER for turn in found)
