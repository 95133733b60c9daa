"""Which requirements a prompt gets, in which order, and how many of them fit.

Three stages: active ones only (the entries are); those of the project and of the scope
at hand; those whose score is at or above the floor. The order is total: project before
domain, scored before unscored, score rounded to four decimals, confidence, the newest
update, id. The lines that fit the budget are the longest prefix of that order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from git_intent.inject.context import Context
from git_intent.inject.entry import PROJECT, Entry
from git_intent.inject.render import block, cost, fitting
from git_intent.inject.scope import Reach, reach
from git_intent.store.domains import Domains

_CONFIDENCE = {"high": 0, "medium": 1, "low": 2}
DECIMALS = 4


class Score(Protocol):
    """What the backend found out about a requirement and the task."""

    @property
    def score(self) -> float: ...


class Stage(StrEnum):
    """What let a requirement in."""

    PROJECT = "project"
    SCOPE = "scope"
    SEMANTIC = "semantic"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Pick:
    """A requirement that is in. `score` is None unless it reached the floor."""

    entry: Entry
    stage: Stage
    score: float | None
    why: str


@dataclass(frozen=True, slots=True)
class Selection:
    """`picks` in their order; the first `shown` of them fit the budget."""

    picks: tuple[Pick, ...] = ()
    shown: int = 0
    budget: int = 0
    floor: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    reach: Reach = field(default_factory=lambda: Reach(Context()))

    @property
    def ids(self) -> tuple[str, ...]:
        """What is rendered; not what the budget cut."""
        return tuple(pick.entry.id for pick in self.picks[: self.shown])

    @property
    def block(self) -> str:
        lines = [pick.entry.statement_line for pick in self.picks[: self.shown]]
        return block(lines, len(self.picks) - self.shown)

    @property
    def project_cost(self) -> int:
        """What the requirements that are always in take of the budget."""
        return sum(
            cost(pick.entry.statement_line)
            for pick in self.picks
            if pick.stage is Stage.PROJECT
        )


def select(
    entries: Sequence[Entry],
    context: Context,
    domains: Domains,
    scores: Mapping[str, Score] | None,
    floor: float | None,
    budget: int,
) -> Selection:
    """`scores` is None if there was no task to compare with, `floor` None if no score
    of this backend can be trusted: then there is no third stage."""
    rounded = {id: round(found.score, DECIMALS) for id, found in (scores or {}).items()}
    scope = reach(domains, context)
    enough = _enough(rounded, floor)
    found = (_pick(entry, scope, enough(entry)) for entry in entries)
    picks = sorted((pick for pick in found if pick is not None), key=_order)
    shown = fitting([pick.entry.statement_line for pick in picks], budget)
    return Selection(tuple(picks), shown, budget, floor, rounded, scope)


def _enough(
    scores: Mapping[str, float], floor: float | None
) -> Callable[[Entry], float | None]:
    """The score of an entry if it is at or above the floor."""

    def score(entry: Entry) -> float | None:
        found = scores.get(entry.id)
        if found is None or floor is None or found < round(floor, DECIMALS):
            return None
        return found

    return score


def _pick(entry: Entry, scope: Reach, score: float | None) -> Pick | None:
    if entry.level == PROJECT:
        return Pick(entry, Stage.PROJECT, score, "project level")
    if why := scope.matches(entry):
        return Pick(entry, Stage.SCOPE, score, why)
    if score is not None:
        return Pick(entry, Stage.SEMANTIC, score, "")
    return None


def _order(pick: Pick) -> tuple[bool, bool, float, int, int, str]:
    entry = pick.entry
    return (
        entry.level != PROJECT,
        pick.score is None,
        -(pick.score or 0.0),
        *by_confidence(entry),
    )


def by_confidence(entry: Entry) -> tuple[int, int, str]:
    """How requirements rank whose scores are the same, or which have none."""
    return _CONFIDENCE.get(entry.confidence, 3), -entry.updated, entry.id
