"""Train the statement classifier: `python tools/train_classifier.py --data DIR`.

Writes one weights file, trained on everything, or with `--folds N` one a fold, each
trained without the repositories of its fold, and `folds.json` that names these. The
recipe: L2-regularised logistic regression over hashed features with an idf weight, then
a second stage (its result and the document's mean) fitted on out-of-fold results, so
that probabilities are calibrated. Deterministic: same data, same bytes.
"""

import argparse
import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize

from git_intent.scan import features
from git_intent.scan.classify import BUNDLED, FORM, page_logit
from tools import labelled
from tools.labelled import Labelled

Floats = npt.NDArray[np.float64]

L2 = 2.0
L2_SECOND = 1.0
ITERATIONS = 100
INNER_FOLDS = 5
# The least probability of each tier, read off the cross-validated curves of
# `benchmarks/extraction.py`. Commits and prompts need a better precision than documents
# for the same tier: few of their sentences are rules.
TIERS = {
    "doc": {"high": 0.82, "medium": 0.60, "low": 0.38},
    "commit": {"high": 0.95, "medium": 0.60, "low": 0.30},
    "prompt": {"high": 0.95, "medium": 0.75, "low": 0.40},
}


@dataclass(frozen=True, slots=True)
class Material:
    """The documents with the features of all their statements, row by row."""

    documents: Sequence[Labelled]
    rows: Any  # a scipy CSR matrix, one row a statement
    labels: Floats
    weights: Floats
    owner: npt.NDArray[np.int64]  # the index of the document of each row


@dataclass(frozen=True, slots=True)
class First:
    """The first stage."""

    weights: Floats
    bias: float

    def logits(self, rows: Any) -> Floats:
        return np.asarray(rows @ self.weights + self.bias)


def gather(documents: Sequence[Labelled]) -> Material:
    values: list[float] = []
    buckets: list[int] = []
    ends = [0]
    for document in documents:
        place = document.statements
        for blocks in features.describe(place, document.path, document.mode):
            for scale, its_buckets in blocks:
                buckets += its_buckets
                values += [scale] * len(its_buckets)
            ends.append(len(buckets))
    shape = (len(ends) - 1, 1 << features.BITS)
    rows = sparse.csr_matrix((values, buckets, ends), shape=shape, dtype=np.float64)
    rows.sum_duplicates()
    sizes = [len(document.statements) for document in documents]
    return Material(
        documents,
        rows,
        np.array([x for d in documents for x in d.labels]),
        np.array([x for d in documents for x in d.weights]),
        np.repeat(np.arange(len(documents)), sizes),
    )


def fit_first(material: Material, chosen: npt.NDArray[np.bool_]) -> First:
    """Fit the first stage on the chosen rows; features seen once are dropped."""
    rows = material.rows[chosen]
    seen = np.bincount(rows.indices, minlength=rows.shape[1])
    idf = np.where(seen >= 2, np.log(rows.shape[0] / np.maximum(seen, 1)) / 4, 0.0)
    kept = np.flatnonzero(idf)
    scaled = (rows[:, kept] @ sparse.diags(idf[kept])).tocsr()
    answer = regress(scaled, material.labels[chosen], material.weights[chosen], L2)
    weights = np.zeros(rows.shape[1])
    weights[kept] = answer[:-1] * idf[kept]
    return First(weights, float(answer[-1]))


def regress(rows: Any, labels: Floats, weights: Floats, l2: float) -> Floats:
    """Weighted logistic regression; the last number of the answer is the bias."""
    turned = rows.T.tocsr() if sparse.issparse(rows) else rows.T

    def loss(at: Floats) -> tuple[float, Floats]:
        z = rows @ at[:-1] + at[-1]
        error = weights * (1 / (1 + np.exp(-z)) - labels)
        total = (weights * (np.logaddexp(0, z) - labels * z)).sum()
        slope = np.append(turned @ error + l2 * at[:-1], error.sum())
        return float(total + l2 / 2 * at[:-1] @ at[:-1]), slope

    start = np.zeros(rows.shape[1] + 1)
    options = {"maxiter": ITERATIONS}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x)


def held_out(material: Material, chosen: npt.NDArray[np.bool_]) -> Floats:
    """First-stage results of the chosen rows, each by a fit without its repository."""
    fold_of = labelled.folds(material.documents, INNER_FOLDS)
    by_document = np.array([fold_of[d.repo] for d in material.documents])
    inner = by_document[material.owner]
    logits = np.zeros(len(material.labels))
    for fold in range(INNER_FOLDS):
        target = chosen & (inner == fold)
        if target.any():
            first = fit_first(material, chosen & (inner != fold))
            logits[target] = first.logits(material.rows[target])
    return logits


def fit_second(
    material: Material, chosen: npt.NDArray[np.bool_], logits: Floats
) -> dict[str, dict[str, float]]:
    """The second stage of each mode; only documents look at their mean."""
    pages = np.zeros(len(logits))
    modes = np.array([d.mode for d in material.documents])[material.owner]
    for index in np.unique(material.owner[chosen]):
        its = material.owner == index
        pages[its] = page_logit(logits[its].tolist())
    found = {}
    for mode, tiers in TIERS.items():
        its = chosen & (modes == mode)
        columns = [logits[its], pages[its] if mode == "doc" else np.zeros(its.sum())]
        at = regress(
            np.column_stack(columns),
            material.labels[its],
            material.weights[its],
            L2_SECOND,
        )
        stage = {"logit": at[0], "page": at[1], "bias": at[2]}
        found[mode] = {k: round(float(v), 5) for k, v in stage.items()} | tiers
    return found


def pack(first: First, modes: dict[str, dict[str, float]]) -> bytes:
    """The bytes of a weights file; `scan.classify` tells their format."""
    scale = np.abs(first.weights).max() / 127**2
    roots = np.sqrt(np.abs(first.weights) / scale)
    packed = (np.sign(first.weights) * np.rint(roots)).astype(np.int8)
    header = {
        "form": FORM,
        "features": features.VERSION,
        "scale": float(f"{scale:.8g}"),
        "bias": round(first.bias, 6),
        "modes": modes,
    }
    line = json.dumps(header, sort_keys=True).encode()
    return line + b"\n" + zlib.compress(packed.tobytes(), 9)


def train(material: Material, chosen: npt.NDArray[np.bool_]) -> bytes:
    second = fit_second(material, chosen, held_out(material, chosen))
    return pack(fit_first(material, chosen), second)


def train_folds(material: Material, count: int, out: Path) -> None:
    """One weights file a fold, and which repositories each has not seen."""
    out.mkdir(parents=True, exist_ok=True)
    fold_of = labelled.folds(material.documents, count)
    by_document = np.array([fold_of[d.repo] for d in material.documents])
    names = {}
    for fold in range(count):
        name = f"fold-{fold}.bin"
        names[name] = sorted(repo for repo, its in fold_of.items() if its == fold)
        chosen = by_document[material.owner] != fold
        (out / name).write_bytes(train(material, chosen))
        print(f"{name}: {chosen.sum()} statements", file=sys.stderr)
    (out / "folds.json").write_text(json.dumps(names, indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the labelled data")
    parser.add_argument("--folds", type=int, default=0, help="one weights file a fold")
    parser.add_argument("--out", type=Path, help="a file, or with --folds a folder")
    options = parser.parse_args()
    material = gather(list(labelled.documents(options.data)))
    if options.folds:
        train_folds(material, options.folds, options.out or Path("out/folds"))
        return
    out = options.out or BUNDLED
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(train(material, np.ones(len(material.labels), dtype=bool)))


if __name__ == "__main__":
    main()
