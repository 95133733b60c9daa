"""What the scans of this clone left for a person to look at.

The run directories still hold what each scan decided, so nothing is extracted again:
requirements it wrote, candidates of low confidence that it did not write, texts that
speak to a model (written disabled), and requirements that it left as they are but found
worth a look. Each is offered once: what was looked at is remembered beside the runs, in
`<git common dir>/intent/reviewed.json`, and a rejected candidate stands in the store as
a disabled requirement, which every later scan respects in every clone.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from git_intent import files
from git_intent.errors import IntentError
from git_intent.scan import run as runs
from git_intent.scan.apply import Item, place_of
from git_intent.scan.artifacts import Action, Candidate, decisions_from_json
from git_intent.scan.repair import PLAN
from git_intent.scan.settle import Settled
from git_intent.store.intent_dir import Store
from git_intent.store.requirement import Confidence, Requirement, Status
from git_intent.store.requirement_file import normalise

SEEN = "reviewed.json"
#: How many hexadecimal digits tell one candidate of low confidence from the others.
_DIGITS = 8


class Sort(StrEnum):
    """Why something is offered."""

    WRITTEN = "written"
    LOW = "low"
    PERSON = "person"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to look at: a requirement of the store, or a low candidate.

    `key` names it: the requirement's id, or `low-…`. `place` says where the words come
    from, `detail` why they are offered.
    """

    key: str
    sort: Sort
    told: Requirement | Candidate
    place: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What one finished scan decided."""

    settled: Settled
    low: tuple[Candidate, ...] = ()


def finished(common_dir: Path, project: Path) -> list[Scanned]:
    """The scans of a project that went through and are still on record, newest first.

    A run whose artifacts cannot be read is passed over: it is nobody's truth.
    """
    found = []
    for run in reversed(runs.all_runs(common_dir)):
        try:
            state = run.state()
            if state.stage is runs.Stage.DONE and state.project == str(project):
                found.append(_scanned(run))
        except (IntentError, KeyError, TypeError, ValueError):
            continue
    return found


def _scanned(run: runs.Run) -> Scanned:
    settled = Settled.from_json(run.read(PLAN)) if run.has(PLAN) else Settled()
    if not run.has(runs.DECISIONS):
        return Scanned(settled)
    decisions = decisions_from_json(run.read(runs.DECISIONS))
    low = tuple(
        decision.candidate
        for decision in decisions
        if decision.action in (Action.CREATE, Action.SUPERSEDE)
        and decision.candidate.confidence is Confidence.LOW
        and not decision.candidate.suspect
    )
    return Scanned(settled, low)


def offers(
    scans: Iterable[Scanned], store: Store, seen: Mapping[str, str]
) -> list[Offer]:
    """What to look at: what needs a person first, then what was written, then the rest.

    What has been superseded, disabled (but for what a person must see), taken over by a
    person, or looked at with these very words is not offered.
    """
    found: dict[str, Offer] = {}
    for scanned in scans:
        for offer in _of_scan(scanned, store):
            found.setdefault(offer.key, offer)
    order = (Sort.PERSON, Sort.WRITTEN, Sort.REPORTED, Sort.LOW)
    fresh = [o for o in found.values() if seen.get(o.key) != fingerprint(o)]
    return sorted(fresh, key=lambda offer: order.index(offer.sort))


def _of_scan(scanned: Scanned, store: Store) -> Iterator[Offer]:
    settled = scanned.settled
    doubted = {item.id for item in settled.outcome.person}
    for item in settled.outcome.person:
        known = store.requirements.get(item.id)
        if known and known.status is Status.DISABLED and not known.user_edited:
            yield Offer(item.id, Sort.PERSON, known, _ref(known), item.detail)
    for sort, items in (
        (Sort.WRITTEN, settled.outcome.created),
        (Sort.REPORTED, settled.reported),
    ):
        for item in items:
            known = _open(store, item)
            if known and item.id not in doubted:
                place = item.detail if sort is Sort.WRITTEN else _ref(known)
                detail = item.detail if sort is Sort.REPORTED else ""
                yield Offer(item.id, sort, known, place, detail)
    said = {normalise(known.statement) for known in store.requirements.values()}
    for candidate in scanned.low:
        text = normalise(candidate.statement)
        if text not in said:
            key = f"low-{files.sha256(text.encode())[:_DIGITS]}"
            yield Offer(key, Sort.LOW, candidate, place_of(candidate))


def _open(store: Store, item: Item) -> Requirement | None:
    known = store.requirements.get(item.id)
    if known is None or known.status is not Status.ACTIVE or known.user_edited:
        return None
    return known


def _ref(known: Requirement) -> str:
    return known.provenance.ref


def fingerprint(offer: Offer) -> str:
    """Of the words that were looked at: other words are offered again."""
    text = f"{offer.told.statement}\n{offer.told.rationale}"
    return files.sha256(normalise(text).encode())


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at in this clone: key → fingerprint. Losing it costs a look."""

    path: Path
    rows: dict[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, common_dir: Path) -> "Seen":
        path = common_dir / "intent" / SEEN
        try:
            value = json.loads(path.read_bytes())
            rows = {str(k): str(v) for k, v in value["seen"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            rows = {}
        return cls(path, rows)

    def add(self, found: Iterable[Offer]) -> None:
        self.rows.update({offer.key: fingerprint(offer) for offer in found})
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        files.write_atomic(
            self.path, files.canonical_json({"version": 1, "seen": self.rows}), 0o600
        )
