"""Train the statement classifier: `python -m tools.train_classifier --data DIR`.

Writes one weights file, trained on everything, or with `--folds N` one a fold, each
trained without the repositories of its fold, and `folds.json` that names these. The
recipe: two L2-regularised logistic regressions with an idf weight, over hashed features
and over hashed letters, then a second stage (their results and the means of the section
and the page) fitted on out-of-fold results, so that probabilities are calibrated.
Deterministic: same data, same bytes.

The letters also learn from the documentation of public packages, which two teachers
have judged (`tools/teacher.py`). A fit that must not know a repository believes the
teacher that has not seen it; so no fold holds repositories of both teachers' halves.
"""

import argparse
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize

from git_intent.scan import features, spelling
from git_intent.scan.classify import (
    BUNDLED,
    FACTORS,
    FORM,
    page_logit,
    section_logits,
    together,
)
from tools import labelled, package_texts, soft_labels
from tools.labelled import Labelled
from tools.soft_labels import SoftLabels

Floats = npt.NDArray[np.float64]

L2 = 2.0
L2_SECOND = 1.0
ITERATIONS = 30
TOLERANCE = 1e-4  # of the mean weight
FOLDS = 8  # of the out-of-fold results
SOFT = 0.1  # the weight of a teacher's label; a person's has 1
# The least probability of each tier, read off the cross-validated curves of
# `benchmarks/extraction.py`. Commits and prompts need a better precision than documents
# for the same tier: few of their sentences are rules.
TIERS = {
    "doc": {"high": 0.85, "medium": 0.65, "low": 0.42},
    "commit": {"high": 0.95, "medium": 0.55, "low": 0.30},
    "prompt": {"high": 0.95, "medium": 0.70, "low": 0.30},
}


@dataclass(frozen=True, slots=True)
class Lessons:
    """What the teachers say: a row a statement, a column a teacher."""

    spelt: Any  # a scipy CSR matrix
    logits: Floats
    unseen: SoftLabels

    def of(self, teachers: Sequence[int]) -> Floats:
        """The mean opinion of these teachers, as a probability."""
        return np.asarray(1 / (1 + np.exp(-self.logits[:, teachers].mean(axis=1))))


@dataclass(frozen=True, slots=True)
class Material:
    """The documents with the features of all their statements, row by row."""

    documents: Sequence[Labelled]
    rows: Any  # a scipy CSR matrix, one row a statement
    spelt: Any  # the same of their letters
    labels: Floats
    weights: Floats
    owner: npt.NDArray[np.int64]  # the index of the document of each row
    lessons: Lessons | None = None

    def half_of(self, repo: str) -> int:
        """The teacher that has not seen a repository."""
        return self.lessons.unseen.half(repo) if self.lessons else 0

    def halves(self) -> npt.NDArray[np.int64]:
        """The same of each row."""
        by_document = np.array([self.half_of(d.repo) for d in self.documents])
        return np.asarray(by_document[self.owner])

    def folds(self, count: int) -> npt.NDArray[np.int64]:
        """The fold of each row."""
        fold_of = labelled.folds(self.documents, count, self.half_of)
        by_document = np.array([fold_of[d.repo] for d in self.documents])
        return np.asarray(by_document[self.owner])


@dataclass(frozen=True, slots=True)
class Table:
    """One logistic regression."""

    weights: Floats
    bias: float

    def logits(self, rows: Any) -> Floats:
        return np.asarray(rows @ self.weights + self.bias)


class First(NamedTuple):
    """The first stage."""

    features: Table
    spelling: Table


class Logits(NamedTuple):
    """What each table of the first stage says of every statement."""

    features: Floats
    spelling: Floats


def gather(documents: Sequence[Labelled], lessons: Lessons | None = None) -> Material:
    described = (
        blocks
        for d in documents
        for blocks in features.describe(d.statements, d.path, d.mode)
    )
    texts = [s.text for d in documents for s in d.statements]
    sizes = [len(document.statements) for document in documents]
    return Material(
        documents,
        matrix(described, features.BITS),
        spelt(texts),
        np.array([x for d in documents for x in d.labels]),
        np.array([x for d in documents for x in d.weights]),
        np.repeat(np.arange(len(documents)), sizes),
        lessons,
    )


