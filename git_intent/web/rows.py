"""The table of requirements: what is told of each, and where it leads to."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from git_intent.scan.origin import Said
from git_intent.store.issue import Issue
from git_intent.store.requirement import Kind, Requirement
from git_intent.web.console import Console
from git_intent.web.documents import Documents
from git_intent.web.served import Answer, Asked, Packed
from git_intent.web.stored import Held
from git_intent.workflow.runs import run_refs

_OID = re.compile(r"[0-9a-f]{7,64}")
_LONGEST = 1000
_RUNS = (Kind.TRANSCRIPT, Kind.PROMPT)


@dataclass(frozen=True, slots=True)
class Places:
    """What requirements may be linked to: documents that are there, runs on record."""

    documents: Mapping[str, Said]
    runs: frozenset[str]

    def link(self, r: Requirement) -> Mapping[str, Any] | None:
        """Where it was said, if that can be shown."""
        source = r.provenance
        if source.kind is Kind.COMMIT and _OID.fullmatch(source.ref):
            return {"kind": "commit", "oid": source.ref}
        if source.kind in _RUNS and source.ref in self.runs:
            return {"kind": "run", "run": source.ref}
        if source.kind is Kind.DOC:
            said = self.documents.get(document(r))
            if said is not None:
                line = said.line(r) or None
                return {"kind": "doc", "path": document(r), "line": line}
        return None


@dataclass(frozen=True, slots=True)
class Table:
    """All rows by id at one state of the store, and the answer that holds them."""

    held: Held
    places: Places
    rows: Mapping[str, dict[str, Any]]
    packed: Packed


@dataclass(slots=True)
class Rows:
    """Makes the rows, and keeps them for as long as nothing changes. Threads share it:
    the rows are kept in one step, and making them twice does no harm."""

    console: Console
    documents: Documents = field(init=False)
    _kept: Table | None = None

    def __post_init__(self) -> None:
        self.documents = Documents(self.console.root)

    def table(self, asked: Asked) -> Answer:
        return Answer(self.now().packed)

    def now(self) -> Table:
        """The same object for as long as nothing changes."""
        held = self.console.stored.now()
        places = self.places(held.store.requirements.values())
        kept = self._kept
        if kept is None or kept.held is not held or kept.places != places:
            rows = self._rows(held, places)
            told = {"requirements": list(rows.values()), "issues": issues(held)}
            kept = self._kept = Table(held, places, rows, Packed.of(told))
        return kept

    def _rows(self, held: Held, places: Places) -> Mapping[str, dict[str, Any]]:
        """The rows by id, made again only for what changed."""
        kept = self._kept
        before = kept.held.store.requirements if kept and kept.places == places else {}
        rows = {}
        for id, r in sorted(held.store.requirements.items()):
            known = kept is not None and before.get(id) is r
            rows[id] = kept.rows[id] if kept and known else row(r, places)
        return rows

    def places(self, requirements: Collection[Requirement]) -> Places:
        """What these requirements can be linked to."""
        kinds = {r.provenance.kind for r in requirements}
        runs = run_refs(self.console.repo) if kinds & set(_RUNS) else ()
        paths = {document(r) for r in requirements if r.provenance.kind is Kind.DOC}
        return Places(self.documents.now(paths), frozenset(runs))


def row(r: Requirement, places: Places) -> dict[str, Any]:
    return {
        "id": r.id,
        "statement": one_line(r.statement),
        "status": r.status.value,
        "superseded_by": r.superseded_by,
        "confidence": r.confidence.value,
        "user_edited": r.user_edited,
        "level": r.scope.level.value,
        "domains": list(r.scope.domains),
        "paths": list(r.scope.paths),
        "languages": list(r.scope.languages),
        "kind": r.provenance.kind.value,
        "ref": r.provenance.ref,
        "link": places.link(r),
        "updated": r.updated,
    }


def document(r: Requirement) -> str:
    """The path of the document that a requirement is from."""
    return r.provenance.ref.partition("#")[0]


def one_line(statement: str) -> str:
    """The first paragraph, for a table."""
    text = " ".join(statement[: 2 * _LONGEST].partition("\n\n")[0].split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def issues(held: Held) -> list[dict[str, Any]]:
    return [issue(found) for found in held.issues]


def issue(found: Issue) -> dict[str, Any]:
    message = f"{found.code} {found.message}".strip()
    return {"path": found.path, "line": found.line, "message": message}
