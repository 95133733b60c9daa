"""`git intent index`, and what backends mean for `preview` and `config`."""

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from git_intent.embed.index import FILE, FOLDER
from git_intent.embed.model import BUNDLED
from git_intent.store.requirement import Level, Scope
from tests.cli.acting import PATH
from tests.support.repo import run_intent
from tests.support.snapshots import requirement

TASK = "change the schema of the users table"


def domain(id, name, statement):
    scope = Scope(Level.DOMAIN, (name,))
    return requirement(id, scope=scope, statement=statement)


@pytest.fixture
def project(repo, holds):
    holds(
        domain("req-0001", "db", "Never rename a database migration."),
        domain("req-0002", "logging", "Log no secrets."),
        domain("req-0003", "style", "Use tabs in Go files."),
        domains="".join(
            f'  - name: {name}\n    description: x\n    paths: ["{name}/**"]\n'
            for name in ("db", "logging", "style")
        ),
    )
    return repo


def index(project):
    return project.path / FOLDER / FILE


def document(done):
    assert done.code == 0, done.err
    return json.loads(done.out)


def selected(intent, *args, **options):
    done = intent("preview", "--json", "--task", TASK, *args, **options)
    return document(done)["selected"]


def test_status_writes_nothing_and_says_what_is_missing(project, intent):
    found = document(intent("index", "status", "--json"))
    assert (found["requirements"], found["current"]) == (3, 0)
    assert found["backend"].startswith("model2vec:minilm-l6-256@")
    assert found["path"] == f"{FOLDER}/{FILE}"
    assert [reason["adapter"] for reason in found["reasons"]] == [
        "model2vec",
        "ollama",
        "keyword",
    ]
    assert not index(project).exists()


def test_rebuild_writes_what_git_does_not_see(project, intent):
    found = document(intent("index", "rebuild", "--json"))
    assert (found["requirements"], found["current"]) == (3, 3)
    assert index(project).is_file()
    assert project.status() == ""


def test_rebuild_replaces_a_broken_index_and_keeps_the_files_of_others(project, intent):
    intent("index", "rebuild")
    whole = index(project).read_bytes()
    theirs = index(project).with_name("vectors.json")
    theirs.write_text("{}")
    index(project).write_bytes(b"half")
    done = intent("index", "rebuild")
    assert "3 of 3 requirements current" in done.out
    assert index(project).read_bytes() == whole
    assert theirs.read_text() == "{}"


def test_n144_an_edit_leaves_the_other_rows_current(project, intent):
    intent("index", "rebuild")
    place = project.path / PATH
    place.write_bytes(place.read_bytes().replace(b"Never rename", b"Do not rename"))
    assert document(intent("index", "status", "--json"))["current"] == 2
    intent("disable", "req-0002")
    found = document(intent("index", "status", "--json"))
    assert (found["requirements"], found["current"]) == (2, 1)
    selected(intent)
    assert document(intent("index", "status", "--json"))["current"] == 2


def test_the_commands_follow_settings(project, intent):
    done = intent("index", "status", env={"GIT_INTENT_EMBEDDER": "keyword"})
    assert done.out.startswith("backend: keyword:v1, floor 0.5\n")
    assert "words need no vectors" in done.out
    strict = document(
        intent("index", "status", "--json", env={"GIT_INTENT_FLOOR": "strict"})
    )
    assert strict["floor"] > 0.5


def test_rebuild_refuses_a_folder_that_is_a_link(project, intent, tmp_path):
    (project.path / FOLDER).symlink_to(tmp_path)
    done = intent("index", "rebuild")
    assert done.code == 1
    assert "symbolic link" in done.err
    assert list(tmp_path.glob(FILE)) == []


def test_rebuild_says_if_nothing_can_be_written(project, intent):
    (project.path / FOLDER).write_text("in the way")
    done = intent("index", "rebuild")
    assert done.code == 1
    assert FOLDER in done.err


def test_n119_meaning_alone_lets_a_requirement_in(project, intent):
    assert selected(intent) == ["req-0001"]
    shown = intent("preview", "--task", TASK, "--explain")
    assert "at or above the floor" in shown.out


