"""The table of requirements: what is told of each, and where it leads to."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

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


@dataclass(slots=True)
class Rows:
    """Makes the rows, and keeps them for as long as nothing changes."""

    console: Console
    documents: Documents = field(init=False)
    _kept: tuple[object, Packed] | None = None

    def __post_init__(self) -> None:
        self.documents = Documents(self.console.root)

    def table(self, asked: Asked) -> Answer:
        held = self.console.stored.now()
        requirements = held.store.requirements.values()
        runs = self.runs(requirements)
        paths = (document(r) for r in requirements if r.provenance.kind is Kind.DOC)
        made_of = (runs, self.documents.stamps(paths))
        kept = self._kept
        if kept is None or kept[0] != (id(held), made_of):
            rows = [
                self.row(r, runs) for _, r in sorted(held.store.requirements.items())
            ]
            packed = Packed.of({"requirements": rows, "issues": issues(held)})
            kept = self._kept = (id(held), made_of), packed
        return Answer(kept[1])

    def runs(self, requirements: Collection[Requirement]) -> frozenset[str]:
        """The runs on record, if any of these requirements may come from one."""
        if any(r.provenance.kind in _RUNS for r in requirements):
            return frozenset(run_refs(self.console.repo))
        return frozenset()

    def row(self, r: Requirement, runs: Collection[str]) -> dict[str, Any]:
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
            "link": self._link(r, runs),
            "updated": r.updated,
        }

    def _link(self, r: Requirement, runs: Collection[str]) -> Mapping[str, Any] | None:
        """Where it was said, if that can be shown."""
        source = r.provenance
        if source.kind is Kind.COMMIT and _OID.fullmatch(source.ref):
            return {"kind": "commit", "oid": source.ref}
        if source.kind in _RUNS and source.ref in runs:
            return {"kind": "run", "run": source.ref}
        if source.kind is Kind.DOC and self.documents.has(document(r)):
            path = document(r)
            return {"kind": "doc", "path": path, "line": self.documents.line(path, r)}
        return None


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
    message = f"{found.code} {found.message}"
    return {"path": found.path, "line": found.line, "message": message}
