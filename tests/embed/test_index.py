"""The index: what is embedded again, what is reused, and what damage does."""

import multiprocessing
import os
import random
import shutil
from math import sqrt
from pathlib import Path

import pytest

from git_intent import files
from git_intent.embed.index import FILE, HINTS, SPARE, row_key, update
from git_intent.embed.index_file import Index, parse_index, read_index, render_index
from git_intent.embed.model import BUNDLED, Model
from git_intent.embed.rank import rank
from tests.support.repo import Repo


@pytest.fixture(scope="module")
def model():
    return Model.open()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".cloche" / "intent-index"


def requirements(count, seed=1):
    pick = random.Random(seed)
    words = "log secret token branch commit index parser test prompt budget".split()
    return {
        f"req-{place:04x}": [
            f"{place} " + " ".join(pick.choices(words, k=9)) for _ in range(3)
        ]
        for place in range(count)
    }


def counts(updated):
    return updated.embedded, updated.reused


def test_n144_an_edit_embeds_one_text_and_reuses_the_rest(folder, model):
    texts = requirements(100)
    assert counts(update(folder, texts, model)) == (100, 0)
    assert counts(update(folder, texts, model)) == (0, 100)
    texts["req-0007"][0] += " always"
    assert counts(update(folder, texts, model)) == (1, 99)
    texts["req-0008"][2] = "another hint"
    assert counts(update(folder, texts, model)) == (1, 99)
    texts["req-0009"].pop()
    assert counts(update(folder, texts, model)) == (1, 99)
    del texts["req-0010"]
    assert counts(update(folder, texts, model)) == (0, 99)


def test_n144_weights_swapped_under_the_same_name_embed_all_again(tmp_path, folder):
    home = Path(shutil.copytree(BUNDLED, tmp_path / "minilm-l6-256"))
    texts = requirements(100)
    before = update(folder, texts, Model.open(home)).index
    weights = bytearray((home / "model.safetensors").read_bytes())
    for place in range(1000, len(weights), 3):
        weights[place] ^= 5
    (home / "model.safetensors").write_bytes(weights)
    after = update(folder, texts, Model.open(home))
    assert counts(after) == (100, 0)
    assert after.index.dim == before.dim
    assert after.index.model != before.model
    shutil.rmtree(home)
    shutil.copytree(BUNDLED, home)
    assert counts(update(folder, texts, Model.open(home))) == (0, 100)


def test_moved_but_equal_weights_reuse_everything(tmp_path, folder, model):
    texts = requirements(20)
    update(folder, texts, model)
    home = Path(shutil.copytree(BUNDLED, tmp_path / "minilm-l6-256"))
    other = Model.open(home)
    assert counts(update(folder, texts, other)) == (0, 20)
    assert read_index(str(folder / FILE)).signature == other.signature


def test_a_trusted_signature_spares_reading_the_weights(folder, model, monkeypatch):
    update(folder, requirements(3), model)
    monkeypatch.setattr("git_intent.embed.model.model_id", pytest.fail)
    assert counts(update(folder, requirements(3), Model.open())) == (0, 3)


def test_switching_branches_embeds_nothing_twice(folder, model):
    main, branch = requirements(60), requirements(60, seed=2)
    first = update(folder, main, model)
    assert counts(update(folder, branch, model)) == (60, 0)
    back = update(folder, main, model)
    assert counts(back) == (0, 60)
    assert back.index.columns == first.index.columns
    assert counts(update(folder, branch, model)) == (0, 60)


def test_spare_rows_are_bounded(folder, model, monkeypatch):
    monkeypatch.setattr("git_intent.embed.index.SPARE", 5)
    for seed in range(6):
        index = update(folder, requirements(10, seed=seed), model).index
    assert len(index.spare) == 15 * (32 + 256)
    assert SPARE > 5


def test_the_row_is_the_statement_and_a_share_of_the_hints(folder, model):
    said = ["log no secret", "token hygiene", "rotate a key"]
    index = update(folder, {"req-0001": said, "req-0002": said[:1]}, model).index
    own, *hints = map(model.embed, said)
    sums = [sum(pair) for pair in zip(*hints, strict=True)]
    length = sqrt(sum(value * value for value in sums))
    row = [a + HINTS * b / length for a, b in zip(own, sums, strict=True)]
    scores = dict(rank(index, row))
    assert scores["req-0001"] == pytest.approx(1, abs=2e-3)
    assert dict(rank(index, own))["req-0002"] == pytest.approx(1, abs=2e-3)
    hinted = dict(rank(index, hints[0]))
    assert hinted["req-0001"] > hinted["req-0002"]


@pytest.mark.parametrize("texts", [{}, {"req-0001": []}, {"req-0001": ["", "\u2603"]}])
def test_empty_stores_and_texts_are_indexed(folder, model, texts):
    index = update(folder, texts, model).index
    assert [id_ for id_, _ in rank(index, model.embed("log"))] == list(texts)
    assert counts(update(folder, texts, model)) == (0, len(texts))


