"""How well the bundled model finds the requirements that matter for a task.

    python -m benchmarks.retrieval --data DIR [--model FOLDER]

DIR holds `projects.jsonl` (requirements by project) and `tasks.jsonl` (task texts, each
with its relevant requirements: grade 2 must be known, 1 is useful). Measured against
BM25 in the same run: R@5 and nDCG@10 over grade 2, and the floor on the cosine that
gives the best F1 over grades 1 and 2.
"""

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from git_intent.embed.index import update
from git_intent.embed.model import BUNDLED, Model
from git_intent.embed.rank import rank

Ranking = list[tuple[str, float]]
_WORD = re.compile(r"[a-z0-9_]+")


def measure(data: Path, folder: str = BUNDLED) -> dict[str, Any]:
    """The figures by system, and the model they belong to."""
    tasks = defaultdict(list)
    for task in _lines(data / "tasks.jsonl"):
        tasks[task["project"]].append(task)
    model = Model.open(folder)
    ours, words = [], []
    for project in _lines(data / "projects.jsonl"):
        texts = {r["id"]: [r["text"]] for r in project["requirements"]}
        by_meaning, by_word = _by_meaning(texts, model), _by_word(texts)
        for task in tasks[project["project"]]:
            ours.append((by_meaning(task["text"]), task["relevant"]))
            words.append((by_word(task["text"]), task["relevant"]))
    return {
        "model": model.id,
        "tasks": len(ours),
        "static": {**_quality(ours), **_best_floor(ours)},
        "bm25": _quality(words),
    }


def _lines(path: Path) -> Iterable[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def _by_meaning(texts: dict[str, list[str]], model: Model) -> Callable[[str], Ranking]:
    with TemporaryDirectory() as folder:
        index = update(Path(folder), texts, model).index
    return lambda query: rank(index, model.embed(query))


def _by_word(texts: dict[str, list[str]]) -> Callable[[str], Ranking]:
    """Plain BM25, k1 1.2, b 0.75."""
    counts = {id_: Counter(_WORD.findall(t[0].lower())) for id_, t in texts.items()}
    frequency = Counter(word for count in counts.values() for word in count)
    mean = sum(count.total() for count in counts.values()) / len(counts)

    def weight(word: str, count: Counter[str]) -> float:
        seen = frequency[word]
        rarity = math.log(1 + (len(counts) - seen + 0.5) / (seen + 0.5))
        norm = 1.2 * (0.25 + 0.75 * count.total() / mean)
        return rarity * count[word] * 2.2 / (count[word] + norm)

    def ranked(query: str) -> Ranking:
        asked = set(_WORD.findall(query.lower()))
        scores = {id_: sum(weight(w, c) for w in asked) for id_, c in counts.items()}
        return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))

    return ranked


def _quality(rankings: list[tuple[Ranking, dict[str, int]]]) -> dict[str, float]:
    recall, gain, counted = 0.0, 0.0, 0
    for ranking, relevant in rankings:
        must = {id_ for id_, grade in relevant.items() if grade == 2}
        if not must:
            continue
        counted += 1
        places = [place for place, (id_, _) in enumerate(ranking) if id_ in must]
        recall += sum(place < 5 for place in places) / len(must)
        best = sum(1 / math.log2(place + 2) for place in range(min(10, len(must))))
        gain += sum(1 / math.log2(p + 2) for p in places if p < 10) / best
    return {"r5": round(recall / counted, 3), "ndcg10": round(gain / counted, 3)}


def _best_floor(rankings: list[tuple[Ranking, dict[str, int]]]) -> dict[str, float]:
    wanted = sum(len(relevant) for _, relevant in rankings)
    found = {"floor": 0.0, "f1": 0.0}
    for step in range(5, 60):
        floor = step / 100
        kept = [
            id_ in relevant
            for ranking, relevant in rankings
            for id_, score in ranking
            if score >= floor
        ]
        f1 = 2 * sum(kept) / (len(kept) + wanted)
        if f1 > found["f1"]:
            found = {
                "floor": floor,
                "f1": round(f1, 3),
                "precision": round(sum(kept) / len(kept), 3),
                "recall": round(sum(kept) / wanted, 3),
            }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default=BUNDLED)
    options = parser.parse_args()
    print(json.dumps(measure(options.data, options.model), indent=1))


if __name__ == "__main__":
    main()
