"""The routes of the console, each under the door of `web.access`."""

import json
from collections import defaultdict
from collections.abc import Callable
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
from git_intent.web.openapi import description
from git_intent.web.page import Asset, assets, edition, page
from git_intent.web.scan_events import stream
from git_intent.web.scans import Scans
from git_intent.web.served import Answer, Asked, Handler, dumped, endpoint

_KEEP = "private, max-age=31536000, immutable"


def application(console: Console, door: Door) -> ASGIApp:
    """The whole console, as an ASGI application."""
    scans = Scans(console)
    routes = [*_api(console, scans), stream(console, scans), *_pages(console)]
    told: Any = {HTTPException: _wrong_address}
    return Access(Starlette(routes=routes, exception_handlers=told), door)


def _api(console: Console, scans: Scans) -> list[Route]:
    by_path: dict[str, list[Served]] = defaultdict(list)
    for one in api(console, scans):
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


def _pages(console: Console) -> list[Route]:
    known = assets()
    folder = edition(known)
    index = page(name=console.root.name, static=f"/static/{folder}")
    html = Asset(index, "text/html; charset=utf-8", "")
    openapi = Asset(json.dumps(description()).encode(), "application/json", "")

    async def asset(request: Request) -> Response:
        found = known.get(request.path_params["name"])
        if found is None or request.path_params["folder"] != folder:
            raise HTTPException(404)
        return _sent(request, found)

    def fixed(found: Asset) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            return _sent(request, found)

        return respond

    return [
        Route("/", fixed(html), methods=["GET"]),
        Route("/openapi.json", fixed(openapi), methods=["GET"]),
        Route("/static/{folder}/{name}", asset, methods=["GET"]),
    ]


def _sent(request: Request, found: Asset) -> Response:
    headers = {"etag": found.etag, "cache-control": _KEEP} if found.etag else {}
    if found.etag and request.headers.get("if-none-match") == found.etag:
        return Response(status_code=304, headers=headers)
    # said here, as Starlette would add another charset
    return Response(found.data, headers={**headers, "content-type": found.type})


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
