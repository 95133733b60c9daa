"""What the scan's steps hand to one another: sources, candidates, decisions.

Each artifact is one JSON file in the run directory (`docs/formats.md` is normative),
so that a project's own workflow can replace any step. Whatever is read here may have
been written by a foreign step: a wrong shape is an `IntentError` that names the JSON
pointer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from git_intent.errors import IntentError
from git_intent.store.requirement import Confidence, Kind, Level, Provenance, Scope

VERSION = 1
E = TypeVar("E", bound=StrEnum)


class Action(StrEnum):
    CREATE = "create"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Source:
    """One piece of material to mine.

    `ref` leads back to it: a path, a commit id, or a run id. `path` is where a document
    lies. `blob` is the git object id of the bytes read, `sha256` the digest of the
    committed bytes (what scan-state keeps).
    """

    kind: Kind
    ref: str
    text: str
    path: str = ""
    blob: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Material that was not read, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the material of a repository listed beside the project's own goes."""

    head: str
    cursor: str
    next_cursor: str
    documents: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything new since the last scan, and where the cursors go if it is used.

    `present_runs` are the runs of which there is material here, read or not. `others`
    holds the repositories of the `[[repositories]]` table by name; their items have
    refs like `repos/NAME@COMMIT` and `repos/NAME/PATH`.
    """

    head: str  # commit id, empty on an unborn branch
    cursor: str  # the commit cursor that was in force, empty for none
    full: bool = False
    next_cursor: str = ""  # the commit cursor once all of this is used
    documents: Mapping[str, str] = field(default_factory=dict)  # path -> sha256, all
    runs: tuple[str, ...] = ()  # ids of runs mined here
    items: tuple[Source, ...] = ()
    skipped: tuple[Notice, ...] = ()
    remarks: tuple[str, ...] = ()  # "cursor lost, fell back to …" and the like
    present_runs: tuple[str, ...] = ()
    others: Mapping[str, Reach] = field(default_factory=dict)

    @property
    def nothing_new(self) -> bool:
        """No material, and no run that is to count as read from now on."""
        return not self.items and not self.runs


@dataclass(frozen=True, slots=True)
class Candidate:
    """A requirement that a source proposes.

    `path`, `line` and `end_line` say where it stands in its source; `headings` is the
    heading path there. `suspect` holds the reason why a person must look first (text
    that addresses the reader as a model, say): such a candidate is written disabled.
    """

    statement: str
    provenance: Provenance
    rationale: str = ""
    scope: Scope = field(default_factory=Scope)
    hints: tuple[str, ...] = ()
    confidence: Confidence = Confidence.MEDIUM
    path: str = ""
    line: int = 0
    end_line: int = 0
    headings: tuple[str, ...] = ()
    suspect: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to happen with one candidate.

    `existing_id` names the requirement that a merge, supersede or drop is about.
    `base` is the sha256 of that file's bytes when the decision was made, empty if there
    is none. `statement` and `rationale` are set when a merge rewords.
    """

    action: Action
    candidate: Candidate
    existing_id: str = ""
    reason: str = ""
    base: str = ""
    statement: str = ""
    rationale: str = ""


def candidate_to_json(c: Candidate) -> dict[str, Any]:
    return {
        "statement": c.statement,
        "rationale": c.rationale,
        "scope": {
            "level": c.scope.level.value,
            "domains": list(c.scope.domains),
            "paths": list(c.scope.paths),
            "languages": list(c.scope.languages),
        },
        "hints": list(c.hints),
        "confidence": c.confidence.value,
        "provenance": {
            "kind": c.provenance.kind.value,
            "ref": c.provenance.ref,
            "extracted_at": c.provenance.extracted_at,
            "extracted_by": c.provenance.extracted_by,
            "patch_id": c.provenance.patch_id,
        },
        "path": c.path,
        "line": c.line,
        "end_line": c.end_line,
        "headings": list(c.headings),
        "suspect": c.suspect,
    }


def candidate_from_json(value: Any, pointer: str = "") -> Candidate:
    at = _Reader(value, pointer)
    scope = at.child("scope")
    provenance = at.child("provenance")
    return Candidate(
        statement=at.text("statement", required=True),
        rationale=at.text("rationale"),
        scope=Scope(
            level=scope.word("level", Level, Level.PROJECT),
            domains=scope.texts("domains"),
            paths=scope.texts("paths"),
            languages=scope.texts("languages"),
        ),
        hints=at.texts("hints"),
        confidence=at.word("confidence", Confidence, Confidence.MEDIUM),
        provenance=Provenance(
            kind=provenance.word("kind", Kind, None),
            ref=provenance.text("ref"),
            extracted_at=provenance.text("extracted_at"),
            extracted_by=provenance.text("extracted_by"),
            patch_id=provenance.text("patch_id"),
        ),
        path=at.text("path"),
        line=at.number("line"),
        end_line=at.number("end_line"),
        headings=at.texts("headings"),
        suspect=at.text("suspect"),
    )


def candidates_to_json(candidates: Iterable[Candidate]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "candidates": [candidate_to_json(c) for c in candidates],
    }