def test_n143_the_model_is_named(project, intent):
    shown = intent("preview", "--task", TASK, "--explain")
    assert "model2vec:minilm-l6-256@" in shown.out


@pytest.mark.parametrize(
    "env",
    [
        {"GIT_INTENT_EMBEDDER": "model2vec:/nowhere"},
        {"GIT_INTENT_EMBEDDER": "ollama", "OLLAMA_HOST": "192.0.2.1"},
    ],
)
def test_n145_a_pin_that_does_not_work_is_one_warning(project, intent, env):
    """What is said on stdout stays what a program can read."""
    task = ("preview", "--json", "--task", "never rename a migration")
    done = intent(*task, env=env)
    assert document(done)["selected"] == ["req-0001"]
    assert len(done.err.splitlines()) == 1
    assert "comparing words only" in done.err
    assert done.out == intent(*task, env={"GIT_INTENT_EMBEDDER": "keyword"}).out


def test_n145_an_unknown_embedder_fails_config_and_warns_elsewhere(project, intent):
    env = {"GIT_INTENT_EMBEDDER": "word2vec"}
    assert intent("config", env=env).code == 1
    done = intent("preview", "--json", "--task", TASK, env=env)
    assert document(done)["selected"] == ["req-0001"]
    assert len(done.err.splitlines()) == 1
    assert "GIT_INTENT_EMBEDDER" in done.err


@pytest.mark.parametrize(
    "value", ["", "model2vec", "model2vec:a/b", "ollama", "ollama:x:y", "keyword"]
)
def test_n145_every_adapter_is_a_value(project, intent, value):
    assert intent("config", env={"GIT_INTENT_EMBEDDER": value}).code == 0


@pytest.mark.parametrize("value", ["model2vec:", "keyword:v1", "Ollama", "none"])
def test_n145_other_values_are_refused(project, intent, value):
    assert intent("config", env={"GIT_INTENT_EMBEDDER": value}).code == 1


def test_n147_damaged_weights_are_one_warning_on_stderr(
    project, intent, monkeypatch, tmp_path
):
    home = shutil.copytree(BUNDLED, tmp_path / "minilm-l6-256")
    with open(home / "model.safetensors", "r+b") as weights:
        weights.truncate(1000)
    monkeypatch.setattr("git_intent.embed.backends.BUNDLED", str(home))
    done = intent("preview", "--task", "never rename a migration", "--path", "style/a")
    assert done.code == 0
    assert "req-0001" in done.out
    assert "req-0003" in done.out
    assert "warning" not in done.out
    assert len(done.err.splitlines()) == 1
    assert "wrong size" in done.err


@pytest.mark.parametrize("warm", [False, True])
def test_n151_two_at_once_get_equal_blocks(project, intent, warm):
    if warm:
        intent("index", "rebuild")
    with ThreadPoolExecutor(2) as pool:
        found = list(
            pool.map(
                lambda _: run_intent(["inject", "--task", TASK], project.path, ""),
                range(2),
            )
        )
    assert [done.code for done in found] == [0, 0]
    assert found[0].out == found[1].out
    assert "req-0001" in found[0].out


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_n151_a_read_only_folder_changes_nothing(project, intent):
    wanted = selected(intent)
    index(project).unlink()
    index(project).parent.chmod(0o500)
    assert selected(intent) == wanted
    index(project).parent.chmod(0o700)


def test_n151_an_index_that_cannot_be_written_changes_nothing(project, intent):
    wanted = selected(intent)
    index(project).unlink()
    (project.path / FOLDER / ".gitignore").unlink()
    index(project).parent.rmdir()
    index(project).parent.write_text("in the way")
    assert selected(intent) == wanted


def test_n151_each_worktree_has_an_index_of_its_own(project, intent):
    other = project.path.parent / "other"
    project.git("worktree", "add", "-q", str(other))
    done = intent("preview", "--json", "--task", TASK, cwd=other)
    assert document(done)["selected"] == selected(intent) == ["req-0001"]
    assert (other / FOLDER / FILE).is_file()
    assert project.status() == ""
