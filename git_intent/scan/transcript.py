"""From a recorded log to what a person said or settled in it.

Agents log streams of JSON objects, one a line (claude, codex, cursor, opencode), or
plain text. Transcripts that hosts keep of their own are recorded in one form, objects
with `role` and `text` (`hosts/transcripts`), which is such a stream as well. Of a
stream is kept what users wrote, and of what agents wrote the lines that record a
decision; tool calls, tool results and progress are not. Plain lines are kept, those of
build tools excepted. A line that was cut off in its middle is dropped.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_DECISION = re.compile(
    r"\b(?:decided|decision|agreed|settled|from now on|going forward|as a rule|"
    r"policy|convention)\b",
    re.IGNORECASE,
)
_FULL_LOG = re.compile(r"\[\d{4}-\d\d-\d\dT[^\]]+\] \[(\w+)\] ?(.*)")
_CHATTER = re.compile(
    r"\s*(?:CLOCHE_RESULT\b.*|"
    r"(?:\[[^\]]*\]\s*)*(?:INFO|DEBUG|TRACE|WARN(?:ING)?|ERROR|FATAL|PASS(?:ED)?|FAIL(?:ED)?|"
    r"ok|✓|✔|✗|✘|•|=>|->|\$|\+|>>>|npm|yarn|pnpm|make(?:\[\d+\])?|cargo|go|gcc|tsc|"
    r"Compiling|Building|Built|Build|Running|Downloading|Collecting|Installing|"
    r"Successfully|Finished|Step \d+)(?:[\s:!].*|$)|"
    r"[\W\d_]*|\S+:\d+(?::\d+)?:.*|"
    r"\W*\d+ (?:passed|failed|skipped|tests?|errors?|warnings?)\b.*)",
)
_REMINDER = re.compile(r"<(system-reminder|command-\w+)>.*?(?:</\1>|\Z)", re.DOTALL)
#: Marks of what the host itself says, and of what is said to and by a subagent.
_NOT_SPOKEN = (
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "parent_tool_use_id",
    "agentId",
)
_TEXTS = ("text", "input_text", "output_text")


def spoken(lines: Iterable[str]) -> Iterator[str]:
    """What is worth mining in a log, piece by piece."""
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("{"):
            yield from _from_event(stripped)
        elif not _CHATTER.fullmatch(stripped):
            yield line.rstrip()
        elif not stripped:
            yield ""


def agent_lines(lines: Iterable[str]) -> Iterator[str]:
    """The agents' share of a `full.log`, without its stamps."""
    for line in lines:
        found = _FULL_LOG.match(line)
        if found and found[1] == "llm":
            yield found[2]


def decisions(text: str) -> Iterator[str]:
    """The lines of an agent's text that record a decision."""
    return (line for line in text.splitlines() if _DECISION.search(line))


def _from_event(line: str) -> Iterator[str]:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(event, dict) or any(event.get(mark) for mark in _NOT_SPOKEN):
        return
    role, content = _speech(event)
    for text in _texts(content):
        if role == "user":
            yield from ("", _REMINDER.sub("", text))
        else:
            yield from decisions(text)


def _speech(event: dict[str, Any]) -> tuple[str, Any]:
    """Who speaks in an event, and what is said; nothing if nobody does."""
    inner = event
    for key in ("payload", "message", "part"):
        if isinstance(event.get(key), dict):
            inner = event[key]
            break
    role = inner.get("role") or event.get("role") or event.get("type")
    content = inner.get("content", inner.get("text", event.get("result")))
    return ("user" if role == "user" else "agent"), content


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and part.get("type") in _TEXTS:
                text = part.get("text")
                if isinstance(text, str):
                    yield text