def candidates_from_json(value: Any) -> tuple[Candidate, ...]:
    at = _Reader(value, "")
    return tuple(
        candidate_from_json(item, f"/candidates/{i}")
        for i, item in enumerate(at.items("candidates"))
    )


def decisions_to_json(decisions: Iterable[Decision]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "decisions": [
            {
                "action": d.action.value,
                "candidate": candidate_to_json(d.candidate),
                "existing_id": d.existing_id,
                "reason": d.reason,
                "base": d.base,
                "statement": d.statement,
                "rationale": d.rationale,
            }
            for d in decisions
        ],
    }


def decisions_from_json(value: Any) -> tuple[Decision, ...]:
    found = []
    for i, item in enumerate(_Reader(value, "").items("decisions")):
        pointer = f"/decisions/{i}"
        at = _Reader(item, pointer)
        found.append(
            Decision(
                action=at.word("action", Action, None),
                candidate=candidate_from_json(
                    at.value.get("candidate"), f"{pointer}/candidate"
                ),
                existing_id=at.text("existing_id"),
                reason=at.text("reason"),
                base=at.text("base"),
                statement=at.text("statement"),
                rationale=at.text("rationale"),
            )
        )
    return tuple(found)


def sources_to_json(s: Sources) -> dict[str, Any]:
    return {
        "version": VERSION,
        "head": s.head,
        "cursor": s.cursor,
        "full": s.full,
        "next_cursor": s.next_cursor,
        "documents": dict(sorted(s.documents.items())),
        "runs": list(s.runs),
        "items": [
            {
                "kind": i.kind.value,
                "ref": i.ref,
                "path": i.path,
                "blob": i.blob,
                "sha256": i.sha256,
                "text": i.text,
            }
            for i in s.items
        ],
        "skipped": [{"path": n.path, "reason": n.reason} for n in s.skipped],
        "remarks": list(s.remarks),
        "present_runs": list(s.present_runs),
        "others": {
            name: {
                "head": reach.head,
                "cursor": reach.cursor,
                "next_cursor": reach.next_cursor,
                "documents": dict(sorted(reach.documents.items())),
            }
            for name, reach in sorted(s.others.items())
        },
    }


def sources_from_json(value: Any) -> Sources:
    at = _Reader(value, "")
    items = []
    for i, raw in enumerate(at.items("items")):
        one = _Reader(raw, f"/items/{i}")
        items.append(
            Source(
                kind=one.word("kind", Kind, None),
                ref=one.text("ref"),
                text=one.text("text"),
                path=one.text("path"),
                blob=one.text("blob"),
                sha256=one.text("sha256"),
            )
        )
    skipped = [
        _Reader(raw, f"/skipped/{i}") for i, raw in enumerate(at.items("skipped"))
    ]
    others = at.child("others")
    return Sources(
        head=at.text("head"),
        cursor=at.text("cursor"),
        full=at.value.get("full") is True,
        next_cursor=at.text("next_cursor"),
        documents=_documents(at),
        runs=at.texts("runs"),
        items=tuple(items),
        skipped=tuple(Notice(n.text("path"), n.text("reason")) for n in skipped),
        remarks=at.texts("remarks"),
        present_runs=at.texts("present_runs"),
        others={name: _reach(others.child(name)) for name in others.value},
    )


def _documents(at: "_Reader") -> dict[str, str]:
    documents = at.child("documents")
    return {path: documents.text(path) for path in documents.value}


def _reach(at: "_Reader") -> Reach:
    return Reach(
        at.text("head"), at.text("cursor"), at.text("next_cursor"), _documents(at)
    )


class _Reader:
    """Typed access to one JSON object; every complaint names its pointer."""

    def __init__(self, value: Any, pointer: str) -> None:
        if not isinstance(value, dict):
            raise _wrong(pointer, "an object")
        self.value = value
        self.pointer = pointer

    def child(self, key: str) -> "_Reader":
        return _Reader(self.value.get(key, {}), f"{self.pointer}/{key}")

    def items(self, key: str) -> list[Any]:
        found = self.value.get(key)
        if not isinstance(found, list):
            raise _wrong(f"{self.pointer}/{key}", "a list")
        return found

    def text(self, key: str, *, required: bool = False) -> str:
        found = self.value.get(key, "")
        if not isinstance(found, str) or (required and not found.strip()):
            raise _wrong(f"{self.pointer}/{key}", "a text")
        return found

    def number(self, key: str) -> int:
        found = self.value.get(key, 0)
        if not isinstance(found, int) or isinstance(found, bool):
            raise _wrong(f"{self.pointer}/{key}", "a whole number")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        found = self.value.get(key, [])
        if not isinstance(found, list) or not all(isinstance(x, str) for x in found):
            raise _wrong(f"{self.pointer}/{key}", "a list of texts")
        return tuple(found)

    def word(self, key: str, kind: type[E], default: E | None) -> E:
        found = self.value.get(key, default)
        try:
            return kind(str(found))
        except ValueError:
            allowed = ", ".join(kind)
            raise _wrong(f"{self.pointer}/{key}", f"one of {allowed}") from None


def _wrong(pointer: str, expected: str) -> IntentError:
    return IntentError(
        f"{pointer or '/'}: expected {expected}",
        "the step that wrote this file does not follow docs/formats.md",
    )
