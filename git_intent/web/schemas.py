"""The shapes of the API's JSON, for its OpenAPI description."""

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
ID: Schema = {"type": "string", "pattern": "^req-[0-9a-f]{4}$"}
STATUS: Schema = {"enum": ["active", "disabled", "superseded"]}
CONFIDENCE: Schema = {"enum": ["high", "medium", "low"]}
LEVEL: Schema = {"enum": ["project", "domain"]}
KIND: Schema = {"enum": ["doc", "transcript", "prompt", "commit", "user"]}


def texts(most: int = 1000) -> Schema:
    return {"type": "array", "items": TEXT, "maxItems": most}


def array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def shape(members: dict[str, Schema], *optional: str) -> Schema:
    """An object with these members and no others."""
    return {
        "type": "object",
        "properties": members,
        "required": [name for name in members if name not in optional],
        "additionalProperties": False,
    }


def body(members: dict[str, Schema], *optional: str) -> Schema:
    """A whole answer."""
    return shape({"version": {"const": 1}, **members}, *optional)


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


ISSUE = shape({"path": TEXT, "line": maybe(COUNT), "message": TEXT})
LINK = maybe(
    {
        "oneOf": [
            shape({"kind": {"const": "doc"}, "path": TEXT, "line": maybe(COUNT)}),
            shape({"kind": {"const": "commit"}, "oid": TEXT}),
            shape({"kind": {"const": "run"}, "run": TEXT}),
        ]
    }
)
_ROW = {
    "id": ID,
    "statement": TEXT,
    "status": STATUS,
    "superseded_by": TEXT,
    "confidence": CONFIDENCE,
    "user_edited": FLAG,
    "level": LEVEL,
    "domains": array(TEXT),
    "paths": array(TEXT),
    "languages": array(TEXT),
    "kind": KIND,
    "ref": TEXT,
    "link": ref("Link"),
    "updated": TEXT,
}
_PROVENANCE = shape(
    {
        "kind": KIND,
        "ref": TEXT,
        "extracted_at": TEXT,
        "extracted_by": TEXT,
        "patch_id": TEXT,
    }
)
_REQUIREMENT = {
    **_ROW,
    "why": TEXT,
    "hints": array(TEXT),
    "created": TEXT,
    "provenance": _PROVENANCE,
    "supersedes": array(ID),
}
_ERROR = {
    "type": "object",
    "properties": {
        "version": {"const": 1},
        "error": TEXT,
        "hint": TEXT,
        "code": TEXT,
        "field": TEXT,
    },
    "required": ["version", "error", "hint"],
}

SCHEMAS: dict[str, Schema] = {
    "Error": _ERROR,
    "Issue": ISSUE,
    "Link": LINK,
    "Row": shape(_ROW),
    "Requirement": shape(_REQUIREMENT),
}
