"""Vectors from an Ollama server on this machine; only if the user pins it.

The server is probed for half a second. It is where OLLAMA_HOST says, as Ollama's own
client reads that, but never on another machine: requirements and tasks do not leave
this one. Neither proxies nor redirects are followed.
"""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from math import isfinite
from typing import Any
from urllib.parse import urlsplit

from git_intent.embed.errors import ModelError
from git_intent.embed.index import Embedder

PORT = 11434
PROBE, PATIENCE = 0.5, 20.0  # seconds
BATCH = 64
MODEL = "all-minilm"
#: The least cosine that means something, by model; measured as that of the bundled one.
FLOORS = {"all-minilm": 0.25}

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
#: What a server that listens everywhere is told; a client reaches it on this machine.
_ANYWHERE = {"", "0.0.0.0", "::"}


class Ollama:
    """A model of the server. `id` has the digest of its weights, where that is told."""

    signature = ""

    def __init__(self, host: str, port: int, model: str) -> None:
        self._address, self._model = (host, port), model
        digest = self._digest()
        self.id = f"ollama:{model}" + (f"@{digest[:16]}" if digest else "")
        self.dim = len(self.embed_all(["dimension"])[0])

    def _digest(self) -> str:
        """Probes the server; empty if it does not say which weights it has."""
        found = self._ask("GET", "/api/tags", None, PROBE).get("models")
        if not isinstance(found, list):
            return ""
        digests = {entry.get("name"): entry.get("digest", "") for entry in found}
        for name in (self._model, f"{self._model}:latest"):
            if name in digests:
                return str(digests[name]).removeprefix("sha256:")
        raise ModelError(
            f"ollama: no model {self._model}", f"run `ollama pull {self._model}`"
        )

    def embed_all(self, texts: list[str]) -> list[list[float]]:
        """Raises ModelError if the server does not answer as it should."""
        found: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            asked = {"model": self._model, "input": batch, "truncate": True}
            found += _vectors(self._ask("POST", "/api/embed", asked, PATIENCE))
        if len(found) != len(texts) or len(set(map(len, found))) > 1:
            raise ModelError("ollama: not a vector for each text")
        return found

    def _ask(
        self, method: str, path: str, body: object, seconds: float
    ) -> dict[str, Any]:
        """What the server says; nothing if it does not know the path."""
        connection = HTTPConnection(*self._address, timeout=seconds)
        data = None if body is None else json.dumps(body).encode("ascii")
        try:
            connection.request(method, path, data, {"Content-Type": "application/json"})
            response = connection.getresponse()
            told = response.read()
            answer = json.loads(told) if response.status == HTTPStatus.OK else {}
        except (OSError, HTTPException, ValueError) as error:
            where = "{}:{}".format(*self._address)
            raise ModelError(
                f"ollama: no answer from {where} ({error})", "run `ollama serve`"
            ) from error
        finally:
            connection.close()
        return answer if isinstance(answer, dict) else {}


def _vectors(answer: dict[str, Any]) -> list[list[float]]:
    try:
        found = [[float(value) for value in row] for row in answer["embeddings"]]
    except (KeyError, TypeError, ValueError, OverflowError):
        found = []
    if not found or not all(isfinite(value) for row in found for value in row):
        raise ModelError("ollama: /api/embed gives no vectors")
    return found


def open_ollama(
    name: str, env: Mapping[str, str]
) -> tuple[Embedder, Callable[[str], float | None]]:
    """The model `name` of the server on this machine. Raises ModelError."""
    host, port = _address(env.get("OLLAMA_HOST", ""))
    model = name or MODEL
    floor = FLOORS.get(model.removesuffix(":latest"))
    return Ollama(host, port, model), lambda _: floor


def _address(given: str) -> tuple[str, int]:
    """Host and port of OLLAMA_HOST: `HOST`, `HOST:PORT`, `:PORT` or a URL."""
    try:
        url = urlsplit(given if "://" in given else f"//{given}")
        host, port = url.hostname or "", url.port or PORT
    except ValueError as error:
        raise ModelError(f"OLLAMA_HOST={given}: {error}") from error
    if host not in _LOOPBACK | _ANYWHERE or url.scheme not in ("", "http"):
        raise ModelError(
            f"OLLAMA_HOST={given}: not on this machine, so nothing is sent there",
            "unset it, or pin another embedder",
        )
    return ("127.0.0.1" if host in _ANYWHERE else host), port
