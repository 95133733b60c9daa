"""Labelled documents, aligned with the statements that our parsers find in them.

Reads folders of `docs/<doc_id>.md` and `statements.jsonl` (one JSON object a labelled
statement: doc_id, repo, path, kind, line, text, label, borderline). A statement of ours
gets the label of the rows it covers: most of their words, near their line.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_intent.scan.document import Mode, statements
from git_intent.scan.statement import Statement

SETS = ("corpus", "ordinary", "rules", "commits", "chats")
BORDERLINE = 0.6  # the weight of a row that a careful reader could label otherwise
UNLABELLED = 0.5  # the weight of a statement that no row covers: taken for no intent

_MODES: dict[str, Mode] = {"commits": "commit", "chat": "prompt"}
_WORD = re.compile(r"[\w'-]+")
_TARGET = re.compile(r"\]\([^)]*\)")
_NEAR = 4  # lines


@dataclass(frozen=True, slots=True)
class Labelled:
    """One document: `labels` and `weights` run along with `statements`."""

    set: str
    repo: str
    path: str
    mode: Mode
    statements: tuple[Statement, ...]
    labels: tuple[float, ...]
    weights: tuple[float, ...]


def documents(data: Path, sets: Sequence[str] = SETS) -> Iterator[Labelled]:
    """All documents of the sets in the folder `data`."""
    for name in sets:
        rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
        with open(data / name / "statements.jsonl", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                rows[row["doc_id"]].append(row)
        for doc_id, its_rows in rows.items():
            text = (data / name / "docs" / f"{doc_id}.md").read_text(encoding="utf-8")
            yield _align(name, text, its_rows)


def place_of(row: dict[str, Any]) -> tuple[str, Mode]:
    """The path and the mode that the document of a row is read with."""
    mode = _MODES.get(row["kind"], "doc")
    return (row["path"] if mode == "doc" else f"docs/{mode}.md"), mode


def _align(name: str, text: str, rows: list[dict[str, Any]]) -> Labelled:
    path, mode = place_of(rows[0])
    found = tuple(statements(text, path, mode))
    bags = [_bag(row["text"]) for row in rows]
    labels, weights = [], []
    for statement in found:
        label, weight = _judge(statement, rows, bags)
        labels.append(label)
        weights.append(weight)
    return Labelled(
        name, rows[0]["repo"], path, mode, found, tuple(labels), tuple(weights)
    )


def _judge(
    statement: Statement, rows: list[dict[str, Any]], bags: list[Counter[str]]
) -> tuple[float, float]:
    """Label and weight of a statement."""
    bag = _bag(statement.text)
    near = [i for i, r in enumerate(rows) if abs(r["line"] - statement.line) <= _NEAR]
    covered = [rows[i] for i in near if _share(bags[i], bag) >= 0.8]
    if not covered:  # perhaps a part of a row
        parts = [(_share(bag, bags[i]), i) for i in near]
        share, best = max(parts, default=(0.0, 0))
        if share < 0.7:
            return 0.0, UNLABELLED
        covered = [rows[best]]
    positive = sum(row["label"] for row in covered)
    doubtful = all(row["borderline"] for row in covered)
    return float(positive * 2 >= len(covered)), BORDERLINE if doubtful else 1.0


def _bag(text: str) -> Counter[str]:
    return Counter(w.lower() for w in _WORD.findall(_TARGET.sub("]", text)))


def _share(part: Counter[str], whole: Counter[str]) -> float:
    """The share of the words of `part` that `whole` holds."""
    size = part.total()
    return (part & whole).total() / size if size else 0.0


def folds(
    found: Sequence[Labelled], count: int, half_of: Callable[[str], int] = lambda _: 0
) -> dict[str, int]:
    """Each repository's fold: the largest first, each to the smallest fold so far.

    No fold holds repositories of both halves, if there are two halves and two folds:
    half 0 is in the even folds, half 1 in the odd ones.
    """
    sizes: Counter[str] = Counter()
    for document in found:
        sizes[document.repo] += len(document.statements)
    halves = {repo: half_of(repo) for repo in sizes}
    step = 1 + (len(set(halves.values())) > 1 and count > 1)
    loads = [0] * count
    chosen = {}
    for repo, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        fold = min(range(halves[repo] * (step - 1), count, step), key=loads.__getitem__)
        chosen[repo] = fold
        loads[fold] += size
    return chosen
