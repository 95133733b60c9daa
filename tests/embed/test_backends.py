"""Which backend is taken, and that nothing of it fails loudly or leaves the machine."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from git_intent.embed import ollama
from git_intent.embed.backends import KEYWORD, resolve
from git_intent.embed.errors import ModelError
from git_intent.embed.index import FILE
from git_intent.embed.index_file import read_index
from git_intent.embed.model import BUNDLED, Model
from git_intent.embed.pinned import FLOOR_FILE, Static
from git_intent.embed.relevance import FLOOR, STRICT

ROOT = Path(__file__).parents[2]
TASK = "change the schema of the users table"


class Item:
    def __init__(self, number, *texts, domains=("db",)):
        self.id, self.texts, self.domains = f"req-{number:04x}", texts, domains


ITEMS = [
    Item(1, "Never rename a database migration.", "schema changes"),
    Item(2, "Log no secrets."),
    Item(3, "Use tabs in Go files."),
]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".cloche" / "intent-index"


@pytest.fixture
def weights(tmp_path):
    """A copy of the bundled model, to be damaged or pinned."""
    return Path(shutil.copytree(BUNDLED, tmp_path / "models" / "minilm-l6-256"))


def opened(folder, setting="", *, strict=False, env=None):
    return resolve(ITEMS, folder, setting, strict, env or {})


def reasons(backend):
    return {reason.adapter: (reason.taken, reason.why) for reason in backend.reasons}


def best(backend, task=TASK):
    found = backend.score(task)
    return max(found, key=lambda id_: found[id_].score)


def assert_words_only(backend):
    assert backend.id == KEYWORD
    assert best(backend, "never rename a migration") == "req-0001"
    assert all(score.cosine is None for score in backend.score(TASK).values())
    assert reasons(backend)["keyword"][0]


def test_n146_without_a_pin_the_bundled_model_comes_first(folder):
    backend = opened(folder)
    assert backend.id == Model.open().id
    assert backend.warning == ""
    assert backend.floor == FLOOR
    assert best(backend) == "req-0001"
    assert [reason.adapter for reason in backend.reasons] == [
        "model2vec", "ollama", "keyword",
    ]  # fmt: skip
    assert [reason.taken for reason in backend.reasons] == [True, False, False]
    assert all(reason.why for reason in backend.reasons)


def test_n146_the_first_adapter_that_raises_is_passed_over(folder, monkeypatch):
    monkeypatch.setattr("git_intent.embed.backends.BUNDLED", "/nowhere")
    backend = opened(folder)
    assert_words_only(backend)
    assert reasons(backend)["model2vec"] == (
        False,
        "/nowhere/config.json: No such file or directory",
    )
    assert "comparing words only" in backend.warning


def test_n143_nothing_connects(folder, monkeypatch, home):
    monkeypatch.setattr("socket.socket.connect", pytest.fail)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    backend = opened(folder)
    assert best(backend) == "req-0001"
    assert backend.id.startswith("model2vec:minilm-l6-256@")


def test_n145_words_can_be_pinned(folder):
    backend = opened(folder, "keyword")
    assert_words_only(backend)
    assert backend.warning == ""
    assert not folder.exists()


@pytest.mark.parametrize("setting", ["model2vec", "model2vec:{path}"])
def test_n145_model2vec_can_be_pinned(folder, weights, setting):
    backend = opened(folder, setting.format(path=weights))
    assert backend.id == Model.open().id
    assert backend.warning == ""
    assert best(backend) == "req-0001"


def test_n145_a_relative_path_is_meant_from_the_project(folder, weights):
    setting, root = f"model2vec:models/{weights.name}", str(weights.parents[1])
    backend = resolve(ITEMS, folder, setting, False, {}, root)
    assert (backend.id, backend.warning) == (Model.open().id, "")


def test_n145_an_unknown_name_warns_and_goes_on(folder):
    backend = opened(folder, "word2vec")
    assert_words_only(backend)
    assert "word2vec" in backend.warning


def test_cloches_own_adapter_warns_and_the_chain_goes_on(folder):
    backend = opened(folder, "onnx")
    assert backend.id == Model.open().id
    assert "onnx" in backend.warning


def test_n144_the_index_is_kept_between_tasks(folder):
    assert (opened(folder).embedded, opened(folder).reused) == (3, 3)
    again = opened(folder)
    assert (again.embedded, again.reused, again.stored) == (0, 3, True)
    fresh = resolve(ITEMS, None, "", False, {})
    assert repr(again.score(TASK)) == repr(fresh.score(TASK))
    assert (fresh.embedded, fresh.stored) == (3, False)


def test_n144_a_change_of_domain_embeds_anew(folder):
    opened(folder)
    moved = [Item(1, *ITEMS[0].texts, domains=("storage",)), *ITEMS[1:]]
    assert resolve(moved, folder, "", False, {}).embedded == 1


def test_an_index_that_is_gone_or_broken_changes_no_score(folder):
    before = repr(opened(folder).score(TASK))
    (folder / FILE).write_bytes(b"git-intent index 1\nrest")
    assert repr(opened(folder).score(TASK)) == before
    shutil.rmtree(folder)
    assert repr(opened(folder).score(TASK)) == before


def test_strict_asks_for_more_of_every_backend(folder):
    assert opened(folder, strict=True).floor == STRICT > FLOOR
    assert opened(folder, "keyword", strict=True).floor > FLOOR


DAMAGE = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1000]),
    "flipped": lambda path: path.write_bytes(path.read_bytes()[:-9] + b"\x55" * 9),
    "empty": lambda path: path.write_bytes(b""),
    "gone": Path.unlink,
}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("warm", [False, True])
def test_n147_damaged_weights_leave_words(folder, weights, monkeypatch, kind, warm):
    monkeypatch.setattr("git_intent.embed.backends.BUNDLED", str(weights))
    if warm:
        opened(folder)
    kept = read_index(str(folder / FILE))
    DAMAGE[kind](weights / "model.safetensors")
    backend = opened(folder)
    assert_words_only(backend)
    assert backend.warning.count("comparing words only") == 1
    assert "\n" not in backend.warning
    after = read_index(str(folder / FILE))
    assert (after and after.columns) == (kept and kept.columns)


def test_n147_a_model_that_breaks_down_at_the_task_leaves_words(folder, monkeypatch):
    backend = opened(folder)

    def fail(model, texts):
        raise ModelError("the weights are cut off")

    monkeypatch.setattr(Model, "embed_all", fail)
    assert backend.score("never rename a migration")["req-0001"].score >= FLOOR
    assert_words_only(backend)
    assert "the weights are cut off" in backend.warning


def test_n147_nothing_is_printed(folder, weights, monkeypatch, capfd):
    monkeypatch.setattr("git_intent.embed.backends.BUNDLED", str(weights))
    DAMAGE["flipped"](weights / "tokenizer.json")
    assert_words_only(opened(folder))
    for setting in (f"model2vec:{weights}", "model2vec:some/model", "ollama"):
        opened(folder, setting, env={"OLLAMA_HOST": "127.0.0.1:9"})
    assert capfd.readouterr() == ("", "")


def test_n149_a_model_without_a_floor_is_not_used(folder, weights):
    (weights / "config.json").write_text('{"max_length": 128, "normalize": true}')
    backend = opened(folder, f"model2vec:{weights}")
    assert_words_only(backend)
    assert "no floor was measured" in backend.warning
    assert not folder.exists()


def as_floats(folder):
    """The model in another form, which only model2vec itself reads."""
    from model2vec import StaticModel
    from numpy import float32

    model = StaticModel.from_pretrained(folder, quantize_to="float32")
    assert model.embedding.dtype == float32
    target = Path(folder).with_name("floats")
    model.save_pretrained(str(target))
    return target


def test_n145_other_models_are_read_by_model2vec_and_need_a_floor(folder, weights):
    floats = as_floats(weights)
    assert_words_only(opened(folder, f"model2vec:{floats}"))
    model = Static(floats)
    assert model.id.startswith("model2vec:floats@")
    (floats / FLOOR_FILE).write_text(f"{model.id.partition('@')[2]} 0.27\n")
    backend = opened(folder, f"model2vec:{floats}")
    assert (backend.id, backend.warning) == (model.id, "")
    assert best(backend) == "req-0001"
    assert opened(folder, f"model2vec:{floats}").reused == 3
    lean = opened(None).score(TASK)
    for id_, found in backend.score(TASK).items():
        assert found.cosine == pytest.approx(lean[id_].cosine, abs=0.01)


def test_n149_a_floor_of_other_weights_is_not_borrowed(folder, weights):
    floats = as_floats(weights)
    for content in ("0123456789abcdef 0.27\n", "0.27\n", " 0.27\n", "", "x y z\n"):
        (floats / FLOOR_FILE).write_text(content)
        assert_words_only(opened(folder, f"model2vec:{floats}"))


def test_a_pinned_model_that_is_broken_leaves_words(folder, weights):
    floats = as_floats(weights)
    (floats / "tokenizer.json").write_text("{}")
    assert_words_only(opened(folder, f"model2vec:{floats}"))


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """The hub's local cache, empty; connecting to the hub fails the test."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("socket.socket.connect", pytest.fail)
    return tmp_path / "hub"


