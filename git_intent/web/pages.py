"""What a browser opens: the page, its files, the description of the API."""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from git_intent.errors import IntentError
from git_intent.web.console import Console
from git_intent.web.first import First
from git_intent.web.openapi import description
from git_intent.web.page import SHEET, Asset, Page, assets, edition, sheet
from git_intent.web.rows import Rows

_HTML = "text/html; charset=utf-8"
_KEEP = "private, max-age=31536000, immutable"
#: Seconds that the page waits for its first rows; a store that is read for the first
#: time can take longer, and then the page comes without.
_PATIENCE = 0.25


def pages(console: Console, rows: Rows) -> list[Route]:
    """The routes that are not of the API."""
    files = assets()
    folder = edition(files)
    known = {**files, SHEET: sheet(files)}
    frame = Page(
        static=f"/static/{folder}",
        name=console.root.name,
        root=str(console.root),
        read_only=console.read_only or console.repo.bare,
    )
    first = First(rows, frame)
    openapi = Asset(json.dumps(description()).encode(), "application/json", "")

    async def index(request: Request) -> Response:
        work = asyncio.get_running_loop().run_in_executor(console.quick, _look, first)
        # A browser has the files while the rows are looked up.
        parts = _parts(frame, work)
        return StreamingResponse(parts, headers={"content-type": _HTML})

    async def asset(request: Request) -> Response:
        found = known.get(request.path_params["name"])
        if found is None or request.path_params["folder"] != folder:
            raise HTTPException(404)
        return _sent(request, found)

    async def described(request: Request) -> Response:
        return _sent(request, openapi)

    return [
        Route("/", index, methods=["GET"]),
        Route("/openapi.json", described, methods=["GET"]),
        Route("/static/{folder}/{name}", asset, methods=["GET"]),
    ]


def _look(first: First) -> bytes | None:
    try:
        return first.now()
    except IntentError:  # the page asks the API, and shows what is wrong
        return None


async def _parts(
    frame: Page, work: "asyncio.Future[bytes | None]"
) -> AsyncIterator[bytes]:
    yield frame.before
    done, _ = await asyncio.wait({work}, timeout=_PATIENCE)
    yield (work.result() if done else None) or frame.main(None)
    yield frame.after


def _sent(request: Request, found: Asset) -> Response:
    headers = {"etag": found.etag, "cache-control": _KEEP} if found.etag else {}
    if found.etag and request.headers.get("if-none-match") == found.etag:
        return Response(status_code=304, headers=headers)
    # said here, as Starlette would add another charset
    return Response(found.data, headers={**headers, "content-type": found.type})