def learn(documents: Sequence[Labelled], cache: Path) -> Lessons:
    """The lessons of the packages' documentation, which is fetched if it is missing."""
    soft = soft_labels.read()
    files = package_texts.fetch(package_texts.pinned(), cache)
    known = [s.text for d in documents for s in d.statements]
    found = package_texts.statements_of(files, known)
    keyed = [(u, soft_labels.statement_key(u.statement, u.mode)) for u in found]
    judged = [(u.statement.text, soft.logits[k]) for u, k in keyed if k in soft.logits]
    missing = len(soft.logits) - len(judged)
    print(f"{len(judged)} soft labels, {missing} without a text", file=sys.stderr)
    logits = np.array([said for _, said in judged]).reshape(-1, soft_labels.TEACHERS)
    return Lessons(spelt([text for text, _ in judged]), logits, soft)


def spelt(texts: Iterable[str]) -> Any:
    """A row of a sparse matrix for the letters of each text."""
    return matrix(([spelling.describe(text)] for text in texts), spelling.BITS)


def matrix(described: Iterable[list[features.Block]], bits: int) -> Any:
    """A row of a sparse matrix for the features of each statement."""
    values, buckets, ends = array("d"), array("i"), array("i", [0])
    for blocks in described:
        for scale, its_buckets in blocks:
            buckets.extend(its_buckets)
            values.extend([scale] * len(its_buckets))
        ends.append(len(buckets))
    shape = (len(ends) - 1, 1 << bits)
    parts = tuple(map(np.asarray, (values, buckets, ends)))
    rows = sparse.csr_matrix(parts, shape=shape, dtype=np.float64)
    rows.sum_duplicates()
    return rows


def fit_first(material: Material, chosen: npt.NDArray[np.bool_]) -> First:
    """Fit the first stage on the chosen rows and on what the teachers may tell."""
    labels, weights = material.labels[chosen], material.weights[chosen]
    by_features = fit(material.rows[chosen], labels, weights)
    letters = material.spelt[chosen]
    unknown = set(material.halves()[~chosen].tolist())
    if material.lessons and len(unknown) < soft_labels.TEACHERS:
        told = material.lessons.of(sorted(unknown) or range(soft_labels.TEACHERS))
        letters = sparse.vstack([letters, material.lessons.spelt]).tocsr()
        labels = np.append(labels, told)
        weights = np.append(weights, np.full(len(told), SOFT))
    return First(by_features, fit(letters, labels, weights))


def fit(rows: Any, labels: Floats, weights: Floats) -> Table:
    """Fit one table; features seen once are dropped."""
    seen = np.bincount(rows.indices, minlength=rows.shape[1])
    idf = np.where(seen >= 2, np.log(rows.shape[0] / np.maximum(seen, 1)) / 4, 0.0)
    kept = np.flatnonzero(idf)
    scaled = (rows[:, kept] @ sparse.diags(idf[kept])).tocsr()
    answer = regress(scaled, labels, weights, L2)
    full = np.zeros(rows.shape[1])
    full[kept] = answer[:-1] * idf[kept]
    return Table(full, float(answer[-1]))


def regress(rows: Any, labels: Floats, weights: Floats, l2: float) -> Floats:
    """Weighted logistic regression; the last number of the answer is the bias."""
    turned = rows.T.tocsr() if sparse.issparse(rows) else rows.T

    def guess(at: Floats) -> Floats:
        return np.asarray(rows @ at[:-1] + at[-1])

    def loss(at: Floats) -> tuple[float, Floats]:
        z = guess(at)
        error = weights * (1 / (1 + np.exp(-z)) - labels)
        total = (weights * (np.logaddexp(0, z) - labels * z)).sum()
        slope = np.append(turned @ error + l2 * at[:-1], error.sum())
        return float(total + l2 / 2 * at[:-1] @ at[:-1]), slope

    def bend(at: Floats, along: Floats) -> Floats:
        """The Hessian times a vector."""
        p = 1 / (1 + np.exp(-guess(at)))
        change = weights * p * (1 - p) * guess(along)
        return np.append(turned @ change + l2 * along[:-1], change.sum())

    start = np.zeros(rows.shape[1] + 1)
    options = {"maxiter": ITERATIONS, "xtol": TOLERANCE}
    found = minimize(
        loss, start, jac=True, hessp=bend, method="Newton-CG", options=options
    )
    return np.asarray(found.x)


