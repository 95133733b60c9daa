"""Train the statement classifier: `python -m tools.train_classifier --data DIR`.

Writes one weights file, trained on everything, or with `--folds N` one a fold, each
trained without the repositories of its fold, and `folds.json` that names these. The
recipe: L2-regularised logistic regression over hashed features with an idf weight, then
a second stage (its result and the means of the section and the page) fitted on
out-of-fold results, so that probabilities are calibrated. Deterministic: same data,
same bytes.
"""

import argparse
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize

from git_intent.scan import features
from git_intent.scan.classify import BUNDLED, FORM, page_logit, section_logits
from tools import labelled
from tools.labelled import Labelled

Floats = npt.NDArray[np.float64]

L2 = 2.0
L2_SECOND = 1.0
ITERATIONS = 30
TOLERANCE = 1e-4  # of the mean weight
FOLDS = 8  # of the out-of-fold results; as many as `make cv` has, so they share fits
# The least probability of each tier, read off the cross-validated curves of
# `benchmarks/extraction.py`. Commits and prompts need a better precision than documents
# for the same tier: few of their sentences are rules.
TIERS = {
    "doc": {"high": 0.86, "medium": 0.68, "low": 0.38},
    "commit": {"high": 0.95, "medium": 0.55, "low": 0.30},
    "prompt": {"high": 0.95, "medium": 0.70, "low": 0.30},
}


@dataclass(frozen=True, slots=True)
class Material:
    """The documents with the features of all their statements, row by row."""

    documents: Sequence[Labelled]
    rows: Any  # a scipy CSR matrix, one row a statement
    labels: Floats
    weights: Floats
    owner: npt.NDArray[np.int64]  # the index of the document of each row

    def folds(self, count: int) -> npt.NDArray[np.int64]:
        """The fold of each row."""
        fold_of = labelled.folds(self.documents, count)
        by_document = np.array([fold_of[d.repo] for d in self.documents])
        return np.asarray(by_document[self.owner])


@dataclass(frozen=True, slots=True)
class First:
    """The first stage."""

    weights: Floats
    bias: float

    def logits(self, rows: Any) -> Floats:
        return np.asarray(rows @ self.weights + self.bias)


def gather(documents: Sequence[Labelled]) -> Material:
    described = (
        blocks
        for d in documents
        for blocks in features.describe(d.statements, d.path, d.mode)
    )
    sizes = [len(document.statements) for document in documents]
    return Material(
        documents,
        matrix(described),
        np.array([x for d in documents for x in d.labels]),
        np.array([x for d in documents for x in d.weights]),
        np.repeat(np.arange(len(documents)), sizes),
    )


def matrix(described: Iterable[list[features.Block]]) -> Any:
    """A row of a sparse matrix for the features of each statement."""
    values, buckets, ends = array("d"), array("i"), array("i", [0])
    for blocks in described:
        for scale, its_buckets in blocks:
            buckets.extend(its_buckets)
            values.extend([scale] * len(its_buckets))
        ends.append(len(buckets))
    shape = (len(ends) - 1, 1 << features.BITS)
    parts = tuple(map(np.asarray, (values, buckets, ends)))
    rows = sparse.csr_matrix(parts, shape=shape, dtype=np.float64)
    rows.sum_duplicates()
    return rows


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


#: Fits of the first stage by the rows chosen: two folds share the one without both.
Fits = dict[bytes, First]


def held_out(material: Material, chosen: npt.NDArray[np.bool_], fits: Fits) -> Floats:
    """First-stage results of the chosen rows, each by a fit without its repository."""
    inner = material.folds(FOLDS)
    logits = np.zeros(len(chosen))
    for fold in range(FOLDS):
        target = chosen & (inner == fold)
        if target.any():
            rest = chosen & (inner != fold)
            if rest.tobytes() not in fits:
                fits[rest.tobytes()] = fit_first(material, rest)
            logits[target] = fits[rest.tobytes()].logits(material.rows[target])
    return logits


def fit_second(
    material: Material, chosen: npt.NDArray[np.bool_], logits: Floats
) -> dict[str, dict[str, float]]:
    """The second stage of each mode. Only documents look at their mean; a line of a
    prompt is judged by itself, whatever was pasted around it."""
    pages, sections = np.zeros(len(logits)), np.zeros(len(logits))
    modes = np.array([d.mode for d in material.documents])[material.owner]
    for index in np.unique(material.owner[chosen]):
        its = material.owner == index
        place = material.documents[index].statements
        pages[its] = page_logit(logits[its].tolist())
        sections[its] = section_logits(place, logits[its].tolist())
    pages[modes != "doc"] = sections[modes == "prompt"] = 0.0
    found = {}
    for mode, tiers in TIERS.items():
        its = chosen & (modes == mode)
        at = regress(
            np.column_stack([logits[its], sections[its], pages[its]]),
            material.labels[its],
            material.weights[its],
            L2_SECOND,
        )
        names = ("logit", "section", "page", "bias")
        stage = {n: round(float(v), 5) for n, v in zip(names, at, strict=True)}
        found[mode] = stage | tiers
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


def train(
    material: Material, chosen: npt.NDArray[np.bool_], fits: Fits | None = None
) -> bytes:
    known = {} if fits is None else fits
    second = fit_second(material, chosen, held_out(material, chosen, known))
    return pack(fit_first(material, chosen), second)


def train_folds(material: Material, count: int, out: Path) -> None:
    """One weights file a fold, and which repositories each has not seen."""
    out.mkdir(parents=True, exist_ok=True)
    folds = material.folds(count)
    fits: Fits = {}
    names = {}
    for fold in range(count):
        name = f"fold-{fold}.bin"
        chosen = folds != fold
        owners = np.unique(material.owner[~chosen])
        names[name] = sorted({material.documents[i].repo for i in owners})
        (out / name).write_bytes(train(material, chosen, fits))
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
