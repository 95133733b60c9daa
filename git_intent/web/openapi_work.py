"""The other operations, described: ranking, scans, runs, ledgers, sources."""

from git_intent.web.operations import GONE, in_path, in_query, operation
from git_intent.web.schemas import (
    COUNT,
    FLAG,
    TEXT,
    Schema,
    array,
    body,
    maybe,
    ref,
    shape,
    texts,
)

_IDS = array(TEXT)
_NUMBER: Schema = {"type": "number"}
_ANY: Schema = {"type": "object"}
_HIT = shape({"id": TEXT, "score": _NUMBER})
_LINE = shape(
    {
        "id": TEXT,
        "statement": TEXT,
        "score": maybe(_NUMBER),
        "stage": {"enum": ["project", "scope", "semantic", "none"]},
        "included": FLAG,
        "reason": TEXT,
    }
)
RANKING = {
    "/api/search": {
        "get": operation(
            "Requirements by their meaning",
            body({"results": array(_HIT)}),
            in_query("q"),
        )
    },
    "/api/preview": {
        "post": operation(
            "What a prompt for a task would get, and why",
            body(
                {
                    "block": TEXT,
                    "off": TEXT,
                    "ids": _IDS,
                    "budget": COUNT,
                    "cost": COUNT,
                    "notes": array(TEXT),
                    "lines": array(_LINE),
                    "more": COUNT,
                }
            ),
            given=shape(
                {"task": TEXT, "paths": texts(), "workflow": TEXT, "step": TEXT},
                "task",
                "paths",
                "workflow",
                "step",
            ),
        )
    },
}

_STEPS = array({"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2})
_COUNTED = (
    *("created", "superseded", "merged", "dropped", "low", "person"),
    *("deferred", "reported"),
)
_SUMMARY = shape(
    {
        **dict.fromkeys(_COUNTED, COUNT),
        "domains": array(TEXT),
        "remarks": array(TEXT),
    }
)
_SCAN = {
    "run": maybe(TEXT),
    "state": {"enum": ["idle", "running", "done", "failed"]},
    "steps": _STEPS,
    "started_at": maybe(TEXT),
    "commit": TEXT,
    "error": maybe(TEXT),
}
_TOLD = {
    **_SCAN,
    "step": maybe(TEXT),
    "ended_at": maybe(TEXT),
    "hint": TEXT,
    "summary": maybe(_SUMMARY),
}
SCANS = {
    "/api/scan": {
        "get": operation(
            "The scan at work, or how the last one ended",
            body({**_TOLD, "last_scan_at": maybe(TEXT)}),
        ),
        "post": operation(
            "Begin a scan, unless one is at work",
            body({"run": maybe(TEXT), "already": FLAG}),
            given=shape({"full": FLAG}, "full"),
            status="202",
        ),
    },
    "/api/scan/events": {
        "get": operation(
            "The same as events named `state`, on every change",
            TEXT,
            media="text/event-stream",
            more={"429": "too many listen"},
        )
    },
    "/api/scans": {"get": operation("All scans", body({"scans": array(shape(_SCAN))}))},
    "/api/scans/{run}": {
        "get": operation("One scan", body(_TOLD), in_path("run"), more=GONE)
    },
}

_GIVEN = {"workflow": TEXT, "step": TEXT, "ids": _IDS}
_RUN = {
    "run": TEXT,
    "state": TEXT,
    "started_at": TEXT,
    "ended_at": TEXT,
    "opted_out": FLAG,
    "start": TEXT,
    "end": TEXT,
    "steps": array(shape(_GIVEN)),
}
_TIMES = shape(
    {
        "id": TEXT,
        "statement": TEXT,
        "status": {"enum": ["active", "disabled", "superseded", "missing"]},
        "count": COUNT,
        "runs": array(TEXT),
    }
)
RUNS = {
    "/api/runs": {
        "get": operation(
            "Runs with what they were given, and requirements with their runs",
            body(
                {
                    "runs": array(shape(_RUN)),
                    "requirements": array(_TIMES),
                    "issues": array(ref("Issue")),
                }
            ),
        )
    },
    "/api/runs/{run}": {
        "get": operation(
            "One run, with the texts that its steps were given",
            body(
                {
                    **_RUN,
                    "prompt": TEXT,
                    "transcripts": COUNT,
                    "blocks": array(shape({**_GIVEN, "text": TEXT})),
                }
            ),
            in_path("run"),
            more=GONE,
        )
    },
}

_CHAT = in_path("chat")
_CHATS = shape(
    {
        "chat": TEXT,
        "key": TEXT,
        "namespace": TEXT,
        "objective": TEXT,
        "open_outcomes": COUNT,
        "effects": COUNT,
        "gaps": COUNT,
        "updated": TEXT,
        "error": maybe(TEXT),
    }
)
_EVENT = shape(
    {
        "seq": COUNT,
        "type": TEXT,
        "at": TEXT,
        "actor": _ANY,
        "summary": TEXT,
        "details": array(TEXT),
    }
)


def _whole(most: int) -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": most}


LEDGER = {
    "/api/ledger": {"get": operation("All chats", body({"chats": array(_CHATS)}))},
    "/api/ledger/{chat}": {
        "get": operation(
            "The state of one chat",
            body(
                {
                    "chat": TEXT,
                    "key": TEXT,
                    "objective_text": TEXT,
                    "current": _ANY,
                    "inbox": array(_ANY),
                    "unproven": array(_ANY),
                }
            ),
            _CHAT,
            more=GONE,
        )
    },
    "/api/ledger/{chat}/events": {
        "get": operation(
            "A page of its journal, the newest event first",
            body({"events": array(_EVENT), "more": FLAG}),
            _CHAT,
            in_query("before", _whole(2**31)),
            in_query("limit", _whole(500)),
            more=GONE,
        )
    },
}
SOURCES = {
    "/api/doc": {
        "get": operation(
            "A tracked document",
            body({"path": TEXT, "text": TEXT, "line": maybe(COUNT)}),
            in_query("path", required=True),
            in_query("line", _whole(10_000_000)),
            more=GONE,
        )
    },
    "/api/commit/{oid}": {
        "get": operation(
            "A commit",
            body(
                {
                    "oid": TEXT,
                    "author": TEXT,
                    "date": TEXT,
                    "message": TEXT,
                    "paths": array(TEXT),
                    "more": COUNT,
                }
            ),
            in_path("oid"),
            more=GONE,
        )
    },
}
