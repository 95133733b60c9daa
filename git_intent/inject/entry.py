"""What selection needs of an active requirement, worked out once when it is read.

Plain values, so that hot paths can keep entries in their cache; the class is plain as
well, for dataclasses take longer to load than a small selection takes.
"""

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_intent.store.requirement import Requirement

PROJECT = "project"


class Entry:
    """Immutable by agreement.

    `updated` counts microseconds since 1970 (0: unknown), `statement_line` is the line
    of the block, `texts` is what is embedded: the words, then each hint.
    """

    __slots__ = (
        "confidence",
        "domain_text",
        "domains",
        "id",
        "languages",
        "level",
        "paths",
        "statement_line",
        "texts",
        "updated",
    )

    def __init__(
        self,
        id: str,
        level: str,
        domains: tuple[str, ...],
        paths: tuple[str, ...],
        languages: tuple[str, ...],
        confidence: str,
        updated: int,
        statement_line: str,
        texts: tuple[str, ...],
        domain_text: str,
    ) -> None:
        self.id, self.level = id, level
        self.domains, self.paths, self.languages = domains, paths, languages
        self.confidence, self.updated = confidence, updated
        self.statement_line, self.texts = statement_line, texts
        self.domain_text = domain_text


def entries(requirements: "Mapping[str, Requirement]") -> list[Entry]:
    """The active requirements, by id: what is disabled or superseded is not seen."""
    from git_intent.store.requirement import Status

    found = (r for _, r in sorted(requirements.items()))
    return [_entry(r) for r in found if r.status is Status.ACTIVE]


def _entry(r: "Requirement") -> Entry:
    from git_intent.inject.render import line

    shown = () if r.scope.level == PROJECT else r.scope.domains
    words = f"{r.statement}\n\n{r.rationale}" if r.rationale else r.statement
    return Entry(
        r.id,
        r.scope.level.value,
        r.scope.domains,
        r.scope.paths,
        r.scope.languages,
        r.confidence.value,
        _microseconds(r.updated),
        line(r.id, shown, r.statement, r.rationale),
        (words, *r.hints),
        ", ".join(r.scope.domains),
    )


def _microseconds(stamp: str) -> int:
    from datetime import UTC, datetime, timedelta

    from git_intent.store.stamps import instant

    at = instant(stamp)
    if at is None:
        return 0
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
