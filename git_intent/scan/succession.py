"""Which new statement takes the place of which requirement: built-in *supersede*, pure.

A sentence of a document replaces another if both are the two sides of one hunk under
one heading path (renames followed), if the old one stands in no document any more, and
if the commit that brought the new one descends from the commit that brought the old:
ancestry decides, never a date. A requirement of a person is never superseded here, only
reported; so is one whose sentence is gone without a successor.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from git_intent.scan.artifacts import Action, Candidate, Decision
from git_intent.scan.compose import compose
from git_intent.scan.known import Known
from git_intent.scan.overlap import overlap
from git_intent.scan.reconcile import rank
from git_intent.scan.sameness import shape
from git_intent.scan.statement import Statement
from git_intent.store.requirement import Kind
from git_intent.store.requirement_file import normalise

#: Cuts a document into its statements: (text, path) -> statements.
Cut = Callable[[str, str], Sequence[Statement]]


@dataclass(frozen=True, slots=True)
class Span:
    """The lines of one hunk on both sides, first and last counted from 1; a side
    without lines has its last before its first."""

    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Revision:
    """A document when it was last scanned and now. Either path is empty for a document
    that was not there on that side."""

    old_path: str
    path: str
    old: str
    new: str
    spans: tuple[Span, ...]


#: Whether the commit that brought a line of the new side descends from the one that
#: brought a line of the old side: (revision, old line, new line).
Descends = Callable[[Revision, int, int], bool]


@dataclass(frozen=True, slots=True)
class Succession:
    """The decisions with their supersedes, and what a person should hear about:
    pairs of a requirement's id and a sentence about it."""

    decisions: tuple[Decision, ...]
    reports: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Old:
    """A requirement where its sentence stood before."""

    known: Known
    statement: Statement


def spoken(statement: Statement) -> frozenset[str]:
    """The forms in which an extractor may have kept this statement, normalised."""
    made = (compose(statement, rules).statement for rules in (True, False))
    return frozenset(map(normalise, filter(None, (statement.text, *made))))


class Standing:
    """Where statements stand in the documents of today; each is cut at most once."""

    def __init__(self, documents: Callable[[], Mapping[str, str]], cut: Cut) -> None:
        self._documents = documents
        self._cut = cut
        self._folded: dict[str, str] = {}
        self._forms: dict[str, frozenset[str]] = {}

    def holds(self, known: Known) -> bool:
        """Whether any wording of a requirement is a statement of a document."""
        wordings = known.wordings
        probes = {max(w.split(), key=len) for w in wordings if w}
        documents = self._documents()
        if not self._folded:
            self._folded = {path: _folded(text) for path, text in documents.items()}
        return any(
            wordings & self._of(path, documents[path])
            for path, folded in self._folded.items()
            if any(probe in folded for probe in probes)
        )

    def _of(self, path: str, text: str) -> frozenset[str]:
        if path not in self._forms:
            forms = (spoken(statement) for statement in self._cut(text, path))
            self._forms[path] = frozenset().union(*forms)
        return self._forms[path]


def _folded(text: str) -> str:
    """A whole document, folded as statements are, to search it for one word."""
    return text.translate({0x2018: "'", 0x2019: "'"}).casefold()


def succeed(
    decisions: Sequence[Decision],
    known: Mapping[str, Known],
    revisions: Iterable[Revision],
    *,
    cut: Cut,
    still_stands: Callable[[Known], bool],
    by_person: Callable[[Known], bool],
    descends: Descends,
) -> Succession:
    """Turn each `create` that replaces a tracked sentence into a `supersede`."""
    done = list(decisions)
    reports: dict[str, str] = {}
    replaced: set[str] = set()
    owners = _owners(known)
    for revision in revisions:
        olds = [o for o in _gone(revision, owners, cut) if not still_stands(o.known)]
        places = _places(revision, done, cut)
        for old, number in _pairs(revision, olds, places, done):
            if old.known.id in replaced:
                continue
            refusal = _refusal(old.known, by_person)
            new_line = done[number].candidate.line
            if not refusal and not descends(revision, old.statement.line, new_line):
                refusal = "the new sentence does not come after it in history"
            where = f"{revision.path}:{new_line}"
            if refusal:
                said = done[number].candidate.statement
                reports[old.known.id] = f"{where} now says “{said}”; {refusal}"
                continue
            replaced.add(old.known.id)
            done[number] = replace(
                done[number],
                action=Action.SUPERSEDE,
                candidate=_in_place(done[number].candidate, old.known),
                existing_id=old.known.id,
                base=old.known.base,
                reason=f"replaced at {where}",
            )
        for old in olds:
            if old.known.from_document:
                text = f"its sentence is gone from {revision.old_path}"
                reports.setdefault(old.known.id, text)
    gone = tuple((n, text) for n, text in reports.items() if n not in replaced)
    return Succession(tuple(done), gone)