def test_the_folder_ignores_itself_and_keeps_what_others_put_there(repo: Repo, model):
    folder = repo.path / ".cloche" / "intent-index"
    folder.mkdir(parents=True)
    (folder / "vectors.json").write_text("{}")
    update(folder, requirements(3), model)
    assert (folder / ".gitignore").read_bytes() == b"*\n"
    assert repo.git("status", "--porcelain") == ""
    assert (folder / "vectors.json").read_text() == "{}"
    (folder / ".gitignore").write_text("# mine\n*\n")
    update(folder, requirements(4), model)
    assert (folder / ".gitignore").read_text() == "# mine\n*\n"


def test_an_unchanged_index_is_not_written(folder, model, monkeypatch):
    update(folder, requirements(5), model)
    monkeypatch.setattr(files, "on_effect", pytest.fail)
    assert update(folder, requirements(5), model).stored


def test_row_keys_do_not_confuse_where_a_text_ends():
    assert row_key(["ab", "c"], "m") != row_key(["a", "bc"], "m")
    assert row_key(["ab"], "m") != row_key(["ab", ""], "m")
    assert row_key(["ab"], "m") != row_key(["ab"], "n")
    assert row_key(["a\ud800"], "m") != row_key(["a"], "m")


def damages(data):
    yield b""
    yield b"junk"
    yield data.replace(b"index 1", b"index 2", 1)
    yield data.replace(b"order little", b"order big", 1)
    yield data.replace(b"count 12", b"count 13", 1)
    yield data.replace(b"dim 256", b"dim 0", 1)
    yield data.replace(b"\nsignature ", b"\n", 1)
    yield data + b"x"
    yield data[: data.index(b"\n\n") + 2]
    for place in range(1, len(data), len(data) // 40):
        yield data[:place]
    for place in range(len(data) - 6000, len(data), 500):
        yield data[:place] + bytes([data[place] ^ 64]) + data[place + 1 :]


def test_n151_a_broken_or_foreign_index_is_built_again(folder, model):
    texts = requirements(12)
    whole = update(folder, texts, model).index
    data = (folder / FILE).read_bytes()
    for broken in damages(data):
        (folder / FILE).write_bytes(broken)
        assert read_index(str(folder / FILE)) is None
        again = update(folder, texts, model)
        assert counts(again) == (12, 0)
        assert (folder / FILE).read_bytes() == data
    shutil.rmtree(folder)
    assert read_index(str(folder / FILE)) is None
    query = model.embed("secret token")
    assert rank(update(folder, texts, model).index, query) == rank(whole, query)


def test_an_index_of_another_dimension_is_no_use(folder, model):
    update(folder, requirements(3), model)
    old = read_index(str(folder / FILE))
    other = Index("other", "", 4, [], (b"", b"", b"", b"", b"x" * 36))
    (folder / FILE).write_bytes(render_index(other))
    assert counts(update(folder, requirements(3), model)) == (3, 0)
    assert read_index(str(folder / FILE)).columns == old.columns


def test_a_file_round_trips(folder, model):
    update(folder, requirements(9), model)
    data = (folder / FILE).read_bytes()
    assert render_index(parse_index(data)) == data


@pytest.mark.parametrize("obstacle", ["file", "symlink", "folder"])
def test_n151_an_index_that_cannot_be_written_lives_in_memory(
    tmp_path, folder, model, obstacle
):
    folder.parent.mkdir()
    match obstacle:
        case "file":
            folder.write_text("in the way")
        case "symlink":
            (tmp_path / "elsewhere").mkdir()
            folder.symlink_to(tmp_path / "elsewhere")
        case "folder":
            (folder / FILE).mkdir(parents=True)
    updated = update(folder, requirements(4), model)
    assert not updated.stored
    assert counts(updated) == (4, 0)
    assert len(rank(updated.index, model.embed("token"))) == 4
    assert not list(tmp_path.glob("elsewhere/*"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_n151_a_read_only_folder_is_left_alone(folder, model):
    folder.parent.mkdir()
    folder.parent.chmod(0o555)
    assert not update(folder, requirements(4), model).stored


def _update_and_rank(folder, queue):
    model = Model.open()
    index = update(Path(folder), requirements(50), model).index
    queue.put(rank(index, model.embed("secret token branch")))


def test_n151_two_at_once_get_the_same_ranking(folder):
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    workers = [
        context.Process(target=_update_and_rank, args=(str(folder), queue))
        for _ in range(2)
    ]
    for worker in workers:
        worker.start()
    rankings = [queue.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert rankings[0] == rankings[1]
    assert counts(update(folder, requirements(50), Model.open())) == (0, 50)
    assert sorted(path.name for path in folder.iterdir()) == [".gitignore", FILE]
