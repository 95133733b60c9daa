"""How well relevance finds the requirements that matter for a task.

    python -m benchmarks.retrieval --data DIR [--embedder NAME]
    python -m benchmarks.retrieval --data DIR --floor-of FOLDER

DIR holds `projects.jsonl` (requirements by project) and `tasks.jsonl` (task texts, each
with its relevant requirements: grade 2 must be known, 1 is useful). Each project is a
store of its own, judged by the very code that `git intent preview` runs, and BM25 in
the same run. Measures: nDCG@10 over both grades, recall@5 of grade 2; of what reaches
the floor the precision over both grades and the recall of grade 2.

`hints` says what the hints of the extractor add: recall@5 without and with them, for
the tasks as they are and without the words that the requirements to be known have
themselves. The documents that these are from lie in `DIR/../*/docs`.

`held_out` asks what the floor is worth where it was not chosen: for each project it is
the one with the best F1 over all other projects. `off_topic` are tasks that no software
project has a rule for, against 500 requirements of all projects in one store, without
hints and with them. The second form measures the floor of a model: it belongs to the
very bytes of the model, and `tools/build_model.py pack --floor` keeps it with them.
"""

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.off_topic import TASKS
from git_intent.embed.backends import resolve
from git_intent.embed.index import update
from git_intent.embed.model import Model
from git_intent.embed.rank import rank
from git_intent.embed.relevance import STRICT, embedded
from git_intent.scan.document import Mode, statements
from git_intent.scan.hints import hints
from git_intent.scan.statement import Statement

