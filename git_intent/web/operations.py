"""How an operation of the API is described: its answer, what it takes, other ends."""

from typing import Any

from git_intent.web.schemas import TEXT, Schema, ref

#: What any request may be answered, and that is not its own.
_ALWAYS = {
    "400": "the request cannot be read",
    "401": "the token is missing",
    "403": "not allowed: a foreign origin, or a console that is read-only",
    "422": "refused, or not possible here",
}
_WITH_BODY = {"413": "the body is too long", "415": "the body is not JSON"}
GONE = {"404": "there is no such thing"}
STALE = {"409": "the file has changed since; both versions are told"}


def operation(
    summary: str,
    answer: Schema,
    *parameters: Schema,
    given: Schema | None = None,
    status: str = "200",
    more: dict[str, str] | None = None,
    media: str = "application/json",
) -> dict[str, Any]:
    """One operation: what it answers, what it takes, how else it may end."""
    errors = {**_ALWAYS, **(_WITH_BODY if given else {}), **(more or {})}
    responses: dict[str, Any] = {status: _answer("done", answer, media)}
    for code, words in sorted(errors.items()):
        responses[code] = _answer(words, ref("Error"))
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


def _answer(
    words: str, schema: Schema, media: str = "application/json"
) -> dict[str, Any]:
    return {"description": words, "content": {media: {"schema": schema}}}
