"""From decisions to the bytes of the store: pure, all or nothing.

Every decision goes through the hard rules as an agent's; one that breaks a rule refuses
the whole batch. Two things are no refusal but put a decision off: the file it is about
changed since it was decided (each carries the sha256 of the bytes it saw), or that file
has changes of the user's that are not committed. What is put off is read again by the
next scan. Candidates that a person must see first are written disabled; those of low
confidence, or with a secret in them, are not written at all.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from git_intent import files, secrets
from git_intent.errors import IntentError
from git_intent.scan.artifacts import Action, Candidate, Decision
from git_intent.scan.overlap import overlap
from git_intent.store import mutate
from git_intent.store.check import check_file
from git_intent.store.ids import new_id
from git_intent.store.intent_dir import Store, load_store, requirement_path
from git_intent.store.issue import Issue, Severity
from git_intent.store.requirement import Confidence, Requirement, Status
from git_intent.store.requirement_file import normalise
from git_intent.store.rules import Actor, judge
from git_intent.store.stamps import stamp

MAX_HINTS = 5
_REMOVED = "[secret removed]"


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the summary: a requirement (or none yet), its words, and why."""

    id: str
    statement: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the candidates. `low` was not written, `person` waits for one."""

    created: tuple[Item, ...] = ()
    superseded: tuple[Item, ...] = ()
    merged: tuple[Item, ...] = ()
    dropped: tuple[Item, ...] = ()
    low: tuple[Item, ...] = ()
    person: tuple[Item, ...] = ()


LISTS = tuple(f.name for f in fields(Outcome))


@dataclass(frozen=True, slots=True)
class Plan:
    """What applying would do. `changes` maps paths of the store to new bytes;
    `deferred` pairs each decision that was put off with the reason."""

    changes: Mapping[str, bytes] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)
    deferred: tuple[tuple[Decision, str], ...] = ()

    @property
    def deferred_items(self) -> tuple[Item, ...]:
        return tuple(
            Item(d.existing_id, d.candidate.statement, why) for d, why in self.deferred
        )


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the plan must know of the world around the store.

    `held` are paths with changes of the user's, `taken` tells ids in use anywhere,
    `by_person` whether history shows that a person wrote a requirement's words.
    """

    now: datetime
    taken: Callable[[str], bool]
    held: Collection[str] = ()
    by_person: Callable[[str], bool] = lambda _: False


def plan(
    decisions: Sequence[Decision],
    snapshot: Mapping[str, bytes],
    around: Circumstances,
) -> Plan:
    """Raises IntentError if any decision breaks a rule or names what is not there."""
    store = load_store(snapshot)
    reasons = [(decision, _moved(decision, store)) for decision in decisions]
    deferred = [(decision, why) for decision, why in reasons if why]
    sound = [decision for decision, why in reasons if not why]
    draft = _judged(sound, store, snapshot, around)
    while blocked := set(around.held) & set(draft.changes):
        waiting = [
            decision
            for decision in sound
            if id(decision) in draft.written_by
            and store.paths.get(decision.existing_id) in blocked
        ]
        deferred += [(d, "the file has uncommitted changes") for d in waiting]
        sound = [decision for decision in sound if decision not in waiting]
        draft = _judged(sound, store, snapshot, around)
    return draft.plan(tuple(deferred))


def _moved(decision: Decision, store: Store) -> str:
    """Why the decision no longer fits its file, or nothing."""
    name = decision.existing_id
    if decision.action == Action.CREATE:
        return ""
    if name not in store.bytes:
        if decision.base:
            return "the file is gone or broken since it was decided"
        raise IntentError(
            f"decision about {name or 'no id'}: there is no such requirement",
            "a merge, supersede or drop names one that exists",
        )
    if decision.base and decision.base != files.sha256(store.bytes[name]):
        return "base moved: the file changed since it was decided"
    return ""


def _judged(
    decisions: Sequence[Decision],
    store: Store,
    snapshot: Mapping[str, bytes],
    around: Circumstances,
) -> "_Draft":
    draft = _Draft(store, around)
    for decision in decisions:
        draft.take(decision)
    refuse(judge([snapshot], {**snapshot, **draft.changes}, Actor.AGENT))
    return draft


def refuse(issues: Sequence[Issue]) -> None:
    """Raise the hard rules that a change would break."""
    if issues:
        raise IntentError(
            "\n".join(map(str, issues)),
            "nothing was written; these rules hold whoever decides",
        )


