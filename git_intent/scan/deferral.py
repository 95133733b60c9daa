"""Keep the cursors behind material whose decision was put off.

A document stays as it was last read, a run stays unread, and the commit cursor stops at
a commit before the oldest one concerned. What is read twice reconciles to merge.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from git_intent.scan.artifacts import Candidate, Reach, Sources
from git_intent.store.requirement import Kind
from git_intent.store.scan_state import ScanStates

_OTHER = "repos/"


@dataclass(frozen=True, slots=True)
class History:
    """Two questions about commits. `parent` gives the first one or nothing."""

    parent: Callable[[str], str]
    contains: Callable[[str, str], bool]  # (old, new): does new contain old?


def hold_back(
    sources: Sources,
    candidates: Iterable[Candidate],
    states: ScanStates,
    history: Mapping[str, History],
) -> Sources:
    """The sources with cursors that leave these candidates' material unread.

    `history` answers for each repository by name, the project's own under "".
    """
    for candidate in candidates:
        name, place = _repository(candidate)
        if name and name in sources.others:
            known = states.get(name).scanned_docs
            other = _reach(sources.others[name], place, candidate, known, history[name])
            sources = replace(sources, others={**sources.others, name: other})
        elif candidate.provenance.ref in sources.runs:
            mined = candidate.provenance.ref
            runs = tuple(run for run in sources.runs if run != mined)
            sources = replace(sources, runs=runs)
        else:
            own = Reach(
                sources.head, sources.cursor, sources.next_cursor, sources.documents
            )
            known = states.get().scanned_docs
            own = _reach(own, place, candidate, known, history[""])
            sources = replace(
                sources, next_cursor=own.next_cursor, documents=own.documents
            )
    return sources


def _repository(candidate: Candidate) -> tuple[str, str]:
    """The repository's name and the path, commit or run there."""
    kind = candidate.provenance.kind
    place = candidate.provenance.ref if kind == Kind.COMMIT else candidate.path
    place = place or candidate.provenance.ref
    if not place.startswith(_OTHER):
        return "", place
    rest = place.removeprefix(_OTHER)
    for mark in ("@", "/"):
        name, found, inner = rest.partition(mark)
        if found and "/" not in name:
            return name, inner
    return "", place


def _reach(
    reach: Reach,
    place: str,
    candidate: Candidate,
    known: Mapping[str, str],
    history: History,
) -> Reach:
    if candidate.provenance.kind == Kind.COMMIT:
        return replace(reach, next_cursor=_before(reach, place, history))
    if place not in reach.documents:
        return reach
    documents = {p: d for p, d in reach.documents.items() if p != place}
    if place in known:
        documents[place] = known[place]
    return replace(reach, documents=documents)


def _before(reach: Reach, commit: str, history: History) -> str:
    """The newest cursor that leaves `commit` unread and loses nothing read before."""
    if not reach.next_cursor or not history.contains(commit, reach.next_cursor):
        return reach.next_cursor
    parent = history.parent(commit)
    if not parent or (reach.cursor and not history.contains(reach.cursor, parent)):
        return reach.cursor
    return parent
