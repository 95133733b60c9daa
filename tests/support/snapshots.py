"""Stores as values: what a test says about a requirement, the rest is filled in."""

from git_intent.store.intent_dir import DOMAINS, requirement_path
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import render_requirement

T0 = "2026-01-01T00:00:00Z"
T1 = "2026-02-02T00:00:00Z"
T2 = "2026-03-03T00:00:00Z"


def requirement(id: str = "req-0001", **changes) -> Requirement:
    values = {
        "statement": f"Always keep the promise of {id}.",
        "scope": Scope(Level.PROJECT),
        "confidence": Confidence.HIGH,
        "provenance": Provenance(Kind.DOC, "README.md", T0, "intent-scan"),
        "created": T0,
        "updated": T0,
        **changes,
    }
    return Requirement(id=id, **values)


def superseded(id: str, by: str, **changes) -> Requirement:
    return requirement(id, status=Status.SUPERSEDED, superseded_by=by, **changes)


def disabled(id: str, **changes) -> Requirement:
    return requirement(id, status=Status.DISABLED, **changes)


def content(found: Requirement) -> bytes:
    """The file, with the line `user_edited` in any case."""
    data = render_requirement(found)
    if b"\nuser_edited:" in data:
        return data
    return data.replace(b"\nprovenance:", b"\nuser_edited: false\nprovenance:", 1)


def store(*found: Requirement, domains: str = "", **extra: bytes) -> dict[str, bytes]:
    """A snapshot; `domains` is the text below `domains:`."""
    snapshot = {requirement_path(r.id): content(r) for r in found}
    if domains:
        snapshot[DOMAINS] = f"version: 1\ndomains:\n{domains}".encode()
    return snapshot | extra