class _Draft:
    """The plan while decisions are added to it one by one."""

    def __init__(self, store: Store, around: Circumstances) -> None:
        self.changes: dict[str, bytes] = {}
        self.written_by: set[int] = set()  # id() of decisions that changed a file
        self._store = store
        self._around = around
        self._lists: dict[str, list[Item]] = {name: [] for name in LISTS}
        self._said = {
            status: {
                normalise(r.statement): r.id
                for r in store.requirements.values()
                if r.status == status
            }
            for status in (Status.DISABLED, Status.ACTIVE)
        }

    def plan(self, deferred: tuple[tuple[Decision, str], ...]) -> Plan:
        lists = {name: tuple(items) for name, items in self._lists.items()}
        return Plan(dict(self.changes), Outcome(**lists), deferred)

    def take(self, decision: Decision) -> None:
        before = dict(self.changes)
        _TAKE[decision.action](self, decision)
        if self.changes != before:
            self.written_by.add(id(decision))

    def create(self, decision: Decision) -> None:
        text = normalise(decision.candidate.statement)
        if text in self._said[Status.ACTIVE]:
            name = self._said[Status.ACTIVE][text]
            self._note("merged", name, decision, "already tracked")
        elif text in self._said[Status.DISABLED]:
            name = self._said[Status.DISABLED][text]
            self._note("dropped", name, decision, "disabled")
        else:
            self._write_new(decision)

    def supersede(self, decision: Decision) -> None:
        old = self._store.requirements[decision.existing_id]
        candidate = decision.candidate
        if candidate.suspect or candidate.confidence == Confidence.LOW:
            self._write_new(decision)
            return
        if not overlap(old.scope, candidate.scope):
            raise IntentError(
                f"{old.id}: superseded by a statement that concerns others",
                "a successor has the same scope, or one that overlaps it",
            )
        new = self._write_new(decision)
        if not new:
            return
        path = self._store.paths[old.id]
        data = self.changes.get(path, self._store.bytes[old.id])
        self.changes[path] = mutate.supersede(data, new, self._around.now)
        self._note("superseded", old.id, decision, f"by {new}", old.statement)

    def merge(self, decision: Decision) -> None:
        old = self._store.requirements[decision.existing_id]
        path = self._store.paths[old.id]
        data = self.changes.get(path, self._store.bytes[old.id])
        if decision.statement or decision.rationale:
            data = self._reworded(decision, old, data)
        elif self._may_hint(decision.candidate, old):
            hints = tuple(h for h in decision.candidate.hints if not _secret(h))
            data = mutate.merge_hints(data, hints, self._around.now)
        if data != self._store.bytes[old.id]:
            self.changes[path] = data
        self._note("merged", old.id, decision, decision.reason)

    def drop(self, decision: Decision) -> None:
        self._note("dropped", decision.existing_id, decision, decision.reason)

    def _reworded(self, decision: Decision, old: Requirement, data: bytes) -> bytes:
        statement = decision.statement or old.statement
        rationale = decision.rationale or old.rationale
        if not old.user_edited and self._around.by_person(old.id):
            text = "a person wrote these words; marked user_edited, not reworded"
            self._note("person", old.id, decision, text, old.statement)
            return mutate.mark_edited(data, self._around.now)
        if _secret(statement) or _secret(rationale):
            return data
        return mutate.reword(data, statement, rationale, self._around.now)

    def _may_hint(self, candidate: Candidate, old: Requirement) -> bool:
        """A rewording may help to find the requirement; a person's file stays."""
        return (
            old.status == Status.ACTIVE
            and not old.user_edited
            and not candidate.suspect
            and candidate.confidence != Confidence.LOW
            and len(old.hints) < MAX_HINTS
            and normalise(candidate.statement) != normalise(old.statement)
            and not self._around.by_person(old.id)
        )

    def _write_new(self, decision: Decision) -> str:
        """Add the file of a new requirement; its id, or nothing if none was made."""
        candidate = decision.candidate
        if not candidate.suspect and candidate.confidence == Confidence.LOW:
            self._note("low", "", decision, place_of(candidate))
            return ""
        if _carries_secret(candidate):
            at = f"{place_of(candidate)}: carries a secret, not written"
            self._lists["dropped"].append(Item("", _REMOVED, at))
            return ""
        name = new_id(candidate.statement, self._taken)
        made = requirement_of(candidate, name, stamp(self._around.now))
        path = requirement_path(name)
        data = mutate.create(made, self._around.now)
        wrong = [i for i in check_file(path, data) if i.severity == Severity.ERROR]
        if wrong:
            why = f"{place_of(candidate)}: {wrong[0].code} {wrong[0].message}"
            self._note("dropped", "", decision, why)
            return ""
        self.changes[path] = data
        self._said[made.status][normalise(made.statement)] = name
        self._note("created", name, decision, place_of(candidate))
        if candidate.suspect:
            self._note("person", name, decision, f"disabled: {candidate.suspect}")
        return name

    def _taken(self, name: str) -> bool:
        path = requirement_path(name)
        here = path in self.changes or path in self._around.held
        return here or self._around.taken(name)

    def _note(
        self, where: str, name: str, decision: Decision, why: str, words: str = ""
    ) -> None:
        statement = words or decision.candidate.statement
        self._lists[where].append(Item(name, statement, why))


_TAKE: dict[Action, Callable[[_Draft, Decision], None]] = {
    Action.CREATE: _Draft.create,
    Action.MERGE: _Draft.merge,
    Action.SUPERSEDE: _Draft.supersede,
    Action.DROP: _Draft.drop,
}


def requirement_of(candidate: Candidate, name: str, now: str) -> Requirement:
    """What is written of a candidate; of a suspect one, disabled."""
    made = Requirement(
        id=name,
        statement=candidate.statement,
        rationale=candidate.rationale,
        scope=candidate.scope,
        hints=candidate.hints[:MAX_HINTS],
        confidence=candidate.confidence,
        provenance=candidate.provenance,
        created=now,
        updated=now,
    )
    if candidate.suspect:
        return replace(made, status=Status.DISABLED, confidence=Confidence.LOW)
    return made


def _carries_secret(candidate: Candidate) -> bool:
    texts = (
        candidate.statement,
        candidate.rationale,
        candidate.provenance.ref,
        *candidate.hints,
    )
    return any(_secret(text) for text in texts)


def _secret(text: str) -> bool:
    return bool(
        text
        and (_REMOVED in text or secrets.find(text) or secrets.second_opinion(text))
    )


def place_of(candidate: Candidate) -> str:
    """Where the words stand: a path with its line, else what the reference names."""
    if candidate.path and candidate.line:
        return f"{candidate.path}:{candidate.line}"
    return candidate.provenance.ref
