"""How well scope tells rules for the whole project from rules of one domain.

    python -m benchmarks.scope --data DIR [--show N]

DIR holds folders of `docs/<doc_id>.md` and `statements.jsonl`; of the rows with label 1
`level` (project or domain) and `domain` are read. Each is found in its document by our
own parser, composed, and scoped among the topics that most projects have. Prints, for
each folder and for all: accuracy of the level and F1 of both levels, beside the answer
that is always "domain"; and, for the rows whose `domain` has a name that we have too,
how often we give that one (among all, and among those that we call domain level).
`--show` lists the first N wrong levels of each kind.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_intent.scan.compose import compose
from git_intent.scan.document import Mode, statements
from git_intent.scan.scope import scope_of
from git_intent.scan.statement import Statement
from git_intent.scan.topics import usual_domains
from git_intent.store.requirement import Level, Scope

NEAR = 4  # lines between a row and its statement
COVERED = 0.7  # the share of a row's words that its statement holds
_DOMAINS = usual_domains()
_NAMES = frozenset(domain.name for domain in _DOMAINS)
_MODES: dict[str, Mode] = {"commits": "commit", "chat": "prompt"}
_WORD = re.compile(r"[\w'-]+")
_TARGET = re.compile(r"\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled statement, as it reads, with the scope we give it."""

    level: Level
    domain: str
    scope: Scope
    said: str
    place: str

    @property
    def named(self) -> bool:
        return self.level is Level.DOMAIN and self.domain in _NAMES


def measure(data: Path) -> dict[str, Any]:
    """The figures by folder, and over all of them."""
    found = {path.parent.name: list(_judged(path.parent)) for path in _folders(data)}
    everything = [one for some in found.values() for one in some]
    return {name: figures(some) for name, some in (found | {"all": everything}).items()}


def _folders(data: Path) -> list[Path]:
    return sorted(data.glob("*/statements.jsonl"))


def _judged(folder: Path) -> Iterator[Judged]:
    documents: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with open(folder / "statements.jsonl", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["label"] == 1:
                documents[row["doc_id"]].append(row)
    for doc_id, rows in documents.items():
        mode = _MODES.get(rows[0]["kind"], "doc")
        path = rows[0]["path"] if mode == "doc" else ""
        text = (folder / "docs" / f"{doc_id}.md").read_text(encoding="utf-8")
        place = statements(text, path, mode)
        for row in rows:
            statement = _statement_of(row, place)
            if statement is not None:
                yield _scoped(row, statement, path)


def _scoped(row: Mapping[str, Any], statement: Statement, path: str) -> Judged:
    said = compose(statement, True).statement
    return Judged(
        Level(row["level"]),
        row["domain"] or "",
        scope_of(said, statement.headings, path, _DOMAINS),
        said,
        f"{row['doc_id']}:{row['line']} {' > '.join(statement.headings)}",
    )


def _statement_of(
    row: Mapping[str, Any], place: Sequence[Statement]
) -> Statement | None:
    """The statement near the row's line that shares most of its words."""
    bag = _bag(row["text"])
    near = [s for s in place if abs(s.line - row["line"]) <= NEAR]
    shares = [((bag & _bag(s.text)).total(), -abs(s.line - row["line"])) for s in near]
    best = max(zip(shares, range(len(near)), strict=True), default=None)
    if best is None or best[0][0] < COVERED * bag.total():
        return None
    return near[best[1]]


def _bag(text: str) -> Counter[str]:
    return Counter(w.lower() for w in _WORD.findall(_TARGET.sub("]", text)))


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    right = sum(one.scope.level is one.level for one in judged)
    wanted = sum(one.level is Level.DOMAIN for one in judged)
    named = [one for one in judged if one.named]
    scoped = [one for one in named if one.scope.domains]
    agree = sum(one.domain in one.scope.domains for one in named)
    return {
        "statements": len(judged),
        "accuracy": _ratio(right, len(judged)),
        "always_domain": _ratio(wanted, len(judged)),
        "f1_project": _f1(judged, Level.PROJECT),
        "f1_domain": _f1(judged, Level.DOMAIN),
        "named": len(named),
        "domain_agrees": _ratio(agree, len(named)),
        "domain_agrees_if_given": _ratio(agree, len(scoped)),
    }


def _f1(judged: Sequence[Judged], level: Level) -> float:
    said = sum(one.scope.level is level for one in judged)
    true = sum(one.level is level for one in judged)
    both = sum(one.scope.level is level is one.level for one in judged)
    return _ratio(2 * both, said + true)


def _ratio(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0


def _show(data: Path, count: int) -> None:
    for path in _folders(data):
        wrong = [j for j in _judged(path.parent) if j.scope.level is not j.level]
        for level in Level:
            for one in [j for j in wrong if j.level is level][:count]:
                print(f"{path.parent.name} is {level}: {one.said}  [{one.place}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0, metavar="N")
    options = parser.parse_args()
    print(json.dumps(measure(options.data), indent=1))
    _show(options.data, options.show)


if __name__ == "__main__":
    main()