@pytest.mark.parametrize("name", ["some/model", "/no/where", "./none", "a/b/c", "a b"])
def test_n148_what_is_not_here_is_not_downloaded(folder, hub, name):
    backend = opened(folder, f"model2vec:{name}")
    assert_words_only(backend)
    assert "model2vec:PATH" in backend.warning


def cached(hub, weights, names):
    home = hub / "models--some--model"
    snapshot = home / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("a" * 40)
    for name in names:
        shutil.copy(weights / name, snapshot / name)


def test_n148_a_cache_half_written_counts_as_none(folder, hub, weights):
    cached(hub, weights, ["config.json", "tokenizer.json"])
    backend = opened(folder, "model2vec:some/model")
    assert_words_only(backend)
    assert "model.safetensors" in backend.warning


def test_n148_a_model_in_the_cache_is_found(folder, hub, weights):
    cached(hub, weights, [path.name for path in weights.iterdir()])
    backend = opened(folder, "model2vec:some/model")
    assert backend.warning == ""
    assert backend.id.rpartition("@")[2] == Model.open().id.rpartition("@")[2]


class Server(BaseHTTPRequestHandler):
    """Ollama, as far as it is asked; its vectors come from the bundled model."""

    tags: ClassVar = {
        "models": [{"name": "all-minilm:latest", "digest": "sha256:" + "d" * 64}]
    }
    embed = None
    padding = 128

    def do_GET(self):
        self.answer(self.tags if self.path == "/api/tags" else None)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        vectors = Model.open().embed_all(asked["input"])
        vectors = [[*vector, *([0.01] * self.padding)] for vector in vectors]
        self.answer(self.embed or {"embeddings": vectors})

    def answer(self, document):
        data = json.dumps(document).encode()
        self.send_response(404 if document is None else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


@contextmanager
def serving(**answers):
    handler = type("Handler", (Server,), answers)
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield {"OLLAMA_HOST": f"127.0.0.1:{server.server_port}"}
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("setting", ["ollama", "ollama:all-minilm"])
def test_n145_ollama_can_be_pinned(folder, setting):
    with serving() as env:
        backend = opened(folder, setting, env=env)
        assert (backend.id, backend.warning) == (f"ollama:all-minilm@{'d' * 16}", "")
        assert best(backend) == "req-0001"
        assert opened(folder, setting, env=env).reused == 3
    assert read_index(str(folder / FILE)).dim == 384


def test_new_weights_of_a_server_embed_all_again(folder):
    with serving() as env:
        opened(folder, "ollama", env=env)
    tags = {"models": [{"name": "all-minilm:latest", "digest": "e" * 64}]}
    with serving(tags=tags) as env:
        assert opened(folder, "ollama", env=env).embedded == 3


def test_another_length_of_vectors_embeds_all_again(folder):
    with serving(tags=None) as env:
        opened(folder, "ollama", env=env)
    with serving(tags=None, padding=64) as env:
        backend = opened(folder, "ollama", env=env)
        assert backend.embedded == 3
        assert best(backend) == "req-0001"


def test_a_server_that_names_no_models_is_used(folder):
    with serving(tags=None) as env:
        assert opened(folder, "ollama", env=env).id == "ollama:all-minilm"


@pytest.mark.parametrize(
    "answers",
    [
        {"tags": {"models": []}},
        {"embed": {"error": "no"}},
        {"embed": {"embeddings": []}},
        {"embed": {"embeddings": [["x"]]}},
        {"embed": {"embeddings": [[float("nan")], [1.0]]}},
        {"embed": {"embeddings": [[1.0], [1.0, 2.0]]}},
    ],
)
def test_n145_a_server_that_does_not_help_leaves_words(folder, answers):
    with serving(**answers) as env:
        assert_words_only(opened(folder, "ollama", env=env))


def test_n149_a_model_of_the_server_needs_a_floor_too(folder):
    tags = {"models": [{"name": "nomic-embed-text:latest"}]}
    with serving(tags=tags) as env:
        backend = opened(folder, "ollama:nomic-embed-text", env=env)
        assert_words_only(backend)
        assert "no floor was measured" in backend.warning


def test_n145_a_server_that_is_gone_at_the_task_leaves_words(folder):
    with serving() as env:
        backend = opened(folder, "ollama", env=env)
    assert backend.score(TASK).keys() == {item.id for item in ITEMS}
    assert_words_only(backend)
    assert "ollama" in backend.warning


def test_n145_no_server_and_a_silent_one_leave_words(folder):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        env = {"OLLAMA_HOST": f"localhost:{port}"}
        assert_words_only(opened(folder, "ollama", env=env))
        silent.listen()
        backend = opened(folder, "ollama", env=env)
        assert_words_only(backend)
        assert "ollama serve" in backend.warning


@pytest.mark.parametrize(
    "host",
    [
        "192.0.2.1",
        "192.0.2.1:11434",
        "ollama.example:11434",
        "http://ollama.example",
        "https://localhost:11434",
        "http://localhost@192.0.2.1",
        "localhost.example",
        "127.0.0.1.example",
        "localhost:port",
    ],
)
def test_n145_a_server_on_another_machine_is_refused(folder, monkeypatch, host):
    for name in ("socket.socket.connect", "socket.getaddrinfo"):
        monkeypatch.setattr(name, pytest.fail)
    backend = opened(folder, "ollama", env={"OLLAMA_HOST": host})
    assert_words_only(backend)
    assert "OLLAMA_HOST" in backend.warning


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("", ("127.0.0.1", 11434)),
        ("0.0.0.0", ("127.0.0.1", 11434)),
        (":5000", ("127.0.0.1", 5000)),
        ("localhost", ("localhost", 11434)),
        ("http://localhost:80/", ("localhost", 80)),
        ("[::1]:70", ("::1", 70)),
    ],
)
def test_ollama_host_is_read_as_its_own_client_reads_it(monkeypatch, given, address):
    asked = []
    monkeypatch.setattr(ollama, "Ollama", lambda *args: asked.append(args))
    ollama.open_ollama("", {"OLLAMA_HOST": given})
    assert asked == [(*address, "all-minilm")]


def test_n150_the_bundled_model_needs_neither_numpy_nor_a_network_library(tmp_path):
    child = (
        "import sys; from pathlib import Path\n"
        "from git_intent.embed.backends import resolve\n"
        "class I: id, texts, domains = 'req-0001', ('Log no secrets.',), ()\n"
        "b = resolve([I()], Path(sys.argv[1]), '', False, {})\n"
        "assert b.score('log a secret')['req-0001'].score > 0.5\n"
        "heavy = 'numpy model2vec tokenizers huggingface_hub http socket click yaml'\n"
        "print(sorted(set(heavy.split()) & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", child, str(tmp_path / "index")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
