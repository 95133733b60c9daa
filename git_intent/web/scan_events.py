"""What a scan does, told while it happens: server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from git_intent.web.console import Console
from git_intent.web.scans import Scans
from git_intent.web.served import dumped

PATH = "/api/scan/events"
#: Seconds between two looks, and after which a silent stream shows that it lives.
PAUSE, HEARTBEAT = 0.4, 15.0
_TYPE = "text/event-stream"
#: How many pages may listen at once.
MOST = 32


def stream(console: Console, scans: Scans) -> Route:
    """`event: state` with the same JSON as `/api/scan`, on every change."""
    listening = [0]

    async def respond(request: Request) -> Response:
        if listening[0] >= MOST:
            told = {"error": "too many pages listen", "hint": "close some"}
            return Response(dumped(told), 429, media_type="application/json")
        if request.method == "HEAD":
            return Response(media_type=_TYPE)
        return StreamingResponse(_events(console, scans, listening), media_type=_TYPE)

    return Route(PATH, respond, methods=["GET"])


async def _events(
    console: Console, scans: Scans, listening: list[int]
) -> AsyncIterator[str]:
    listening[0] += 1
    last, silent = "", 0.0
    loop = asyncio.get_running_loop()
    try:
        while not console.ending.is_set():
            state = await loop.run_in_executor(console.quick, scans.now)
            told = json.dumps({"version": 1, **state})
            if told != last:
                last, silent = told, 0.0
                yield f"event: state\ndata: {told}\n\n"
            elif silent >= HEARTBEAT:
                silent = 0.0
                yield ": still here\n\n"
            await asyncio.sleep(PAUSE)
            silent += PAUSE
    finally:
        listening[0] -= 1
