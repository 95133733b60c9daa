"""Extraction quality, cross-validated by repository: `make cv`.

Trains one classifier a fold with `tools/train_classifier.py`, has every labelled
document extracted by the classifier that never saw its repository, and scores the
candidates with the judge that comes with the data (`score_extraction.py`: a candidate
is right when what it covers is mostly durable intent). Counts are added up over the
folds. Exit 1 if a bar is missed.

The first run downloads the packages whose documentation has soft labels; without them
the classifiers are a little worse. The candidates come from the real `git intent
extract` in a repository a document, which takes a quarter of an hour; `--in-process`
asks the same extractor without git, to compare variants. The last column is the F1 of a
keyword rule.
"""

import argparse
import importlib.util
import json
import os
import shlex
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from git_intent.scan.artifacts import Source
from git_intent.scan.builtin import Extractor
from git_intent.scan.classify import Classifier
from git_intent.scan.topics import usual_domains
from git_intent.store.requirement import Kind
from tools import labelled, package_texts, train_classifier

SETS = labelled.SETS
WRITTEN = ("high", "medium")
KINDS = {"doc": Kind.DOC, "commit": Kind.COMMIT, "prompt": Kind.PROMPT}
F1, PRECISION = "f1", "precision"
# set, tiers, figure, the least that will do
BARS = (
    ("corpus", "all", F1, 0.81),
    ("ordinary", "all", F1, 0.65),
    ("corpus", "clear", F1, 0.85),
    ("ordinary", "clear", F1, 0.72),
    ("rules", "all", F1, 0.85),
    ("commits", "all", F1, 0.50),
    ("chats", "all", F1, 0.70),
    *((name, "high", PRECISION, 0.90) for name in ("corpus", "ordinary", "rules")),
    *((name, "medium", PRECISION, 0.75) for name in ("corpus", "ordinary", "rules")),
)

Rows = list[dict[str, Any]]
Candidates = list[dict[str, Any]]
Extract = Callable[[dict[str, Any], str], Candidates]


@dataclass(frozen=True, slots=True)
class Document:
    set: str
    text: str
    rows: Rows


@dataclass(slots=True)
class Tally:
    """Counts of one set, or of one kind of document in it, by the tiers looked at."""

    all: Counter[str] = field(default_factory=Counter)
    clear: Counter[str] = field(default_factory=Counter)
    written: Counter[str] = field(default_factory=Counter)
    medium: Counter[str] = field(default_factory=Counter)
    high: Counter[str] = field(default_factory=Counter)
    keyword: Counter[str] = field(default_factory=Counter)


def load_judge(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score_extraction", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path}: not a Python file")
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    return judge


