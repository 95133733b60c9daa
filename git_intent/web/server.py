"""The console on a socket of this machine, until it is interrupted."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from git_intent.errors import IntentError
from git_intent.web.access import LOOPBACK, Door
from git_intent.web.app import application
from git_intent.web.console import Console

HERE = "127.0.0.1"
#: An address that stands for all of them → where this machine is found then.
_EVERYWHERE = {"0.0.0.0": HERE, "::": "[::1]"}
#: Seconds that open answers get once the console is to end.
_PATIENCE = 2


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises IntentError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, UnicodeError) as error:
        raise IntentError(
            f"{host} port {port}: {error}",
            "take another one with --port; 0 takes a free one",
        ) from error


def door_of(listening: socket.socket, host: str) -> Door:
    port = listening.getsockname()[1]
    names = (
        LOOPBACK
        if host in (HERE, *_EVERYWHERE)
        else (*LOOPBACK, _spelled(host).lower())
    )
    return Door(port, names, anywhere=host in _EVERYWHERE)


def address(door: Door, host: str, token: str) -> str:
    """What to open in a browser."""
    name = _EVERYWHERE.get(host) or _spelled(host)
    return f"http://{name}:{door.port}/?token={token}"


def serve(
    console: Console,
    door: Door,
    listening: socket.socket,
    ready: Callable[[], None],
) -> None:
    """Answer until Ctrl-C or SIGTERM; `ready` is called once requests are answered."""
    server = _Server(_config(console, door), console, ready)
    try:
        asyncio.run(server.serve([listening]))
    except KeyboardInterrupt:  # all is closed by then; it is how one ends this
        pass
    finally:
        listening.close()
        console.close()


def _config(console: Console, door: Door) -> uvicorn.Config:
    return uvicorn.Config(
        application(console, door),
        http="h11",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_PATIENCE,
    )


class _Server(uvicorn.Server):
    """Tells when it is ready, and the console when it is to end."""

    def __init__(
        self, config: uvicorn.Config, console: Console, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._console, self._ready = console, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # The first to ask waits less.
        self._console.quick.submit(self._console.stored.now)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._console.ending.set()
        await super().shutdown(sockets)


def _spelled(host: str) -> str:
    return f"[{host}]" if ":" in host else host