def held_out(material: Material, count: int) -> tuple[list[First], Logits]:
    """A first stage a fold, which has not seen it, and what each says of its fold."""
    folds = material.folds(count)
    fits = []
    found = Logits(np.zeros(len(folds)), np.zeros(len(folds)))
    for fold in range(count):
        its = folds == fold
        first = fit_first(material, ~its)
        fits.append(first)
        found.features[its] = first.features.logits(material.rows[its])
        found.spelling[its] = first.spelling.logits(material.spelt[its])
    return fits, found


def fit_second(
    material: Material, chosen: npt.NDArray[np.bool_], logits: Logits
) -> dict[str, dict[str, float]]:
    """The second stage of each mode, fitted on held-out results of the chosen rows.

    Only documents look at their mean; a line of a prompt is judged by itself, whatever
    was pasted around it.
    """
    near = np.array(together(logits.features.tolist(), logits.spelling.tolist()))
    pages, sections = np.zeros(len(near)), np.zeros(len(near))
    modes = np.array([d.mode for d in material.documents])[material.owner]
    for index in np.unique(material.owner[chosen]):
        its = material.owner == index
        place = material.documents[index].statements
        pages[its] = page_logit(near[its].tolist())
        sections[its] = section_logits(place, near[its].tolist())
    pages[modes != "doc"] = sections[modes == "prompt"] = 0.0
    results = np.column_stack([*logits, sections, pages])
    found = {}
    for mode, tiers in TIERS.items():
        its = chosen & (modes == mode)
        at = regress(
            results[its], material.labels[its], material.weights[its], L2_SECOND
        )
        stage = {n: round(float(v), 5) for n, v in zip(FACTORS, at, strict=True)}
        found[mode] = stage | tiers
    return found


def pack(first: First, modes: dict[str, dict[str, float]]) -> bytes:
    """The bytes of a weights file; `scan.classify` tells their format."""
    header: dict[str, Any] = {"form": FORM, "modes": modes}
    packed = b""
    for name, table, version in (
        ("features", first.features, features.VERSION),
        ("spelling", first.spelling, spelling.VERSION),
    ):
        scale = np.abs(table.weights).max() / 127**2
        roots = np.sqrt(np.abs(table.weights) / scale)
        packed += (np.sign(table.weights) * np.rint(roots)).astype(np.int8).tobytes()
        header[name] = {
            "version": version,
            "scale": float(f"{scale:.8g}"),
            "bias": round(table.bias, 6),
        }
    line = json.dumps(header, sort_keys=True).encode()
    return line + b"\n" + zlib.compress(packed, 9)


def train(material: Material) -> bytes:
    """One weights file, trained on everything."""
    everything = np.ones(len(material.labels), dtype=bool)
    second = fit_second(material, everything, held_out(material, FOLDS)[1])
    return pack(fit_first(material, everything), second)


def train_folds(material: Material, count: int, out: Path) -> None:
    """One weights file a fold, and which repositories each has not seen.

    The second stage of a fold, five numbers, is fitted on the held-out results of the
    other folds: the first stages that gave them had seen this fold. (Fitting those
    anew for every pair of folds takes nine times as long and changes no figure.)
    """
    out.mkdir(parents=True, exist_ok=True)
    folds = material.folds(count)
    fits, logits = held_out(material, count)
    names = {}
    for fold, first in enumerate(fits):
        name = f"fold-{fold}.bin"
        chosen = folds != fold
        owners = np.unique(material.owner[~chosen])
        names[name] = sorted({material.documents[i].repo for i in owners})
        (out / name).write_bytes(pack(first, fit_second(material, chosen, logits)))
        print(f"{name}: {chosen.sum()} statements", file=sys.stderr)
    (out / "folds.json").write_text(json.dumps(names, indent=1) + "\n", "utf-8")


def load(data: Path, cache: Path) -> Material:
    """The labelled data, and what the teachers say."""
    documents = list(labelled.documents(data))
    return gather(documents, learn(documents, cache))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the labelled data")
    parser.add_argument("--folds", type=int, default=0, help="one weights file a fold")
    parser.add_argument("--packages", type=Path, default=package_texts.CACHE)
    parser.add_argument("--out", type=Path, help="a file, or with --folds a folder")
    options = parser.parse_args()
    material = load(options.data, options.packages)
    if options.folds:
        train_folds(material, options.folds, options.out or Path("out/folds"))
        return
    out = options.out or BUNDLED
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(train(material))


if __name__ == "__main__":
    main()
