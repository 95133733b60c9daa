"""A model of our own on the loopback: it says what a test wants, and keeps what it was
asked.

A dialect turns a request of a client's protocol into a Talk, and what is to be said
into the answer of that protocol. It knows no more of a protocol than the pinned clients
need.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

MODEL = "mock-model"


@dataclass(frozen=True)
class Say:
    """The model answers; `tokens` is what it claims to have read."""

    text: str = "Done."
    tokens: int = 20


@dataclass(frozen=True)
class Call:
    """The model uses a tool."""

    tool: str
    arguments: dict[str, Any]
    tokens: int = 20


@dataclass(frozen=True)
class Talk:
    """What a request says: the last words of the user, what tools answered since, and
    everything that the model reads, in order."""

    user: str
    outputs: list[str]
    texts: list[str]
    body: dict[str, Any] = field(repr=False)

    @property
    def all(self) -> str:
        return "\n".join(self.texts)


Script = Callable[[Talk], Say | Call]


class Dialect(Protocol):
    def talk(self, path: str, body: dict[str, Any]) -> Talk | None:
        """What a request says; None if it asks for no words of the model."""

    def answer(self, said: Say | Call, body: dict[str, Any]) -> Iterator[bytes]:
        """The events of the answer, as a stream."""

    def aside(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a request that is no talk; None if there is nothing such."""


@dataclass
class Model:
    """What was asked; `script` says what is answered."""

    dialect: Dialect
    script: Script = lambda _: Say()
    talks: list[Talk] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    url: str = ""

    def about(self, words: str) -> list[Talk]:
        """The requests in which the user's last words hold these."""
        return [talk for talk in self.talks if words in talk.user]

    @contextmanager
    def serving(self) -> Iterator["Model"]:
        model = self

        class Asked(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                model.other.append(f"GET {self.path}")
                self._send("application/json", [b"{}"])

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(length) or b"{}")
                talk = model.dialect.talk(self.path, body)
                if talk is None:
                    model.other.append(f"POST {self.path}")
                    aside = model.dialect.aside(self.path, body) or {}
                    self._send("application/json", [json.dumps(aside).encode()])
                    return
                model.talks.append(talk)
                said = model.script(talk)
                self._send("text/event-stream", model.dialect.answer(said, body))

            def _send(self, kind: str, parts: Iterator[bytes] | list[bytes]) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                for part in parts:
                    self.wfile.write(part)

            def log_message(self, *_: object) -> None:
                return

        server = ThreadingHTTPServer(("127.0.0.1", 0), Asked)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()


def data(value: dict[str, Any], name: str = "") -> bytes:
    """One event of a stream."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(value)}\n\n".encode()
