"""Changes of one requirement: what they would do to its file, and doing it.

The same minimal writers as the commands use: every byte that a change is not about
stays. A change is made on the version that its author saw; if the file is another one
by now, it is refused, and both versions are told. Nothing is staged or committed.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.store import mutate
from git_intent.store.codes import CODES
from git_intent.store.domains import NAME
from git_intent.store.field_editor import set_fields
from git_intent.store.intent_dir import (
    DOMAINS,
    read_file,
    requirement_path,
    write_changes,
)
from git_intent.store.issue import Issue
from git_intent.store.requirement import (
    Confidence,
    Level,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules import Actor
from git_intent.store.stamps import later, stamp
from git_intent.store.step import StepRefused, objections, remarks
from git_intent.store.wording import normalise
from git_intent.web import requirements
from git_intent.web.console import Wording
from git_intent.web.given import Given, invalid
from git_intent.web.rows import Rows
from git_intent.web.served import Answer, Asked, Refused
from git_intent.web.stored import Held
from git_intent.web.unified import unified

_CHANGES = ("statement", "why", "scope", "hints", "status", "confidence")
_SCOPE = ("level", "domains", "paths", "languages")
#: A superseded one is superseded by another; that takes more than a word.
_STATUSES = (Status.ACTIVE.value, Status.DISABLED.value, Status.SUPERSEDED.value)
_KEPT = 256


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to change; None leaves a field as it is."""

    statement: str | None = None
    why: str | None = None
    scope: Scope | None = None
    hints: tuple[str, ...] | None = None
    status: Status | None = None
    confidence: Confidence | None = None


@dataclass(slots=True)
class Edits:
    """The versions that were shown are kept a while, for who changed an old one."""

    rows: Rows
    _shown: OrderedDict[str, bytes] = field(default_factory=OrderedDict)

    def detail(self, asked: Asked) -> Answer:
        """One requirement, to be looked at or changed."""
        held = self.rows.console.stored.now()
        found = requirements.find(held, asked.path["id"])
        return Answer(self._told(held, found))

    def preview(self, asked: Asked) -> Answer:
        """What a change would come to. Writes nothing."""
        held, old, etag, changes = self._asked(asked)
        path, data = held.store.paths[old.id], held.store.bytes[old.id]
        self._fresh(path, data, etag, changes)
        try:
            new = self._changed(data, path, changes)
            refused = [_told(i) for i in self._objections(held, path, new)]
        except IntentError as error:
            new = data
            refused = [{"code": "", "message": error.message, "hint": error.hint}]
        warned = self._warnings(held, old.id, new) if not refused else []
        diff = unified(data, new, path)
        return Answer(
            {
                "allowed": not refused,
                "diff": diff,
                "violations": refused,
                "warnings": warned,
            }
        )

    def save(self, asked: Asked) -> Answer:
        """Make a change, if it is allowed and made on the file as it is."""
        console = self.rows.console
        held, old, etag, changes = self._asked(asked)
        path = held.store.paths[old.id]
        data = read_file(console.root, path)
        if data is None:
            raise Refused(404, f"{path}: is no longer there")
        self._fresh(path, data, etag, changes)
        new = self._changed(data, path, changes)
        if issues := self._objections(held, path, new, data):
            raise StepRefused(issues, _hint(issues[0]))
        write_changes(console.root, {path: new})
        return self.detail(Asked({"id": old.id}))

    def add(self, asked: Asked) -> Answer:
        """Write a new requirement, as `git intent add` does."""
        given = Given(asked.body, ("statement", "why", "scope"))
        scope = _scope(given.inner("scope", _SCOPE), Scope())
        statement = given.text("statement")
        if not statement.strip():
            raise invalid("statement", "is empty", "say what must hold")
        new = Wording(statement, given.text("why", ""), scope)
        console = self.rows.console
        id = console.services.add(console.stored.now().store, new)
        return Answer(self.detail(Asked({"id": id})).value, 201)

    def _asked(self, asked: Asked) -> tuple[Held, Requirement, str, Changes]:
        given = Given(asked.body, ("etag", "changes"))
        etag = given.text("etag")
        held = self.rows.console.stored.now()
        old = requirements.find(held, asked.path["id"])
        return held, old, etag, _changes(given.inner("changes", _CHANGES), old)

    def _fresh(self, path: str, data: bytes, etag: str, changes: Changes) -> None:
        """Raise Refused, with both versions, if `etag` is not that of the file."""
        if sha256(data) == etag:
            return
        base = self._shown.get(etag, data)
        try:
            yours = self._changed(base, path, changes)
        except IntentError:
            yours = base
        raise Refused(
            409,
            f"{path}: has changed since you opened it",
            "nothing was saved; look at both versions",
            yours=yours.decode("utf-8", "replace"),
            theirs=data.decode("utf-8", "replace"),
            etag=sha256(data),
        )

    def _changed(self, data: bytes, path: str, changes: Changes) -> bytes:
        services = self.rows.console.services
        return changed(data, path, changes, services.clock(), services.actor)

    def _objections(
        self, held: Held, path: str, new: bytes, data: bytes | None = None
    ) -> list[Issue]:
        before = held.files if data is None else {**held.files, path: data}
        return objections(before, {path: new}, self.rows.console.services.actor)

    def _warnings(self, held: Held, id: str, new: bytes) -> list[dict[str, str]]:
        path = requirement_path(id)
        found = remarks(held.files, {path: new})
        found += self.rows.console.tracked.remarks(path, new, held.files.get(DOMAINS))
        told = [{"code": i.code, "message": i.message} for i in found]
        return told + _same_words(held, parse_requirement(new, path))

    def _told(self, held: Held, found: Requirement) -> dict[str, Any]:
        told = requirements.told(self.rows, held, found)
        self._shown[told["etag"]] = held.store.bytes[found.id]
        while len(self._shown) > _KEPT:
            self._shown.popitem(last=False)
        return told


