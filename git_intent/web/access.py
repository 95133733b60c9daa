"""Who may talk to the console: every request passes here before anything reads it.

A browser runs pages of strangers, and any of them can send requests to this machine. So
a request needs the token that was printed when the console started, as a cookie or as
`Authorization: Bearer`. Its Host must be an address of the console (a stranger's name
that leads here, DNS rebinding, is none), and what a page of another origin sends is
refused whatever it carries. Paths with `..` never get to a route.

Opening `/?token=…` gives the cookie and leads to `/`, so that the token does not stay
in the address. A ticket does the same once: it is for command lines, which other users
of the machine can read.
"""

import ipaddress
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
#: Cuts the tie to a page that opened this one. The browser starts another process for
#: it, which takes as long as the page; so not where it says that no other page did.
ALONE = {"cross-origin-opener-policy": "same-origin"}
READING = ("GET", "HEAD")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_OURS = ("same-origin", "none")
_OPEN = "open the address that `git intent web` printed"


@dataclass(frozen=True, slots=True)
class Door:
    """The token, and the addresses under which the console answers.

    With `anywhere` it listens on all of them: then any address in numbers is one, which
    no stranger's name can stand for.
    """

    port: int
    names: tuple[str, ...] = LOOPBACK
    anywhere: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    tickets: set[str] = field(default_factory=set)

    @property
    def cookie(self) -> str:
        """Cookies do not tell ports apart, so the name does."""
        return f"git-intent-{self.port}"

    def ticket(self) -> str:
        """A token that opens the page once."""
        made = secrets.token_urlsafe(32)
        self.tickets.add(made)
        return made

    def is_host(self, host: str) -> bool:
        name, colon, port = host.rpartition(":")
        if not colon or port != str(self.port):
            return False
        return name.lower() in self.names or (self.anywhere and _is_address(name))

    def opens(self, given: str) -> bool:
        """Whether it is the token, or a ticket that nobody used yet."""
        if _same(given, self.token):
            return True
        for ticket in tuple(self.tickets):
            if _same(given, ticket):
                self.tickets.discard(ticket)
                return True
        return False


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    error: str
    hint: str = _OPEN


@dataclass(frozen=True, slots=True)
class Seen:
    """What of a request is looked at; header names are in lower case."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]

    def all(self, name: str) -> list[str]:
        return [value for known, value in self.headers if known == name]

    def one(self, name: str) -> str:
        """A header; empty if it is missing. Given twice it is what nobody expects."""
        return ", ".join(self.all(name))


def refusal(door: Door, seen: Seen) -> Refusal | None:
    """Why a request is not let in; None if it is."""
    return _strange(door, seen) or _foreign(seen) or _unknown(door, seen)


def enters(door: Door, seen: Seen) -> bool | None:
    """Whether a request that opens the page has the token; None if it opens nothing."""
    if seen.path != "/" or seen.method not in READING:
        return None
    given = parse_qs(seen.query).get("token")
    return None if given is None else door.opens(given[0])


def _strange(door: Door, seen: Seen) -> Refusal | None:
    hosts = seen.all("host")
    if len(hosts) != 1 or not door.is_host(hosts[0]):
        return Refusal(403, "this console does not answer under that Host")
    parts = seen.path.split("/")
    if {".", ".."} & set(parts) or "\\" in seen.path or "\0" in seen.path:
        return Refusal(400, "no path of this console", "")
    return None


def _foreign(seen: Seen) -> Refusal | None:
    origin, site = seen.all("origin"), seen.one("sec-fetch-site")
    if origin and origin != [f"http://{seen.one('host')}"]:
        return Refusal(403, "a page of another origin sent this", "")
    opens = seen.path == "/" and seen.one("sec-fetch-mode") == "navigate"
    if site and site not in _OURS and not (opens and seen.method in READING):
        return Refusal(403, "a page of another site sent this", "")
    return None


def _unknown(door: Door, seen: Seen) -> Refusal | None:
    scheme, _, bearer = seen.one("authorization").partition(" ")
    if scheme.lower() == "bearer" and _same(bearer.strip(), door.token):
        return None
    if not any(_same(value, door.token) for value in _cookies(door, seen)):
        return Refusal(401, "no access without the token")
    told = seen.all("origin") or seen.one("sec-fetch-site") == "same-origin"
    if seen.method not in READING and not told:
        return Refusal(403, "a write by cookie has to say its Origin", "")
    return None


def _cookies(door: Door, seen: Seen) -> Iterable[str]:
    for part in "; ".join(seen.all("cookie")).split(";"):
        name, _, value = part.strip().partition("=")
        if name == door.cookie:
            yield value


def _same(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class Access:
    """The console behind its door; every answer carries the headers above."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        seen = _seen(scope)
        guarded = _guarded(send, seen)
        refused = _strange(self.door, seen) or _foreign(seen)
        entered = None if refused else enters(self.door, seen)
        if entered:
            await _answer(guarded, 303, b"", self._welcome())
            return
        refused = refused or _unknown(self.door, seen)
        if entered is False:
            refused = Refusal(401, "this is not the token of the console that runs")
        if refused:
            await _refuse(guarded, refused, seen)
            return
        await self.app(scope, receive, guarded)

    def _welcome(self) -> dict[str, str]:
        cookie = f"{self.door.cookie}={self.door.token}"
        return {
            "location": "/",
            "set-cookie": f"{cookie}; HttpOnly; SameSite=Strict; Path=/",
        }


def _seen(scope: Scope) -> Seen:
    headers = tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, value in scope["headers"]
    )
    query = scope.get("query_string", b"").decode("latin-1")
    return Seen(scope["method"], scope["path"], query, headers)


def _guarded(send: Send, seen: Seen) -> Send:
    tied = seen.one("sec-fetch-site") not in _OURS

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            more = {"cache-control": "no-store", **HEADERS, **(ALONE if tied else {})}
            message["headers"] = [
                *message["headers"],
                *(
                    (name.encode(), value.encode())
                    for name, value in more.items()
                    if name.encode() not in given
                ),
            ]
        await send(message)

    return guarded


async def _refuse(send: Send, refused: Refusal, seen: Seen) -> None:
    told = {"version": 1, "error": refused.error, "hint": refused.hint}
    kind, body = "application/json", json.dumps(told).encode()
    if seen.path == "/":
        kind = "text/plain; charset=utf-8"
        body = f"{refused.error}\n{refused.hint}\n".encode()
    await _answer(send, refused.status, body, {"content-type": kind})


async def _answer(
    send: Send, status: int, body: bytes, headers: dict[str, str]
) -> None:
    told = {**headers, "content-length": str(len(body))}
    rows = [(name.encode(), value.encode()) for name, value in told.items()]
    start = {"type": "http.response.start", "status": status, "headers": rows}
    await send(start)
    await send({"type": "http.response.body", "body": body})
