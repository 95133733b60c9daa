"""The OpenAPI description of the API, served at /openapi.json.

Written by hand, since the routes are plain functions. A test compares it with the
routes, and another with what they answer.
"""

from typing import Any

from git_intent import __version__
from git_intent.web.schemas import (
    COUNT,
    FLAG,
    SCHEMAS,
    TEXT,
    Schema,
    array,
    body,
    maybe,
    ref,
    shape,
)

#: What any request may be answered, and that is not its own.
_ALWAYS = {
    "400": "the request cannot be read",
    "401": "the token is missing",
    "403": "not allowed: a foreign origin, or a console that is read-only",
    "422": "refused, or not possible here",
}
_WITH_BODY = {"413": "the body is too long", "415": "the body is not JSON"}
_GONE = {"404": "there is no such thing"}


def description() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "git intent web",
            "version": __version__,
            "description": "The API of the console; bodies are of version 1.",
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}, {"cookie": []}],
        "paths": {**_PROJECT, **_REQUIREMENTS},
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "git-intent-PORT",
                },
            },
        },
    }


def operation(
    summary: str,
    answer: Schema,
    *parameters: Schema,
    given: Schema | None = None,
    status: str = "200",
    more: dict[str, str] | None = None,
) -> dict[str, Any]:
    """One operation: what it answers, what it takes, how else it may end."""
    errors = {**_ALWAYS, **(_WITH_BODY if given else {}), **(more or {})}
    responses: dict[str, Any] = {status: _json("done", answer)}
    for code, words in sorted(errors.items()):
        responses[code] = _json(words, ref("Error"))
    found: dict[str, Any] = {"summary": summary, "responses": responses}
    if parameters:
        found["parameters"] = list(parameters)
    if given:
        content = {"application/json": {"schema": given}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def in_path(name: str, schema: Schema = TEXT) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def in_query(name: str, schema: Schema = TEXT, *, required: bool = False) -> Schema:
    return {"name": name, "in": "query", "required": required, "schema": schema}


def _json(words: str, schema: Schema) -> dict[str, Any]:
    return {
        "description": words,
        "content": {"application/json": {"schema": schema}},
    }


_ID = in_path("id")
_ISSUES = array(ref("Issue"))
_PROJECT = {
    "/api/project": {
        "get": operation(
            "The project that is shown",
            body(
                {
                    "name": TEXT,
                    "root": TEXT,
                    "branch": maybe(TEXT),
                    "head": maybe(TEXT),
                    "read_only": FLAG,
                    "actor": {"enum": ["person", "agent"]},
                    "counts": shape(
                        {"active": COUNT, "disabled": COUNT, "superseded": COUNT}
                    ),
                    "domains": array(TEXT),
                    "issues": _ISSUES,
                }
            ),
        )
    }
}
DETAIL = body({"requirement": ref("Requirement"), "etag": TEXT, "path": TEXT})
_COMMIT = shape(
    {
        "oid": TEXT,
        "date": TEXT,
        "author": TEXT,
        "subject": TEXT,
        "changes": array(TEXT),
    }
)
_REQUIREMENTS = {
    "/api/requirements": {
        "get": operation(
            "All requirements, as rows of a table",
            body({"requirements": array(ref("Row")), "issues": _ISSUES}),
        )
    },
    "/api/requirements/{id}": {
        "get": operation("One requirement", DETAIL, _ID, more=_GONE)
    },
    "/api/requirements/{id}/history": {
        "get": operation(
            "What each commit did to it",
            body({"commits": array(_COMMIT), "note": maybe(TEXT)}),
            _ID,
            more=_GONE,
        )
    },
}
