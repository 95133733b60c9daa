"""What an agent said, from what its command printed.

Known are the event streams of `claude --output-format stream-json` and of `opencode run
--format json`: one JSON object a line. Only what the agent itself says counts as said;
what its tools printed, which may be any text of the project, does not. A stream begins
with an event; output that begins otherwise is plain text as a whole, so that text in
the shape of an event means nothing. Lines of a stream that are no JSON are plain text.

Output is read as it comes, and of what was said the last part is kept.
"""

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: So many characters or bytes of what was said are kept.
KEPT = 4 << 20
_EVENTS = (
    *("system", "assistant", "user", "result", "stream_event", "rate_limit_event"),
    *("step_start", "text", "reasoning", "tool_use", "step_finish", "error"),
)


@dataclass(frozen=True, slots=True)
class Said:
    """`text` is all that the agent said, `answer` what it said last.

    `error` tells that it could not do its work. Tokens are 0 where nobody told.
    """

    text: bytes
    answer: bytes
    error: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


def read(out: bytes) -> Said:
    """What was said in a whole output."""
    listener = Listener()
    listener.feed(out)
    return listener.said()


class Listener:
    """Takes what an agent prints, in pieces; `output_tokens` counts along."""

    def __init__(self) -> None:
        self._rest = bytearray()  # of a line that has not ended, or of plain text
        self._stream: _Stream | None = None
        self._plain = False
        self._cut = False  # the line that has not ended is too long for an event

    @property
    def output_tokens(self) -> int:
        return self._stream.tokens()[1] if self._stream else 0

    def feed(self, data: bytes) -> None:
        self._rest += data
        self._decide(over=False)
        if self._stream and b"\n" in self._rest:
            *lines, self._rest = self._rest.split(b"\n")
            self._take(self._stream, lines)
        if len(self._rest) > 2 * KEPT:
            del self._rest[: None if self._stream else -KEPT]
            self._cut = self._cut or self._stream is not None

    def said(self) -> Said:
        """All of it, at the end."""
        self._decide(over=True)
        if self._stream:
            self._take(self._stream, [self._rest])
            self._rest = bytearray()
            return self._stream.whole()
        text = bytes(self._rest[-KEPT:])
        return Said(text, text)

    def _decide(self, over: bool) -> None:
        """Whether it is a stream: the first line that is not blank tells."""
        if self._plain or self._stream:
            return
        first, end, _ = self._rest.lstrip().partition(b"\n")
        if not first or not (end or over):
            return
        if _event(first) is None:
            self._plain = True
        else:
            self._stream = _Stream()

    def _take(self, stream: "_Stream", lines: Iterable[bytes | bytearray]) -> None:
        for line in lines:
            event = _event(line)
            if self._cut:
                self._cut = False
            elif event is not None:
                stream.take(event)
            elif line.strip():
                stream.say(line.decode("utf-8", "surrogateescape"))


def _event(line: bytes | bytearray) -> dict[str, Any] | None:
    """The event of a line, None if it is none."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("type") not in _EVENTS:
        return None
    return value


class _Stream:
    """What the events of one stream add up to."""

    def __init__(self) -> None:
        self.said: deque[str] = deque()
        self.size = 0
        self.result: str | None = None
        self.error = ""
        self.counts: dict[object, tuple[int, int]] = {}
        self.total: tuple[int, int] | None = None

    def take(self, event: Mapping[str, Any]) -> None:
        kind = event["type"]
        if kind == "assistant":
            self._assistant(_object(event.get("message")))
        elif kind == "result":
            self._result(event)
        elif kind == "text":
            part = _object(event.get("part"))
            self.say(part.get("text", event.get("text")))
        elif kind == "step_finish":
            part = _object(event.get("part"))
            self._count(None, _object(part.get("tokens")), "input", "output")
        elif kind == "error":
            self.error = _words(event.get("error")) or "it reported an error"

    def whole(self) -> Said:
        text = "\n".join(self.said)
        answer = self.said[-1] if self.said else ""
        if self.result is not None:
            answer = self.result
            if not self.said or self.said[-1] != self.result:
                text = "\n".join([*self.said, self.result])
        return Said(_bytes(text), _bytes(answer), self.error, *self.tokens())

    def tokens(self) -> tuple[int, int]:
        """Tokens in and out, so far."""
        counts = self.counts.values()
        return self.total or (sum(c[0] for c in counts), sum(c[1] for c in counts))

    def _assistant(self, message: Mapping[str, Any]) -> None:
        content = message.get("content")
        self.say(content)
        for one in content if isinstance(content, list) else ():
            part = _object(one)
            if part.get("type") == "text":
                self.say(part.get("text"))
        usage = _object(message.get("usage"))
        # each block of a message is an event, and all tell what the whole message took
        self._count(message.get("id"), usage, "input_tokens", "output_tokens")

    def _result(self, event: Mapping[str, Any]) -> None:
        subtype = event.get("subtype")
        if event.get("is_error") is True or (
            isinstance(subtype, str) and subtype.startswith("error")
        ):
            self.error = _words(event.get("result")) or _words(subtype) or "it failed"
        elif isinstance(event.get("result"), str):
            self.result = event["result"]
        usage = _object(event.get("usage"))
        if usage:
            self.total = (
                _number(usage.get("input_tokens")),
                _number(usage.get("output_tokens")),
            )

    def say(self, text: object) -> None:
        if isinstance(text, str) and text:
            self.said.append(text)
            self.size += len(text)
        while self.size > KEPT and len(self.said) > 1:
            self.size -= len(self.said.popleft())

    def _count(self, key: object, usage: Mapping[str, Any], *names: str) -> None:
        into, out = (_number(usage.get(name)) for name in names)
        key = key if isinstance(key, str) else len(self.counts)
        before = self.counts.get(key, (0, 0))
        self.counts[key] = max(into, before[0]), max(out, before[1])


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> int:
    return value if isinstance(value, int) and 0 < value < 1 << 50 else 0


def _words(value: object) -> str:
    """What an error says, on one short line."""
    if isinstance(value, dict):
        data = _object(value.get("data"))
        value = data.get("message") or value.get("message") or value.get("name")
    return " ".join(value.split())[:300] if isinstance(value, str) else ""


def _bytes(text: str) -> bytes:
    # JSON may hold half of a surrogate pair; a line of bytes holds escaped ones
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")