def documents(data: Path, sets: list[str]) -> Iterator[Document]:
    for name in sets:
        rows: dict[str, Rows] = defaultdict(list)
        with open(data / name / "statements.jsonl", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                rows[row["doc_id"]].append(row)
        for doc_id, its_rows in rows.items():
            text = (data / name / "docs" / f"{doc_id}.md").read_text(encoding="utf-8")
            yield Document(name, text, its_rows)


def by_command(judge: Any, command: str, weights: Path) -> Extract:
    """The candidates that the command prints, with these weights."""

    def extract(row: dict[str, Any], text: str) -> Candidates:
        os.environ["GIT_INTENT_CLASSIFIER"] = str(weights)
        found: Candidates = judge.extract(command, row, text)
        return found

    return extract


def in_process(weights: Path) -> Extract:
    """The candidates of the same extractor, without git and without a process."""
    now = datetime.now(UTC)
    extractor = Extractor(Classifier.load(weights), usual_domains(), now)

    def extract(row: dict[str, Any], text: str) -> Candidates:
        path, mode = labelled.place_of(row)
        source = Source(KINDS[mode], ref=path, text=text, path=path)
        return [
            {"line": c.line, "statement": c.statement, "confidence": c.confidence}
            for c in extractor.read(source).candidates
        ]

    return extract


def count(judge: Any, document: Document, candidates: Candidates) -> Tally:
    rows = document.rows
    hits = judge.match(rows, candidates)

    def of(tiers: tuple[str, ...], skip_borderline: bool = False) -> Counter[str]:
        chosen = [
            h for c, h in zip(candidates, hits, strict=True) if c["tier"] in tiers
        ]
        counts: Counter[str] = judge.score(rows, chosen, skip_borderline)
        return counts

    for candidate in candidates:
        candidate["tier"] = str(candidate["confidence"])
    every = ("high", "medium", "low")
    keywords = [
        [i]
        for i, row in enumerate(rows)
        if judge.KEYWORD.search(row["text"]) and row["segment"] != "fence"
    ]
    return Tally(
        of(every),
        of(every, True),
        of(WRITTEN),
        of(("medium",)),
        of(("high",)),
        judge.score(rows, keywords, False),
    )


def add(total: Tally, more: Tally) -> None:
    for name in ("all", "clear", "written", "medium", "high", "keyword"):
        getattr(total, name).update(getattr(more, name))


def measure(options: argparse.Namespace, judge: Any) -> dict[str, Tally]:
    """The tally of each set, and of each kind of document as `set/kind`."""
    material = train_classifier.load(options.data, options.packages)
    totals: dict[str, Tally] = defaultdict(Tally)
    with tempfile.TemporaryDirectory(prefix="git-intent-folds-") as folder:
        train_classifier.train_folds(material, options.folds, Path(folder))
        folds = json.loads((Path(folder) / "folds.json").read_text("utf-8"))
        fold_of = {repo: name for name, repos in folds.items() for repo in repos}
        extractors = {
            name: in_process(Path(folder) / name)
            if options.in_process
            else by_command(judge, options.command, Path(folder) / name)
            for name in folds
        }
        for document in documents(options.data, options.sets.split(",")):
            first = document.rows[0]
            candidates = extractors[fold_of[first["repo"]]](first, document.text)
            tally = count(judge, document, candidates)
            add(totals[document.set], tally)
            add(totals[f"{document.set}/{first['kind']}"], tally)
    return totals


def table(judge: Any, totals: dict[str, Tally]) -> str:
    """A Markdown table: a row a set, then a row a kind."""
    lines = [
        "| documents | P | R | F1 | clear | written P | R | medium P | high P | kw |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in sorted(totals, key=lambda n: ("/" in n, n)):
        tally = totals[name]
        every, written = judge.figures(tally.all), judge.figures(tally.written)
        medium, high = judge.figures(tally.medium), judge.figures(tally.high)
        cells = [
            *(every[key] for key in (PRECISION, "recall", F1)),
            judge.figures(tally.clear)[F1],
            f"{written[PRECISION]} of {written['candidates']}",
            written["recall"],
            f"{medium[PRECISION]} of {medium['candidates']}",
            f"{high[PRECISION]} of {high['candidates']}",
            judge.figures(tally.keyword)[F1],
        ]
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def missed(judge: Any, totals: dict[str, Tally]) -> list[str]:
    """The bars that were measured and not reached."""
    found = []
    for name, tiers, figure, least in BARS:
        if name in totals:
            reached = judge.figures(getattr(totals[name], tiers))[figure]
            if reached < least:
                found.append(f"{name}: {tiers} {figure} {reached}, bar {least}")
    return found


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description="Cross-validate extraction.")
    parser.add_argument("--data", type=Path, required=True, help="the labelled data")
    parser.add_argument("--judge", type=Path, help="score_extraction.py")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--folds", type=int, default=8)
    parser.add_argument("--in-process", action="store_true", help="without the command")
    parser.add_argument("--packages", type=Path, default=package_texts.CACHE)
    command = f"{shlex.quote(sys.executable)} -m git_intent"
    parser.add_argument("--command", default=command, help="instead of this checkout's")
    options = parser.parse_args()
    os.environ.setdefault("PYTHONPATH", str(root))
    judge_path = options.judge or options.data / "../tools/score_extraction.py"
    judge = load_judge(judge_path.resolve())
    totals = measure(options, judge)
    print(table(judge, totals))
    for line in missed(judge, totals):
        raise SystemExit(line)


if __name__ == "__main__":
    main()
