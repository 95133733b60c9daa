"""Vectors, ids and damage of the lean reader; the bulk encoder beside it."""

import json
import os
import random
import shutil
from pathlib import Path

import numpy
import pytest

from git_intent.embed import bulk
from git_intent.embed.errors import ModelError
from git_intent.embed.model import BUNDLED, FILES, Model
from git_intent.embed.vocabulary import checksum
from git_intent.errors import IntentError

TEXTS = [
    "Never write a secret to the log.",
    "Die Straße heißt naïve Café-Gasse — «ja», 中文 [PAD] x",
    "kubernetes dockerfile pytest mypy readstream userdel",
    "",
    "\u2603\u2603",
    "a " * 700,
]


def spoken(count, seed=3):
    """Texts of whole words and pieces, of 0 to 40 words."""
    pick = random.Random(seed)
    words = [t.removeprefix("##") for t in bulk.load(BUNDLED).tokens[2000:]]
    return [" ".join(pick.choices(words, k=pick.randint(0, 40))) for _ in range(count)]


@pytest.fixture
def folder(tmp_path):
    """A copy of the bundled model; large, so it does not outlive the test."""
    copy = Path(shutil.copytree(BUNDLED, tmp_path / "minilm-l6-256"))
    yield copy
    shutil.rmtree(copy, ignore_errors=True)


def rewrite(path: Path, change):
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)


def test_vectors_equal_those_of_model2vec(folder):
    texts = [*TEXTS, *spoken(2000)]
    theirs = bulk.load(BUNDLED).encode(texts)
    ours = numpy.array(Model.open().embed_all(texts))
    assert numpy.abs(ours - theirs).max() < 1e-6


def test_bulk_vectors_equal_lean_ones_to_the_last_bit():
    texts = [*TEXTS, *spoken(1500, seed=4)]
    lean = Model.open().embed_all(texts)
    assert bulk.encode_by_model2vec(texts) == lean
    assert bulk.encode(texts) == lean
    assert bulk.encode([]) == []


def test_many_texts_go_through_model2vec(monkeypatch):
    monkeypatch.setattr(bulk, "MANY", 3)
    seen, load = [], bulk.load
    monkeypatch.setattr(
        bulk, "load", lambda folder: seen.append(folder) or load(folder)
    )
    assert bulk.encode(TEXTS) == Model.open().embed_all(TEXTS)
    assert seen == [BUNDLED]


def test_a_text_without_known_tokens_has_the_zero_vector():
    model = Model.open()
    assert model.embed("") == [0.0] * 256
    assert model.embed("\u2603") == [0.0] * 256
    assert model.tokens("x") != []


def test_remembered_words_do_not_change_vectors(monkeypatch):
    monkeypatch.setattr("git_intent.embed.model.MEMORY", 5)
    texts = spoken(30, seed=5)
    model = Model.open()
    assert [model.embed(t) for t in texts] == [Model.open().embed(t) for t in texts]


def test_lone_surrogates_do_no_harm_in_bulk():
    texts = ["a\ud800b", "ab"]
    assert bulk.encode_by_model2vec(texts) == Model.open().embed_all(texts)


def test_id_names_the_folder_and_hashes_the_content(folder):
    first = Model.open(folder)
    assert first.id == Model.open(BUNDLED).id
    assert first.id.startswith("model2vec:minilm-l6-256@")
    assert first.signature != Model.open(BUNDLED).signature


@pytest.mark.parametrize("name", FILES)
def test_id_follows_each_file(folder, name):
    before = Model.open(folder).id
    match name:
        case "model.safetensors":
            rewrite(folder / name, lambda data: data.__setitem__(-1, data[-1] ^ 1))
        case "tokenizer.json":
            rewrite(folder / name, lambda data: data.extend(b"\n"))
        case _:
            (folder / name).write_text('{"max_length": 128, "normalize": true}')
    after = Model.open(folder)
    assert after.id != before
    assert after.floor(after.id) is None


def test_n144_weights_swapped_under_the_same_name_change_the_id(folder):
    before = Model.open(folder)
    old_signature, old_id = before.signature, before.id
    other = folder / "other"
    shutil.copy(folder / "model.safetensors", other)
    rewrite(other, lambda data: data.__setitem__(slice(5000, 5004), b"\1\2\3\4"))
    other.replace(folder / "model.safetensors")
    after = Model.open(folder)
    assert after.id.partition("@")[0] == old_id.partition("@")[0]
    assert after.id != old_id
    assert after.signature != old_signature


def test_floor_is_known_for_the_calibrated_content_only(folder):
    model = Model.open(folder)
    assert model.floor(model.id) == 0.27
    assert model.floor("model2vec:minilm-l6-256@0000000000000000") is None
    assert model.floor("keyword:v1") is None


def signed(data):
    """`data` with the checksum that fits it."""
    magic, _, rest = data.split(b"\n", 2)
    return magic + b"\n" + checksum(rest) + rest