def _owners(known: Mapping[str, Known]) -> dict[str, Known]:
    """Each wording of an active requirement, to its owner."""
    found: dict[str, Known] = {}
    for one in known.values():
        if one.active:
            for wording in one.wordings:
                found.setdefault(wording, one)
    return found


def _gone(revision: Revision, owners: Mapping[str, Known], cut: Cut) -> list[_Old]:
    """Tracked sentences in lines that the new side no longer has."""
    found: dict[str, _Old] = {}
    if not revision.old_path:
        return []
    for statement in cut(revision.old, revision.old_path):
        if not any(_meets(statement, span.old) for span in revision.spans):
            continue
        for form in spoken(statement):
            if form in owners:
                found.setdefault(owners[form].id, _Old(owners[form], statement))
    return list(found.values())


def _places(
    revision: Revision, decisions: Sequence[Decision], cut: Cut
) -> list[tuple[int, tuple[str, ...]]]:
    """The decisions about new sentences of this document, with their headings."""
    here = [
        (number, d.candidate)
        for number, d in enumerate(decisions)
        if d.action == Action.CREATE
        and d.candidate.path == revision.path
        and rank(d.candidate) == 0
    ]
    if not here:
        return []
    headings: dict[int, tuple[str, ...]] = {}
    for statement in cut(revision.new, revision.path):
        for line in range(statement.line, statement.end_line + 1):
            headings.setdefault(line, statement.headings)
    return [(n, headings.get(c.line, c.headings)) for n, c in here]


def _pairs(
    revision: Revision,
    olds: Sequence[_Old],
    places: Sequence[tuple[int, tuple[str, ...]]],
    decisions: Sequence[Decision],
) -> list[tuple[_Old, int]]:
    """Old and new sentences of one hunk and heading path, each at most once.

    Where a hunk holds one of each, they are a pair. Where it holds more, only those
    that share words are, the most alike first.
    """
    found: list[tuple[_Old, int]] = []
    for span in revision.spans:
        left = [o for o in olds if _meets(o.statement, span.old)]
        right = [
            (n, headings)
            for n, headings in places
            if _crosses(decisions[n].candidate, span.new)
        ]
        fits = [
            (_shared(o, decisions[n].candidate), i, o, n)
            for i, o in enumerate(left)
            for n, headings in right
            if o.statement.headings == headings
        ]
        if len(left) > 1 or len(right) > 1:
            fits = [fit for fit in fits if fit[0] > 0]
        taken: Counter[str] = Counter()
        for _, _, old, number in sorted(fits, key=lambda f: (-f[0], f[1], f[3])):
            if taken[old.known.id] or taken[str(number)]:
                continue
            taken.update((old.known.id, str(number)))
            found.append((old, number))
    return found


def _shared(old: _Old, candidate: Candidate) -> float:
    """How much of their words two sentences share, 0 to 1."""
    a, b = shape(old.statement.text).bag, shape(candidate.statement).bag
    return len(a & b) / len(a | b) if a | b else 0.0


def _meets(statement: Statement, lines: tuple[int, int]) -> bool:
    return statement.line <= lines[1] and lines[0] <= statement.end_line


def _crosses(candidate: Candidate, lines: tuple[int, int]) -> bool:
    last = max(candidate.line, candidate.end_line)
    return candidate.line <= lines[1] and lines[0] <= last


def _in_place(candidate: Candidate, old: Known) -> Candidate:
    """What stands in the old one's place concerns whom the old one concerned."""
    scope = old.requirement.scope
    return (
        candidate
        if overlap(scope, candidate.scope)
        else replace(candidate, scope=scope)
    )


def _refusal(old: Known, by_person: Callable[[Known], bool]) -> str:
    """Why a requirement is not for the scan to supersede, or nothing."""
    kind = old.requirement.provenance.kind
    if kind == Kind.USER:
        return "a person added it by hand"
    if by_person(old):
        return "a person edited it"
    if not old.from_document:
        return f"it also stands on a {kind.value}"
    return ""
