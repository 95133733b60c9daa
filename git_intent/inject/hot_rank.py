"""Selection from a record: rows, not requirements, and only those that are in.

The same three stages and the same order as `select`, which explains them; a test holds
the two together. What does not depend on the context was put in order when the record
was written.
"""

from git_intent.embed.index_file import read_index
from git_intent.embed.keywords import Words
from git_intent.embed.model import Model
from git_intent.embed.rank import cosines
from git_intent.embed.relevance import DECIMALS, Prepared, by_meaning, by_words
from git_intent.inject.languages import language_of, same_language

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from git_intent.inject.hot_seen import Match


def scores(record: "Mapping[str, Any]", query: str) -> dict[int, float] | None:
    """The rows at or above the floor, each with its score; None if the index is not
    that of the record and the model."""
    floor = round(record["floor"], DECIMALS)
    words = Words(record["count"], record["terms"])
    covered = words.covered(query)
    if record["meaning"]:
        index, model = read_index(record["index"]), Model.open()
        if (
            index is None
            or index.signature != model.signature
            or " ".join(index.ids) != record["ids"]
        ):
            return None
        unit = model.floor(index.model)
        if not unit:
            return None
        prepared = Prepared(index.ids, words, record["groups"], index)
        meant = cosines(index, model.embed(query))
        found = by_meaning(meant, covered.shares(), prepared, unit, floor)
    else:
        found = by_words(covered.evidence())
    return {row: score for row, score in enumerate(found) if score >= floor}


def in_scope(
    record: "Mapping[str, Any]",
    declared: "Sequence[str]",
    paths: "Sequence[str]",
    matches: "Sequence[Match]",
) -> set[int]:
    """The rows that concern the place that is worked at, as `scope` has it.

    Without `paths` none are known, and nothing is narrowed.
    """
    reached = set(declared)
    fitting: set[int] = set()
    for domains, patterns in matches:
        reached.update(domains)
        fitting.update(patterns)
    rows = {row for name in reached for row in record["domains"].get(name, ())}
    if not paths:
        return rows
    languages = {language_of(path) for path in paths}
    for row in rows & record["narrow"].keys():
        number, wanted = record["narrow"][row]
        if (number >= 0 and number not in fitting) or (
            wanted
            and not any(same_language(w, found) for w in wanted for found in languages)
        ):
            rows.discard(row)
    return rows


def order(
    record: "Mapping[str, Any]", scope: set[int], scored: "Mapping[int, float]"
) -> list[int]:
    """All rows that are in: project before domain, scored before unscored."""
    project, rank = record["project"], record["rank"]

    def by_score(row: int) -> tuple[float, int]:
        return -scored[row], rank[row]

    always = set(project)
    return [
        *sorted(always & scored.keys(), key=by_score),
        *(row for row in project if row not in scored),
        *sorted(scored.keys() - always, key=by_score),
        *sorted(scope - scored.keys(), key=rank.__getitem__),
    ]
