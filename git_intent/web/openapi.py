"""The OpenAPI description of the API, served at /openapi.json.

Written by hand, since the routes are plain functions. A test compares it with the
routes, and another with what they answer.
"""

from typing import Any

from git_intent import __version__
from git_intent.web.openapi_store import DOMAINS, PROJECT, REQUIREMENTS
from git_intent.web.openapi_work import LEDGER, RANKING, RUNS, SCANS, SOURCES
from git_intent.web.schemas import SCHEMAS


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
        "paths": {
            **PROJECT,
            **REQUIREMENTS,
            **DOMAINS,
            **RANKING,
            **SCANS,
            **RUNS,
            **LEDGER,
            **SOURCES,
        },
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "git-intent-PORT"},
            },
        },
    }
