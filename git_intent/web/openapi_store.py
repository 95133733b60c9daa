"""The operations on the store, described: project, requirements, domains."""

from git_intent.web.operations import GONE, STALE, in_path, in_query, operation
from git_intent.web.schemas import (
    CONFIDENCE,
    COUNT,
    FLAG,
    LEVEL,
    STATUS,
    TEXT,
    array,
    body,
    maybe,
    ref,
    shape,
    texts,
)

_ID = in_path("id")
_ISSUES = array(ref("Issue"))
_COUNTS = shape({"active": COUNT, "disabled": COUNT, "superseded": COUNT})
_DETAIL = body({"requirement": ref("Requirement"), "etag": TEXT, "path": TEXT})
_COMMIT = shape(
    {
        "oid": TEXT,
        "date": TEXT,
        "author": TEXT,
        "subject": TEXT,
        "changes": array(TEXT),
    }
)
_SCOPE = shape(
    {"level": LEVEL, "domains": texts(), "paths": texts(), "languages": texts()},
    "level",
    "domains",
    "paths",
    "languages",
)
_CHANGES = shape(
    {
        "statement": TEXT,
        "why": TEXT,
        "scope": _SCOPE,
        "hints": texts(),
        "status": STATUS,
        "confidence": CONFIDENCE,
    },
    "statement",
    "why",
    "scope",
    "hints",
    "status",
    "confidence",
)
_CHANGE = shape({"etag": TEXT, "changes": _CHANGES})
_PREVIEW = body(
    {
        "allowed": FLAG,
        "diff": TEXT,
        "violations": array(shape({"code": TEXT, "message": TEXT, "hint": TEXT})),
        "warnings": array(shape({"code": TEXT, "message": TEXT})),
    }
)
_DOMAIN = shape(
    {
        "name": TEXT,
        "description": TEXT,
        "paths": array(shape({"glob": TEXT, "files": COUNT})),
        "user_edited": FLAG,
        "requirements": COUNT,
    }
)
_MAP = body({"domains": array(_DOMAIN), "etag": TEXT})
_NEW = shape({"statement": TEXT, "why": TEXT, "scope": _SCOPE}, "why")

PROJECT = {
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
                    "counts": _COUNTS,
                    "domains": array(TEXT),
                    "issues": _ISSUES,
                }
            ),
        )
    }
}
REQUIREMENTS = {
    "/api/requirements": {
        "get": operation(
            "All requirements, as rows of a table",
            body({"requirements": array(ref("Row")), "issues": _ISSUES}),
        ),
        "post": operation("Write a requirement", _DETAIL, given=_NEW, status="201"),
    },
    "/api/requirements/{id}": {
        "get": operation("One requirement", _DETAIL, _ID, more=GONE),
        "patch": operation(
            "Change a requirement", _DETAIL, _ID, given=_CHANGE, more=GONE | STALE
        ),
    },
    "/api/requirements/{id}/preview": {
        "post": operation(
            "What a change would come to",
            _PREVIEW,
            _ID,
            given=_CHANGE,
            more=GONE | STALE,
        )
    },
    "/api/requirements/{id}/history": {
        "get": operation(
            "What each commit did to it",
            body({"commits": array(_COMMIT), "note": maybe(TEXT)}),
            _ID,
            more=GONE,
        )
    },
}
DOMAINS = {
    "/api/domains": {
        "get": operation("The map of domains", _MAP),
        "post": operation(
            "Add a domain",
            _MAP,
            given=shape(
                {"etag": TEXT, "name": TEXT, "description": TEXT, "paths": texts()},
                "description",
                "paths",
            ),
            more=STALE,
        ),
    },
    "/api/domains/{name}": {
        "patch": operation(
            "Change a domain",
            _MAP,
            in_path("name"),
            given=shape(
                {"etag": TEXT, "description": TEXT, "paths": texts()},
                "description",
                "paths",
            ),
            more=GONE | STALE,
        )
    },
    "/api/globs": {
        "get": operation(
            "How many tracked files a glob matches",
            body({"glob": TEXT, "files": COUNT, "error": TEXT}, "error"),
            in_query("glob"),
        )
    },
}
