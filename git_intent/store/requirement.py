"""A requirement: one durable statement of what the project has decided.

The types of a requirement file (`docs/formats.md` is normative for its bytes). A
requirement is parsed at the edge into these frozen types; text stays text: stamps are
kept as written and compared as instants by `store.stamps`.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    ACTIVE = "active"
    DISABLED = "disabled"
    SUPERSEDED = "superseded"


class Level(StrEnum):
    PROJECT = "project"
    DOMAIN = "domain"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Kind(StrEnum):
    """Where a statement came from."""

    DOC = "doc"
    TRANSCRIPT = "transcript"
    PROMPT = "prompt"
    COMMIT = "commit"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Scope:
    """Whom a requirement concerns: everybody, or some domains, paths or languages."""

    level: Level = Level.PROJECT
    domains: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who said it where. `patch_id` is ours and only set for commits."""

    kind: Kind
    ref: str = ""
    extracted_at: str = ""
    extracted_by: str = ""
    patch_id: str = ""


@dataclass(frozen=True, slots=True)
class Requirement:
    """The content of one requirement file; unknown keys stay in the file alone."""

    id: str
    statement: str
    rationale: str = ""
    status: Status = Status.ACTIVE
    superseded_by: str = ""
    scope: Scope = field(default_factory=Scope)
    hints: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    user_edited: bool = False
    provenance: Provenance = field(default_factory=lambda: Provenance(Kind.USER))
    created: str = ""
    updated: str = ""
