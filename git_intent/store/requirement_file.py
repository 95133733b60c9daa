"""One requirement as a file: YAML frontmatter, then a Markdown body.

`examine` collects everything that is wrong with a file; `parse_requirement` raises the
first error. A file needs `id` and `status`; what else is missing has a default, and a
warning where a reader would miss it. The writer leaves empty optional keys out: files
of one sentence would otherwise be so alike that `git log --follow` walks from one into
another.
"""

from dataclasses import asdict, dataclass

from git_intent.files import canonical_json, sha256
from git_intent.store.body import cut, join
from git_intent.store.fields import Fields, shown
from git_intent.store.frontmatter import Frontmatter, parse
from git_intent.store.ids import ID
from git_intent.store.issue import Issue, Severity
from git_intent.store.malformed import Code, MalformedFile
from git_intent.store.quoting import double, flow, plain_stamp, quote
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.strict_yaml import encode
from git_intent.store.wording import normalise as normalise

#: The keys in the order in which they are written, by the mapping that holds them.
KEYS: dict[tuple[str, ...], tuple[str, ...]] = {
    (): (
        "id",
        "status",
        "superseded_by",
        "scope",
        "hints",
        "confidence",
        "user_edited",
        "provenance",
        "created",
        "updated",
    ),
    ("scope",): ("level", "domains", "paths", "languages"),
    ("provenance",): ("kind", "ref", "patch_id", "extracted_at", "extracted_by"),
}


@dataclass(frozen=True, slots=True)
class Examined:
    """`requirement` is None if any of `issues` is an error."""

    requirement: Requirement | None
    issues: tuple[Issue, ...]
    document: Frontmatter | None


def parse_requirement(data: bytes, path: str) -> Requirement:
    """Raises MalformedFile for the first error."""
    found = examine(data, path)
    if found.requirement is None:
        errors = (i for i in found.issues if i.severity is Severity.ERROR)
        raise MalformedFile.of(next(errors))
    return found.requirement


def examine(data: bytes, path: str) -> Examined:
    """Everything that can be said about one file, in the order of its lines."""
    try:
        document = parse(data, path)
    except MalformedFile as error:
        return Examined(None, (error.issue(),), None)
    fields = Fields(document.document)
    requirement = _read(fields, document)
    issues = tuple(sorted(fields.issues))
    broken = any(issue.severity is Severity.ERROR for issue in issues)
    return Examined(None if broken else requirement, issues, document)


def render_requirement(r: Requirement) -> bytes:
    """A new file; optional keys that are empty are left out."""
    lines = ["---", f"id: {quote(r.id)}", f"status: {r.status}"]
    if r.superseded_by:
        lines.append(f"superseded_by: {quote(r.superseded_by)}")
    lines += ["scope:", f"  level: {r.scope.level}"]
    for name in ("domains", "paths", "languages"):
        values: tuple[str, ...] = getattr(r.scope, name)
        if values:
            lines.append(f"  {name}: {flow(values, always=name == 'paths')}")
    if r.hints:
        lines += ["hints:", *(f"  - {double(hint)}" for hint in r.hints)]
    lines.append(f"confidence: {r.confidence}")
    if r.user_edited:
        lines.append("user_edited: true")
    lines += _provenance(r.provenance)
    for name in ("created", "updated"):
        if getattr(r, name):
            lines.append(f"{name}: {plain_stamp(getattr(r, name))}")
    text = "\n".join([*lines, "---", "", join(r.statement, r.rationale)])
    return encode(text)


def content_hash(r: Requirement) -> str:
    """The sha256 of what a file says, however it is spelled."""
    return sha256(canonical_json(asdict(r)))


def _provenance(p: Provenance) -> list[str]:
    lines = ["provenance:", f"  kind: {p.kind}"]
    if p.ref:
        lines.append(f"  ref: {double(p.ref)}")
    if p.patch_id:
        lines.append(f"  patch_id: {quote(p.patch_id)}")
    if p.extracted_at:
        lines.append(f"  extracted_at: {plain_stamp(p.extracted_at)}")
    if p.extracted_by:
        lines.append(f"  extracted_by: {quote(p.extracted_by)}")
    return lines


def _read(fields: Fields, document: Frontmatter) -> Requirement:
    statement, rationale = cut(document.body)
    if not statement:
        fields.add(
            (document.body_line, 1), Code.EMPTY_STATEMENT, "the statement is empty"
        )
    return Requirement(
        id=_id(fields),
        statement=statement,
        rationale=rationale,
        status=fields.word(("status",), Status, Status.ACTIVE, missing=Severity.ERROR),
        superseded_by=_successor(fields),
        scope=_scope(fields),
        hints=fields.texts(("hints",)),
        confidence=fields.word(
            ("confidence",), Confidence, Confidence.HIGH, missing=Severity.WARNING
        ),
        user_edited=fields.flag(("user_edited",)),
        provenance=_origin(fields),
        created=fields.stamp(("created",), missing=Severity.WARNING),
        updated=fields.stamp(("updated",), missing=Severity.WARNING),
    )


def _id(fields: Fields) -> str:
    found = fields.text(("id",), missing=Severity.ERROR)
    if found and not ID.fullmatch(found):
        message = f"{shown(found)} is no id: req- and four of 0-9 a-f are wanted"
        fields.wrong(("id",), message, Code.NAME)
    return found


def _successor(fields: Fields) -> str:
    found = fields.text(("superseded_by",))
    if found and not ID.fullmatch(found):
        fields.wrong(("superseded_by",), f"superseded_by: {shown(found)} is no id")
    return found


def _scope(fields: Fields) -> Scope:
    if not fields.mapping(("scope",), missing=Severity.WARNING):
        return Scope()
    domains = fields.texts(("scope", "domains"))
    default = Level.DOMAIN if domains else Level.PROJECT
    return Scope(
        level=fields.word(("scope", "level"), Level, default, Severity.WARNING),
        domains=domains,
        paths=fields.texts(("scope", "paths")),
        languages=fields.texts(("scope", "languages")),
    )


def _origin(fields: Fields) -> Provenance:
    if not fields.mapping(("provenance",), missing=Severity.WARNING):
        return Provenance(Kind.USER)
    at = "provenance"
    return Provenance(
        kind=fields.word((at, "kind"), Kind, Kind.USER, missing=Severity.WARNING),
        ref=fields.text((at, "ref")),
        extracted_at=fields.stamp((at, "extracted_at")),
        extracted_by=fields.text((at, "extracted_by")),
        patch_id=fields.text((at, "patch_id")),
    )
