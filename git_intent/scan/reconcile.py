"""Decide what becomes of each candidate: the built-in reconciler, pure.

A candidate is compared with every statement that each requirement has ever had, first
word for word, then as a rewording (`scan.sameness`). It merges into an active one, is
dropped for a disabled one, and for a superseded one as long as the successor still
stands in its source; what nobody has said yet is created. Whether a new statement
takes the place of an old one is asked afterwards (`scan.succession`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from git_intent.scan.artifacts import Action, Candidate, Decision
from git_intent.scan.known import Known, final_successor
from git_intent.scan.sameness import Lookup, Similarity
from git_intent.store.requirement import Confidence, Status
from git_intent.store.requirement_file import normalise

#: What is done with a candidate that equals requirements of several kinds.
_FIRST = (Status.ACTIVE, Status.DISABLED, Status.SUPERSEDED)


@dataclass(frozen=True, slots=True)
class Reconciled:
    """`repeated` counts candidates that another one of the same scan already says."""

    decisions: tuple[Decision, ...]
    repeated: int = 0


def reconcile(
    candidates: Sequence[Candidate],
    known: Mapping[str, Known],
    *,
    backed: Callable[[Known], bool],
    similarity: Similarity,
) -> Reconciled:
    """One decision for each different candidate, in their order."""
    fresh = _once(candidates, similarity)
    book = _Book(known, similarity)
    decisions = [_decide(c, book.find(c.statement), known, backed) for c in fresh]
    return Reconciled(tuple(decisions), len(candidates) - len(fresh))


def rank(candidate: Candidate) -> int:
    """0 for a candidate to write as active, 1 for a low one, 2 for a suspect."""
    if candidate.suspect:
        return 2
    return 1 if candidate.confidence == Confidence.LOW else 0


class _Book:
    """Finds the requirements that say, or ever said, the same as a sentence."""

    def __init__(self, known: Mapping[str, Known], similarity: Similarity) -> None:
        self._owners: dict[str, list[Known]] = {}
        for one in known.values():
            for statement in one.statements:
                owners = self._owners.setdefault(normalise(statement), [])
                if one not in owners:
                    owners.append(one)
        self._lookup = Lookup(self._owners, similarity)

    def find(self, statement: str) -> list[Known]:
        exact = self._owners.get(normalise(statement))
        if exact:
            return exact
        return [k for text in self._lookup.find(statement) for k in self._owners[text]]


def _once(candidates: Sequence[Candidate], similarity: Similarity) -> list[Candidate]:
    """One candidate of each that say the same: the first of the best rank."""
    kept: dict[str, Candidate] = {}
    lookup = Lookup((), similarity)
    for candidate in sorted(candidates, key=rank):
        text = normalise(candidate.statement)
        if text in kept or lookup.find(text):
            continue
        kept[text] = candidate
        lookup.add(text)
    chosen = {id(c) for c in kept.values()}
    return [c for c in candidates if id(c) in chosen]


def _decide(
    candidate: Candidate,
    same: Sequence[Known],
    known: Mapping[str, Known],
    backed: Callable[[Known], bool],
) -> Decision:
    new = Decision(Action.CREATE, candidate)
    for status in _FIRST:
        for one in same:
            if one.requirement.status != status:
                continue
            about = replace(new, existing_id=one.id, base=one.base)
            if status == Status.ACTIVE:
                return replace(about, action=Action.MERGE, reason="already tracked")
            if status == Status.DISABLED:
                return replace(about, action=Action.DROP, reason="disabled")
            successor = final_successor(known, one.id)
            if successor and backed(successor):
                reason = f"superseded by {successor.id}, which still stands"
                return replace(about, action=Action.DROP, reason=reason)
    return new
