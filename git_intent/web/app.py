"""The routes of the console, each under the door of `web.access`."""

from collections import defaultdict
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from git_intent.web.access import Access, Door
from git_intent.web.api import Served, api
from git_intent.web.console import Console
from git_intent.web.pages import pages
from git_intent.web.rows import Rows
from git_intent.web.scan_events import stream
from git_intent.web.scans import Scans
from git_intent.web.served import Answer, Asked, Handler, dumped, endpoint


def application(console: Console, door: Door) -> ASGIApp:
    """The whole console, as an ASGI application."""
    scans, rows = Scans(console), Rows(console)
    routes = [
        *_api(console, scans, rows),
        stream(console, scans),
        *pages(console, rows),
    ]
    told: Any = {HTTPException: _wrong_address}
    return Access(Starlette(routes=routes, exception_handlers=told), door)


def _api(console: Console, scans: Scans, rows: Rows) -> list[Route]:
    by_path: dict[str, list[Served]] = defaultdict(list)
    for one in api(console, scans, rows):
        by_path[one.path].append(one)
    routes = []
    for path, those in by_path.items():
        handlers = {one.method: _allowed(console, one) for one in those}
        pool = console.slow if any(one.slow for one in those) else console.quick
        respond = endpoint(handlers, pool)
        routes.append(Route(path, respond, methods=list(handlers)))
    return routes


def _allowed(console: Console, one: Served) -> Handler:
    if not one.writes:
        return one.handler

    def handler(asked: Asked) -> Answer:
        console.may_write()
        with console.writing:
            return one.handler(asked)

    return handler


async def _wrong_address(request: Request, error: HTTPException) -> Response:
    words = {
        404: "there is no such address here",
        405: f"{request.method} is not answered here",
    }
    told = {"error": words.get(error.status_code, error.detail), "hint": ""}
    return Response(
        dumped(told),
        error.status_code,
        dict(error.headers or {}),
        media_type="application/json",
    )
