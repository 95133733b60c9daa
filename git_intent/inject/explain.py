"""Why each active requirement is in the block or not."""

from collections.abc import Sequence
from dataclasses import dataclass

from git_intent.inject.entry import Entry
from git_intent.inject.select import DECIMALS, Pick, Selection, Stage, by_confidence


@dataclass(frozen=True, slots=True)
class Ranked:
    """`selected` is in the block; without a task there is no `score`."""

    id: str
    score: float | None
    stage: Stage
    selected: bool
    reason: str


def ranked(selection: Selection, entries: Sequence[Entry]) -> list[Ranked]:
    """Every active requirement, best first: the picks in their order, then the rest."""
    found = [
        _picked(selection, pick, number < selection.shown)
        for number, pick in enumerate(selection.picks)
    ]
    taken = {pick.entry.id for pick in selection.picks}
    rest = sorted(
        (entry for entry in entries if entry.id not in taken),
        key=lambda e: (-selection.scores.get(e.id, 0.0), *by_confidence(e)),
    )
    return found + [_left_out(selection, entry) for entry in rest]


def _picked(selection: Selection, pick: Pick, shown: bool) -> Ranked:
    reasons = [pick.why, _against_floor(selection, pick.entry.id)]
    if not shown:
        reasons.append(f"cut by the budget of {selection.budget}")
    return Ranked(
        pick.entry.id,
        selection.scores.get(pick.entry.id),
        pick.stage,
        shown,
        "; ".join(filter(None, reasons)),
    )


def _left_out(selection: Selection, entry: Entry) -> Ranked:
    reasons = (selection.reach.misses(entry), _against_floor(selection, entry.id))
    return Ranked(
        entry.id,
        selection.scores.get(entry.id),
        Stage.NONE,
        False,
        "; ".join(filter(None, reasons)),
    )


def _against_floor(selection: Selection, id: str) -> str:
    score, floor = selection.scores.get(id), selection.floor
    if score is None:
        return ""
    if floor is None:
        return f"score {score:.4f}, no floor known"
    side = "below" if score < round(floor, DECIMALS) else "at or above"
    return f"score {score:.4f} {side} the floor {floor:.4f}"
