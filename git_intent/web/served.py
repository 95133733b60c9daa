"""How the API is served: a request read whole, a handler in a thread, JSON back.

A handler is a plain function from `Asked` to `Answer`; what it raises as `IntentError`
is an answer as well. Handlers that ask git or a model run in a pool of their own: when
all of its threads are busy, the others still answer. All bodies carry `"version": 1`;
an error has `error`, `hint`, and where there is one a `code`.
"""

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from git_intent.errors import IntentError

#: The longest body that is read.
LONGEST = 4 << 20
#: From this size on, JSON is compressed.
_BIG = 1 << 15
_WRITING = ("POST", "PATCH")


class Refused(IntentError):
    """An answer that says no: `status`, and members beside error and hint."""

    def __init__(
        self, status: int, message: str, hint: str = "", **members: Any
    ) -> None:
        super().__init__(message, hint)
        self.status, self.members = status, members


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as a handler sees it."""

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """`value` becomes JSON; or it is JSON already, compressed as well."""

    value: "Mapping[str, Any] | Packed"
    status: int = 200


@dataclass(frozen=True, slots=True)
class Packed:
    """A body worth keeping for the next who asks."""

    plain: bytes
    zipped: bytes

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Packed":
        plain = dumped(value)
        return cls(plain, gzip.compress(plain, 1, mtime=0))


Handler = Callable[[Asked], Answer]


def dumped(value: Mapping[str, Any]) -> bytes:
    """ASCII, so that no name or text can be one that cannot be sent."""
    return json.dumps({"version": 1, **value}, separators=(",", ":")).encode()


def endpoint(
    handlers: Mapping[str, Handler], pool: ThreadPoolExecutor
) -> Callable[[Request], Awaitable[Response]]:
    """One address with a handler for each method."""

    async def respond(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        handler = handlers[method]
        try:
            body = await _body(request) if method in _WRITING else b""
        except Refused as refused:
            return _response(request, *_refused(refused))
        except ClientDisconnect:
            return Response(status_code=400)

        def work() -> tuple[int, Mapping[str, Any] | Packed]:
            return _answered(handler, request, body if method in _WRITING else None)

        loop = asyncio.get_running_loop()
        return _response(request, *await loop.run_in_executor(pool, work))

    return respond


def _answered(
    handler: Handler, request: Request, body: bytes | None
) -> tuple[int, Mapping[str, Any] | Packed]:
    try:
        given = None if body is None else _parsed(body)
        query = dict(request.query_params)
        answer = handler(Asked(request.path_params, query, given))
        value = answer.value
        packed = value if isinstance(value, Packed) else _packed(value)
        return answer.status, packed
    except IntentError as error:
        status, value = _refused(error)
        return status, value


def _packed(value: Mapping[str, Any]) -> Packed:
    plain = dumped(value)
    small = len(plain) < _BIG
    return Packed(plain, b"" if small else gzip.compress(plain, 1, mtime=0))


def _refused(error: IntentError) -> tuple[int, dict[str, Any]]:
    told = {"error": error.message, "hint": error.hint}
    code = getattr(error, "code", "")
    if isinstance(code, str) and code:
        told["code"] = code
    if isinstance(error, Refused):
        return error.status, {**told, **error.members}
    return 422, told


def _response(
    request: Request, status: int, value: Mapping[str, Any] | Packed
) -> Response:
    packed = value if isinstance(value, Packed) else Packed(dumped(value), b"")
    headers = {"vary": "accept-encoding"}
    body = packed.plain
    if packed.zipped and "gzip" in request.headers.get("accept-encoding", ""):
        body = packed.zipped
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, media_type="application/json")


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "the body has to be application/json")
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > LONGEST:
            raise Refused(413, f"the body is longer than {LONGEST} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"the body is no JSON: {error}") from None
