"""The built-in extractor: offline, deterministic, from a text to candidates.

A document is cut into statements, each is judged by the classifier, and what is offered
becomes a candidate that stands on its own, with reason, scope and hints. Nothing here
reads a file or asks git.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import compress
from typing import Literal, NamedTuple

from git_intent import secrets
from git_intent.scan.artifacts import Candidate, Source, Sources
from git_intent.scan.asides import is_aside
from git_intent.scan.classify import Classifier
from git_intent.scan.compose import compose
from git_intent.scan.document import statements
from git_intent.scan.hints import hints_of_all
from git_intent.scan.hostile import suspicion
from git_intent.scan.language import trained
from git_intent.scan.lists import one_rules
from git_intent.scan.reference import reference
from git_intent.scan.scope import scope_of
from git_intent.scan.statement import Statement
from git_intent.store.characters import strip_hidden
from git_intent.store.domains import Domain
from git_intent.store.requirement import Confidence, Kind, Provenance
from git_intent.store.requirement_file import normalise
from git_intent.store.stamps import stamp

EXTRACTED_BY = "intent-scan"
_MODES: dict[Kind, Literal["doc", "commit", "prompt"]] = {
    Kind.DOC: "doc",
    Kind.COMMIT: "commit",
    Kind.PROMPT: "prompt",
    Kind.TRANSCRIPT: "prompt",
}
# A statement this likely to be a rule of its own is nobody's reason.
_RULE = 0.3
_LONGEST = 600
_TIERS = tuple(Confidence).index  # the surest first


@dataclass(frozen=True, slots=True)
class Extraction:
    """`skipped` counts statements in languages that the classifier was not taught."""

    candidates: tuple[Candidate, ...]
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Extractor:
    """The built-in extractor with what it needs to know about the project."""

    classifier: Classifier
    domains: Sequence[Domain]
    now: datetime

    def __call__(
        self, sources: Sources, progress: Callable[[int, int], None] | None = None
    ) -> Extraction:
        """All candidates of all sources, in the order of the sources."""
        found: list[Candidate] = []
        skipped = 0
        for number, source in enumerate(sources.items):
            if progress:
                progress(number, len(sources.items))
            one = self.read(source)
            found += one.candidates
            skipped += one.skipped
        return Extraction(tuple(found), skipped)

    def read(self, source: Source) -> Extraction:
        """The candidates of one source."""
        mode = _MODES[source.kind]
        path = source.path or source.ref
        place = statements(source.text, path, mode)
        readable = list(compress(place, trained([s.text for s in place])))
        scores = self.classifier.score(readable, path, mode)
        follows = _scores_of_following(readable, scores)
        found: dict[str, _Offer] = {}
        last: _Offer | None = None
        for statement, score in _with_lists(readable, scores):
            tier = self.classifier.tier(score, statement, path, mode)
            if tier is None:
                continue
            after = statement.following
            ruled = follows.get(after, 1.0) >= _RULE and not is_aside(after)
            offer = _offer(statement, tier, ruled)
            if offer:
                if last and _goes_on(offer, last):
                    found.pop(normalise(last.said), None)
                    offer = offer._replace(tier=min(offer.tier, last.tier, key=_TIERS))
                last = found.setdefault(normalise(offer.said), offer)
        candidates = tuple(self._candidates(source, list(found.values())))
        return Extraction(candidates, len(place) - len(readable))

    def _candidates(
        self, source: Source, offers: Sequence["_Offer"]
    ) -> Iterator[Candidate]:
        path = source.path or source.ref
        at = stamp(self.now)
        places = [(offer.said, offer.statement.headings) for offer in offers]
        for offer, near in zip(offers, hints_of_all(places), strict=True):
            statement = offer.statement
            yield Candidate(
                statement=offer.said,
                rationale=offer.why,
                scope=scope_of(
                    offer.said, statement.headings, source.path, self.domains
                ),
                hints=near,
                confidence=offer.tier,
                provenance=Provenance(
                    source.kind, reference(source, statement.heading), at, EXTRACTED_BY
                ),
                path=path,
                line=statement.line,
                end_line=statement.end_line,
                headings=statement.headings,
                suspect=suspicion(f"{offer.whole}\n{_as_written(statement)}"),
            )


class _Offer(NamedTuple):
    """A statement that becomes a candidate, unless another has said the same."""

    said: str
    why: str
    whole: str  # both, as they are written
    statement: Statement
    tier: Confidence


def _offer(statement: Statement, tier: Confidence, ruled: bool) -> _Offer | None:
    """The statement made to stand alone; None if it cannot, or holds a secret."""
    done = compose(statement, ruled)
    whole = f"{done.statement}\n{done.rationale}"
    if not 0 < len(done.statement) <= _LONGEST or secrets.find(whole):
        return None
    said, why = strip_hidden(done.statement), strip_hidden(done.rationale)
    return _Offer(said, why, whole, statement, tier)


def _goes_on(offer: _Offer, last: _Offer) -> bool:
    """Does an offer begin with all of the last one, because it needs it?"""
    this, before = offer.statement, last.statement.text
    needed = before in (this.previous, this.lead_in)
    return needed and offer.said.startswith(last.said.rstrip("."))


def _with_lists(
    place: Sequence[Statement], scores: Sequence[float]
) -> Iterator[tuple[Statement, float]]:
    """Each statement with its score; a list that is one rule counts once.

    It is as likely as its items are on average, or as its lead-in.
    """
    lists = {one.parts.start: one for one in one_rules(place)}
    number = 0
    while number < len(place):
        whole = lists.get(number)
        if whole is None:
            yield place[number], scores[number]
            number += 1
            continue
        items = scores[whole.parts.start + whole.led : whole.parts.stop]
        lead = scores[number] if whole.led else 0.0
        yield whole.statement, max(lead, sum(items) / len(items))
        number = whole.parts.stop


def _as_written(statement: Statement) -> str:
    """The words with all their markup, which may hide some; under `Do not:` they are
    a prohibition."""
    lead = statement.lead_in.strip()
    return f"{lead[:-1]} {statement.text}" if lead.endswith(":") else statement.text


def _scores_of_following(
    place: Sequence[Statement], scores: Sequence[float]
) -> dict[str, float]:
    """How likely each text that follows another is a rule by itself."""
    return {s.text: score for s, score in zip(place, scores, strict=True)}
