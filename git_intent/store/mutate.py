"""What the commands and the scan do to one requirement file: bytes in, bytes out.

Nothing here knows who asks; whether it is allowed is decided by `store.rules` on the
result. Only what no one may do is refused: a superseded requirement stays superseded.
A call that changes nothing gives the same bytes and leaves `updated` alone. Each
function says which lines it changes; a key that is missing becomes one new line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from git_intent.errors import IntentError
from git_intent.store.body import tidy
from git_intent.store.field_editor import set_body, set_fields
from git_intent.store.ids import ID
from git_intent.store.requirement import Confidence, Requirement, Scope, Status
from git_intent.store.requirement_file import parse_requirement, render_requirement
from git_intent.store.stamps import distinct, later, stamp
from git_intent.store.wording import normalise

MOST_HINTS = 5
NOTICE = "This requirement was redacted."

Changes = Mapping[str, str | bool | Sequence[str]]


def create(requirement: Requirement, now: datetime) -> bytes:
    """A new file; `created` and `updated` are `now` where they are empty.

    Its stamps get nanoseconds that no other file has (`stamps.distinct`).
    """
    if not requirement.statement.strip():
        raise IntentError("the statement is empty", "say what must hold")
    id, origin = requirement.id, requirement.provenance
    stamped = replace(
        requirement,
        created=distinct(requirement.created or stamp(now), id),
        updated=distinct(requirement.updated or stamp(now), id),
        provenance=replace(origin, extracted_at=distinct(origin.extracted_at, id)),
    )
    return render_requirement(stamped)


def add(requirement: Requirement, now: datetime) -> bytes:
    """As `create`, with the line `user_edited` even where it is false.

    What was added by hand is read by hand: the flag shows who may reword it.
    """
    data = create(requirement, now)
    return set_fields(data, {"user_edited": requirement.user_edited})


def disable(data: bytes, now: datetime, path: str = "") -> bytes:
    """Lines `status`, `updated`."""
    return _status(data, Status.DISABLED, now, path)


def enable(data: bytes, now: datetime, path: str = "") -> bytes:
    """Lines `status`, `updated`. What was redacted says nothing to follow."""
    old = _read(data, path)
    if (old.status, old.statement) == (Status.DISABLED, NOTICE):
        raise IntentError(
            f"{old.id}: was redacted and says nothing to follow",
            "`git intent add` writes a new requirement",
        )
    return _status(data, Status.ACTIVE, now, path)


def supersede(data: bytes, by: str, now: datetime, path: str = "") -> bytes:
    """Lines `status`, `superseded_by`, `updated`."""
    old = _read(data, path)
    if not ID.fullmatch(by) or by == old.id:
        raise IntentError(f"{old.id}: {by!r} cannot be its successor")
    if (old.status, old.superseded_by) == (Status.SUPERSEDED, by):
        return data
    _refuse_superseded(old)
    changes = {"status": Status.SUPERSEDED.value, "superseded_by": by}
    return _set(data, changes, now, path)


def reword(
    data: bytes,
    statement: str,
    rationale: str,
    now: datetime,
    *,
    user_edited: bool | None = None,
    path: str = "",
) -> bytes:
    """The paragraphs whose words change, lines `updated` and, if given, `user_edited`.

    White space alone is no change.
    """
    old = _read(data, path)
    if not tidy(statement):
        raise IntentError(f"{old.id}: the statement is empty", "disable it instead")
    if (tidy(statement), tidy(rationale)) == (old.statement, old.rationale):
        return data
    changed = set_body(data, statement, rationale, path)
    return _set(changed, _flag(user_edited), now, path)


def rescope(
    data: bytes,
    scope: Scope,
    now: datetime,
    *,
    user_edited: bool | None = None,
    path: str = "",
) -> bytes:
    """The lines of the keys of `scope` that differ, `updated`, and `user_edited`."""
    old = _read(data, path).scope
    changes: dict[str, str | bool | Sequence[str]] = {}
    if scope.level is not old.level:
        changes["scope.level"] = scope.level.value
    for key in ("domains", "paths", "languages"):
        if getattr(scope, key) != getattr(old, key):
            changes[f"scope.{key}"] = getattr(scope, key)
    if not changes:
        return data
    return _set(data, {**changes, **_flag(user_edited)}, now, path)


def merge_hints(
    data: bytes, hints: Sequence[str], now: datetime, path: str = ""
) -> bytes:
    """One line for each new hint, up to five hints in all, and `updated`.

    A hint is new if neither the statement nor another hint says the same.
    """
    old = _read(data, path)
    merged = list(old.hints)
    known = {normalise(text) for text in (*merged, old.statement)}
    for hint in hints:
        said = normalise(hint)
        if len(merged) < MOST_HINTS and said and said not in known:
            merged.append(" ".join(hint.split()))
            known.add(said)
    return set_hints(data, merged, now, path)


def set_hints(
    data: bytes, hints: Sequence[str], now: datetime, path: str = ""
) -> bytes:
    """The lines of the hints that differ, and `updated`."""
    if tuple(hints) == _read(data, path).hints:
        return data
    return _set(data, {"hints": list(hints)}, now, path)


def set_confidence(
    data: bytes, confidence: Confidence, now: datetime, path: str = ""
) -> bytes:
    """Lines `confidence`, `updated`."""
    if confidence is _read(data, path).confidence:
        return data
    return _set(data, {"confidence": confidence.value}, now, path)


def mark_edited(data: bytes, now: datetime, path: str = "") -> bytes:
    """Lines `user_edited`, `updated`: a person changed this requirement earlier."""
    if _read(data, path).user_edited:
        return data
    return _set(data, {"user_edited": True}, now, path)


def redact(
    data: bytes,
    now: datetime,
    *,
    hints: bool = True,
    ref: bool = False,
    path: str = "",
) -> bytes:
    """The body becomes a notice; lines `status`, `user_edited`, `updated`.

    With `hints` and `ref` also those fields are emptied; the rules let a ref change
    only where I107 is waived. The id and the file stay. A superseded requirement stays
    superseded.
    """
    old = _read(data, path)
    changes: dict[str, str | bool | Sequence[str]] = {}
    if old.status is Status.ACTIVE:
        changes["status"] = Status.DISABLED.value
    if hints and old.hints:
        changes["hints"] = []
    if ref and old.provenance.ref:
        changes["provenance.ref"] = ""
    if not changes and (old.statement, old.rationale) == (NOTICE, ""):
        return data
    changed = set_body(data, NOTICE, "", path)
    return _set(changed, {**changes, "user_edited": True}, now, path)


def _status(data: bytes, status: Status, now: datetime, path: str) -> bytes:
    old = _read(data, path)
    if old.status is status:
        return data
    _refuse_superseded(old)
    return _set(data, {"status": status.value}, now, path)


def _refuse_superseded(old: Requirement) -> None:
    if old.status is Status.SUPERSEDED:
        raise IntentError(
            f"{old.id}: is superseded by {old.superseded_by}, which is final",
            f"change {old.superseded_by}, or add the statement again",
        )


def _read(data: bytes, path: str) -> Requirement:
    return parse_requirement(data, path or "requirement")


def _flag(user_edited: bool | None) -> Changes:
    return {} if user_edited is None else {"user_edited": user_edited}


def _set(data: bytes, changes: Changes, now: datetime, path: str) -> bytes:
    moment = later(_read(data, path).updated, now)
    return set_fields(data, {**changes, "updated": stamp(moment)}, path)
