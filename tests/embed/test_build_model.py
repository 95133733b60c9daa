"""Packing a model, and the sentences that training reads."""

import json
import shutil
from pathlib import Path

import numpy
import pytest

from git_intent.embed import bulk
from git_intent.embed.errors import ModelError
from git_intent.embed.model import BUNDLED, Model
from git_intent.embed.vocabulary import Vocabulary
from tools import build_model
from tools.model_texts import Corpus, gather, sentences

DOCSTRING = '''"""Parse the answer of the server.

The caller must close the connection. Never retry a write by itself.

    indented(code)

>>> doctest
"""
'''


def test_the_bundled_model_is_what_pack_makes_of_it(tmp_path):
    out = tmp_path / "minilm-l6-256"
    floor = Model.open().floor(Model.open().id)
    packed = build_model.pack(Path(BUNDLED), out, floor)
    assert packed == Model.open().id
    names = sorted(path.name for path in Path(BUNDLED).iterdir())
    assert names == sorted(path.name for path in out.iterdir())
    for name in names:
        assert (out / name).read_bytes() == (Path(BUNDLED) / name).read_bytes()
        assert (Path(BUNDLED) / name).stat().st_mode & 0o444 == 0o444


def test_the_bundled_vocabulary_has_each_token_at_its_row():
    tokenizer = json.loads((Path(BUNDLED) / "tokenizer.json").read_bytes())
    lean = Vocabulary((Path(BUNDLED) / "lean.bin").read_bytes())
    for token, row in tokenizer["model"]["vocab"].items():
        assert lean.row(token.encode()) == row
    for unknown in (b"", b"#", b"qqzzq", b"\t", b"\n", b"the\t"):
        assert lean.row(unknown) == tokenizer["model"]["vocab"].get(
            unknown.decode(), -1
        )


def test_a_model_of_floats_is_quantised(tmp_path):
    source, reference = tmp_path / "floats", bulk.load(BUNDLED)
    noise = numpy.random.default_rng(1).normal(size=(33206, 32)).astype("float32")
    shutil.copytree(BUNDLED, source)
    from safetensors.numpy import save_file

    save_file({"embeddings": noise}, source / "model.safetensors")
    (source / "config.json").write_text(
        '{"max_length": 96, "normalize": true, "embedding_dtype": "float32"}'
    )
    build_model.pack(source, tmp_path / "packed")
    model = Model.open(tmp_path / "packed")
    assert model.dim == 32
    tokens = reference.tokenize(["never write a secret"])[0]
    mean = noise[tokens].mean(axis=0)
    ours = numpy.array(model.embed("never write a secret"))
    assert ours @ mean / numpy.linalg.norm(mean) > 0.999
    assert model.floor(model.id) is None


def test_a_model_of_another_kind_is_not_packed(tmp_path):
    source = Path(shutil.copytree(BUNDLED, tmp_path / "other"))
    text = (source / "tokenizer.json").read_text()
    (source / "tokenizer.json").write_text(
        text.replace('"lowercase":true', '"lowercase":false')
    )
    with pytest.raises(ModelError, match="not a lower-casing BERT tokenizer"):
        build_model.pack(source, tmp_path / "packed")
    assert not (tmp_path / "packed").exists()


def test_sentences_are_prose_only():
    text = """# Title

The `caller` must close the [connection](https://example.invalid/x).
Never retry a write by itself! Short one.

- Each file that is written goes through one function.
- x = {1: 2, 3: 4}; y = [5, 6, 7]; z = (8, 9, 10)

    indented code is not read by anyone here
"""
    assert list(sentences(text)) == [
        "The caller must close the connection.",
        "Never retry a write by itself!",
        "Each file that is written goes through one function.",
    ]


def test_documentation_of_packages_is_gathered(tmp_path):
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "parse.py").write_text(DOCSTRING)
    (tmp_path / "server" / "broken.py").write_text("def broken(:\n")
    (tmp_path / "server-1.0.dist-info").mkdir()
    (tmp_path / "server-1.0.dist-info" / "METADATA").write_text(
        "Name: server\nSummary: The header is never read by this.\n\n"
        "A server that answers every request in time.\n"
    )
    (tmp_path / "server" / "data.bin").write_bytes(b"\xff" * 99)
    assert gather([tmp_path]).sentences == {
        "Parse the answer of the server.": "server",
        "The caller must close the connection.": "server",
        "Never retry a write by itself.": "server",
        "A server that answers every request in time.": "server",
    }


def test_a_sample_is_half_prescriptions_and_no_package_dominates():
    plain = {f"This is a remark with number {n}.": f"p{n % 40}" for n in range(400)}
    rules = {f"You must do the thing number {n}.": f"p{n % 40}" for n in range(400)}
    loud = {f"A loud package says this {n} times.": "loud" for n in range(400)}
    chosen = Corpus({**plain, **rules, **loud}).sample(100)
    assert len(chosen) == 100
    assert sum(sentence in rules for sentence in chosen) == 50
    assert sum(sentence in loud for sentence in chosen) <= 5
    assert Corpus({**loud, **rules, **plain}).sample(100) == chosen


def test_new_words_are_frequent_in_several_packages():
    said = {"a": "mypy", "b": "onlyb", "c": "mypy"}
    corpus = Corpus(
        {
            f"The dockerfile number {n} of {package} mentions {word}.": package
            for n in range(10)
            for package, word in said.items()
        }
    )
    known = {"the", "number", "of", "mentions"}
    assert corpus.new_words(known, least=30) == ["dockerfile"]
    assert corpus.new_words(known, least=40) == []


def test_reduction_keeps_the_longest_axes():
    pick = numpy.random.default_rng(2)
    basis = pick.normal(size=(256, 300))

    class Learnt:
        embedding = pick.normal(size=(50, 256)) @ basis

        def encode(self, texts, normalize):
            return self.embedding / numpy.linalg.norm(
                self.embedding, axis=1, keepdims=normalize
            )

    reduced = build_model.reduce(Learnt(), ["text"])
    assert reduced.shape == (50, 256)
    products = Learnt.embedding @ Learnt.embedding.T
    assert numpy.allclose(reduced @ reduced.T, products)