def changed(
    data: bytes, path: str, changes: Changes, now: datetime, actor: Actor
) -> bytes:
    """The file with the changes, stamped once; the same bytes if nothing differs."""
    old = parse_requirement(data, path)
    mine = True if actor is Actor.PERSON else None
    new = data
    if changes.statement is not None or changes.why is not None:
        said = old.statement if changes.statement is None else changes.statement
        why = old.rationale if changes.why is None else changes.why
        new = mutate.reword(new, said, why, now, user_edited=mine, path=path)
    if changes.scope is not None:
        new = mutate.rescope(new, changes.scope, now, user_edited=mine, path=path)
    if changes.hints is not None:
        new = mutate.set_hints(new, changes.hints, now, path)
    if changes.confidence is not None:
        new = mutate.set_confidence(new, changes.confidence, now, path)
    if changes.status is not None:
        new = _status(new, old, changes.status, now, path)
    if new == data:
        return data
    return set_fields(new, {"updated": stamp(later(old.updated, now))}, path)


def _status(
    data: bytes, old: Requirement, status: Status, now: datetime, path: str
) -> bytes:
    if status is old.status:
        return data
    if status is Status.SUPERSEDED:
        raise invalid(
            "changes/status",
            "a successor has to be named",
            f"`git intent supersede {old.id} --by` names it",
        )
    if old.status is Status.SUPERSEDED:  # the rules say why not
        return set_fields(data, {"status": status.value}, path)
    act = mutate.enable if status is Status.ACTIVE else mutate.disable
    return act(data, now, path)


def _changes(given: Given, old: Requirement) -> Changes:
    def text(key: str) -> str | None:
        return given.text(key) if key in given else None

    hints = given.texts("hints") if "hints" in given else None
    status = given.word("status", _STATUSES) if "status" in given else None
    sure = given.word("confidence", list(Confidence)) if "confidence" in given else None
    scope = given.inner("scope", _SCOPE) if "scope" in given else None
    return Changes(
        text("statement"),
        text("why"),
        None if scope is None else _scope(scope, old.scope),
        None if hints is None else _clean(hints),
        None if status is None else Status(status),
        None if sure is None else Confidence(sure),
    )


def _scope(given: Given, old: Scope) -> Scope:
    level = given.word("level", list(Level)) if "level" in given else old.level
    scope = Scope(
        Level(level),
        _clean(given.texts("domains", old.domains)),
        _clean(given.texts("paths", old.paths)),
        _clean(given.texts("languages", old.languages)),
    )
    for name in scope.domains:
        if name not in old.domains and not NAME.fullmatch(name):
            raise invalid(
                "scope/domains",
                f"domain name {name!r} is not like-this",
                "use a-z, 0-9 and single hyphens",
            )
    return scope


def _clean(texts: tuple[str, ...]) -> tuple[str, ...]:
    """On one line each, none of them empty or twice."""
    return tuple(dict.fromkeys(filter(None, (" ".join(t.split()) for t in texts))))


def _same_words(held: Held, new: Requirement) -> list[dict[str, str]]:
    wanted = normalise(new.statement)
    if new.status is not Status.ACTIVE:
        return []
    return [
        {"code": "I031", "message": f"says the same as {other.id}, which is active too"}
        for other in held.store.requirements.values()
        if other.id != new.id
        and other.status is Status.ACTIVE
        and normalise(other.statement) == wanted
    ]


def _told(found: Issue) -> Mapping[str, str]:
    return {"code": found.code, "message": found.message, "hint": _hint(found)}


def _hint(found: Issue) -> str:
    code = CODES.get(found.code)
    return code.repair if code else ""