MANY = 500
Scores = Mapping[str, float]
_WORD = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Item:
    """A requirement, as relevance wants it."""

    id: str
    texts: Sequence[str]
    domains: Sequence[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of one task, and what is relevant to it."""

    project: str
    scores: Scores
    relevant: Mapping[str, int]

    @property
    def ranked(self) -> list[str]:
        return sorted(self.scores, key=lambda id_: (-self.scores[id_], id_))


def measure(data: Path, embedder: str = "") -> dict[str, Any]:
    """The figures by system, and the model they belong to."""
    tasks = defaultdict(list)
    for task in _lines(data / "tasks.jsonl"):
        tasks[task["project"]].append(task)
    projects = {p["project"]: _items(p) for p in _lines(data / "projects.jsonl")}
    hinted = _with_hints(data)
    backend = resolve([], None, embedder, False, {})
    ours, words = [], []
    for name, items in projects.items():
        score, by_word = _scorer(items, embedder), _by_word(items)
        for task in tasks[name]:
            ours.append(Judged(name, score(task["text"]), task["relevant"]))
            words.append(Judged(name, by_word(task["text"]), task["relevant"]))
    return {
        "model": backend.id,
        "tasks": len(ours),
        "ours": {**_quality(ours), **_selected(ours, backend.floor)},
        "hints": _hinted(data, tasks, hinted, embedder),
        "held_out": _held_out(ours),
        "bm25": _quality(words),
        "off_topic": _off_topic(projects, embedder, backend.floor),
        "off_topic_with_hints": _off_topic(hinted, embedder, backend.floor),
    }


def _hinted(
    data: Path,
    tasks: Mapping[str, Sequence[Any]],
    hinted: Mapping[str, Sequence[Item]],
    embedder: str,
) -> dict[str, float]:
    """Recall@5 without and with hints; `bare` is without the words that rules have."""
    found: dict[str, list[Judged]] = defaultdict(list)
    for project in _lines(data / "projects.jsonl"):
        name = project["project"]
        text = {r["id"]: r["text"] for r in project["requirements"]}
        for kind, items in (("without", _items(project)), ("with", hinted[name])):
            score = _scorer(items, embedder)
            for task in tasks[name]:
                must = [text[id_] for id_, g in task["relevant"].items() if g == 2]
                bare = _without(task["text"], must)
                for key, query in ((kind, task["text"]), (f"bare_{kind}", bare)):
                    found[key].append(Judged(name, score(query), task["relevant"]))
    return {key: _quality(judged)["recall5"] for key, judged in found.items()}


def _with_hints(data: Path) -> dict[str, list[Item]]:
    """The requirements by project, with the hints that a scan gives them."""
    places = _Places(data.parent)
    return {
        project["project"]: [
            Item(
                i.id,
                (*i.texts, *hints(i.texts[0], places.headings(**r["source"]))),
                i.domains,
            )
            for i, r in zip(_items(project), project["requirements"], strict=True)
        ]
        for project in _lines(data / "projects.jsonl")
    }


def _without(task: str, texts: Iterable[str]) -> str:
    """The task without the words of more than three letters that are in `texts`."""
    own = {w for text in texts for w in _WORD.findall(text.lower()) if len(w) > 3}
    return " ".join(w for w in task.split() if own.isdisjoint(_WORD.findall(w.lower())))


class _Places:
    """The headings over the lines of the labelled documents."""

    def __init__(self, data: Path) -> None:
        self._paths = {path.stem: path for path in sorted(data.glob("*/docs/*"))}
        self._read: dict[str, list[Statement]] = {}

    def headings(self, doc_id: str, line: int) -> tuple[str, ...]:
        if doc_id not in self._read:
            path = self._paths[doc_id]
            mode: Mode = "commit" if "commit-messages" in doc_id else "doc"
            text = path.read_text(encoding="utf-8")
            self._read[doc_id] = statements(text, path.name, mode)
        above = [s for s in self._read[doc_id] if s.line <= line]
        return above[-1].headings if above else ()


def _lines(path: Path) -> Iterable[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def _items(project: Mapping[str, Any]) -> list[Item]:
    return [
        Item(r["id"], (r["text"],), (r["domain"] or "general",))
        for r in project["requirements"]
    ]


def _scorer(items: Sequence[Item], embedder: str) -> Callable[[str], Scores]:
    backend = resolve(items, None, embedder, False, {})
    return lambda task: {id_: s.score for id_, s in backend.score(task).items()}


def _by_word(items: Sequence[Item]) -> Callable[[str], Scores]:
    """Plain BM25, k1 1.2, b 0.75."""
    counts = {i.id: Counter(_WORD.findall(i.texts[0].lower())) for i in items}
    frequency = Counter(word for count in counts.values() for word in count)
    mean = sum(count.total() for count in counts.values()) / len(counts)

    def weight(word: str, count: Counter[str]) -> float:
        seen = frequency[word]
        rarity = math.log(1 + (len(counts) - seen + 0.5) / (seen + 0.5))
        norm = 1.2 * (0.25 + 0.75 * count.total() / mean)
        return rarity * count[word] * 2.2 / (count[word] + norm)

    def scores(query: str) -> Scores:
        asked = set(_WORD.findall(query.lower()))
        return {id_: sum(weight(w, c) for w in asked) for id_, c in counts.items()}

    return scores


def _quality(judged: Sequence[Judged]) -> dict[str, float]:
    recall, gain = 0.0, 0.0
    for one in judged:
        must = {id_ for id_, grade in one.relevant.items() if grade == 2}
        ranked = one.ranked
        recall += len(must.intersection(ranked[:5])) / len(must)
        gains = [one.relevant.get(id_, 0) for id_ in ranked]
        gain += _dcg(gains) / _dcg(sorted(one.relevant.values(), reverse=True))
    return {
        "ndcg10": round(gain / len(judged), 3),
        "recall5": round(recall / len(judged), 3),
    }


def _dcg(grades: Sequence[int]) -> float:
    best = enumerate(grades[:10])
    return math.fsum(
        float(2**grade - 1) / math.log2(place + 2) for place, grade in best
    )


def _selected(judged: Sequence[Judged], floor: float) -> dict[str, float]:
    return _rates(judged, lambda _: floor)


def _held_out(judged: Sequence[Judged]) -> dict[str, float]:
    """With the floor that is best for all other projects."""
    floors = {}
    for name in {one.project for one in judged}:
        others = [one for one in judged if one.project != name]
        steps = [step / 100 for step in range(10, 95)]
        floors[name] = max(steps, key=lambda floor: _f1(others, floor))
    return _rates(judged, lambda one: floors[one.project])


def _f1(judged: Sequence[Judged], floor: float) -> float:
    chosen = [
        id_ in j.relevant for j in judged for id_ in j.scores if j.scores[id_] >= floor
    ]
    return 2 * sum(chosen) / (len(chosen) + sum(len(j.relevant) for j in judged))


def _rates(
    judged: Sequence[Judged], floor: Callable[[Judged], float]
) -> dict[str, float]:
    count: Counter[str] = Counter()
    for one in judged:
        chosen = {id_ for id_, s in one.scores.items() if s >= floor(one)}
        must = {id_ for id_, grade in one.relevant.items() if grade == 2}
        count.update(
            chosen=len(chosen),
            right=len(chosen & one.relevant.keys()),
            must=len(must),
            got=len(chosen & must),
        )
    return {
        "per_task": round(count["chosen"] / len(judged), 2),
        "precision": round(count["right"] / max(1, count["chosen"]), 3),
        "recall_must": round(count["got"] / count["must"], 3),
    }


def _off_topic(
    projects: Mapping[str, Sequence[Item]], embedder: str, floor: float
) -> dict[str, float]:
    """Lines that 20 such tasks select on average, with either floor."""
    both = [
        Item(f"{name}-{item.id}", item.texts, item.domains)
        for name, items in projects.items()
        for item in items
    ]
    score = _scorer(both[:MANY], embedder)
    found = [value for task in TASKS for value in score(task).values()]
    share = 20 / len(TASKS)
    return {
        "tasks": len(TASKS),
        "lines_for_20": round(share * sum(v >= floor for v in found), 2),
        "strict_lines_for_20": round(share * sum(v >= STRICT for v in found), 2),
    }


def cosine_floor(data: Path, folder: str) -> dict[str, float]:
    """The cosine with the best F1 over both grades, for the model in a folder."""
    model = Model.open(folder)
    judged = []
    projects = {p["project"]: _items(p) for p in _lines(data / "projects.jsonl")}
    indexes = {
        name: update(None, embedded(items), model).index
        for name, items in projects.items()
    }
    for task in _lines(data / "tasks.jsonl"):
        found = dict(rank(indexes[task["project"]], model.embed(task["text"])))
        judged.append(Judged(task["project"], found, task["relevant"]))
    floor = max((step / 100 for step in range(5, 60)), key=lambda f: _f1(judged, f))
    return {"floor": floor, "f1": round(_f1(judged, floor), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--embedder", default="", help="as in [intent] embedder")
    parser.add_argument("--floor-of", metavar="FOLDER", help="measure a model's floor")
    options = parser.parse_args()
    figures = (
        cosine_floor(options.data, options.floor_of)
        if options.floor_of
        else measure(options.data, options.embedder)
    )
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