def test_lean_bin_gone_broken_or_foreign_is_made_again_in_memory(folder):
    text = "Never write a secret to the log; naïve kubernetes."
    expected = Model.open(folder).embed(text)
    lean = folder / "lean.bin"
    whole = lean.read_bytes()
    for damaged in (
        b"",
        b"junk",
        whole[:-1],
        whole[: len(whole) // 2],
        whole.replace(b"\nrows 33206\n", b"\n"),
        whole.replace(b"lean 1\n", b"lean 2\n"),
        whole.replace(b"tokenizer_size 5", b"tokenizer_size 6"),
        whole.replace(b"[33206,256]", b"[33206,128]", 1),
        whole.replace(b"\nsecret\t", b"\nsecrex\t", 1),
        signed(whole.replace(b"\nrows 33206\n", b"\n")),
        signed(whole.replace(b"\nconfig ", b"\nconfig 1")),
        signed(whole.replace(b"tokenizer_size 5", b"tokenizer_size 6")),
        signed(whole.replace(b"[33206,256]", b"[33206,128]", 1)),
    ):
        lean.write_bytes(damaged)
        assert Model.open(folder).embed(text) == expected
    lean.unlink()
    assert Model.open(folder).embed(text) == expected


def test_foreign_lean_bin_of_equal_size_is_found_when_the_id_is_computed(folder):
    text = (folder / "tokenizer.json").read_text()
    (folder / "tokenizer.json").write_text(text.replace('"never"', '"nevER"'))
    with pytest.raises(ModelError, match="made from another tokenizer"):
        assert Model.open(folder).id


def cut(name, keep):
    def damage(folder):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[:keep])

    return damage


def write(name, data):
    return lambda folder: (folder / name).write_bytes(data)


def drop(name):
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    "damage",
    [
        drop("model.safetensors"),
        drop("tokenizer.json"),
        drop("config.json"),
        cut("model.safetensors", 0),
        cut("model.safetensors", 4),
        cut("model.safetensors", 60),
        cut("model.safetensors", 100_000),
        write("model.safetensors", b"\xff" * 9_000_000),
        write("model.safetensors", bytes(9_000_000)),
        cut("tokenizer.json", 1000),
        write("config.json", b'{"max_length": '),
        write("tokenizer.json", b"[]"),
        write("tokenizer.json", b'{"model": {"type": "BPE"}}'),
        lambda folder: shutil.rmtree(folder),
    ],
)
def test_n147_damaged_files_raise_a_typed_error(folder, damage):
    damage(folder)
    for load in (Model.open, lambda folder: bulk.load(str(folder))):
        with pytest.raises(ModelError) as caught:
            load(folder)
        assert str(folder) in caught.value.message
        assert isinstance(caught.value, IntentError)


def test_weights_cut_off_while_open_raise_a_typed_error(folder):
    model = Model.open(folder)
    os.truncate(folder / "model.safetensors", 5000)
    with pytest.raises(ModelError, match="cut off"):
        model.embed("kubernetes")


def test_n148_a_name_that_is_no_folder_is_never_looked_up_on_the_hub(monkeypatch):
    monkeypatch.setattr("socket.socket.connect", pytest.fail)
    for load in (Model.open, bulk.load):
        with pytest.raises(ModelError, match="No such file"):
            load("minishlab/potion-base-8M")


def test_n143_nothing_connects(monkeypatch, home):
    monkeypatch.setattr("socket.socket.connect", pytest.fail)
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    vectors = bulk.encode_by_model2vec(TEXTS[:2])
    assert vectors == Model.open().embed_all(TEXTS[:2])


def test_another_shape_of_weights_is_read_from_its_own_header(folder):
    """A model of other dimension has another header than lean.bin knows."""
    matrix = bulk.load(BUNDLED).embedding[:, :64].copy()
    header = json.dumps(
        {
            "__metadata__": {"made by": "a test"},
            "embeddings": {
                "dtype": "I8",
                "shape": list(matrix.shape),
                "data_offsets": [0, matrix.size],
            },
        }
    ).encode()
    data = len(header).to_bytes(8, "little") + header + matrix.tobytes()
    (folder / "model.safetensors").write_bytes(data)
    model = Model.open(folder)
    assert model.dim == 64
    theirs = bulk.load(str(folder)).encode(TEXTS)
    assert numpy.abs(numpy.array(model.embed_all(TEXTS)) - theirs).max() < 1e-6


def test_a_model_without_a_limit_is_refused(folder):
    (folder / "config.json").write_text('{"max_length": null}')
    with pytest.raises(ModelError, match="not a readable model"):
        Model.open(folder)


@pytest.mark.parametrize(
    "tensors",
    [
        {"embeddings": numpy.zeros((33206, 8), numpy.float32)},
        {"embeddings": numpy.zeros((33206, 300), numpy.int8)},
        {"embeddings": numpy.zeros((5, 8), numpy.int8)},
        {
            "embeddings": numpy.zeros((33206, 8), numpy.int8),
            "weights": numpy.ones(33206, numpy.float32),
        },
    ],
)
def test_models_of_another_kind_are_refused(folder, tensors):
    from safetensors.numpy import save_file

    save_file(tensors, folder / "model.safetensors")
    with pytest.raises(ModelError):
        Model.open(folder)
