"""What each command loads before it does anything: nothing that it does not need.

Start-up is paid by every hook, every completion and every person; numpy alone costs
nine times a bare interpreter.
"""

import json
import os
import subprocess
import sys

import pytest

from git_intent.cli.main import root
from tests.support.repo import _SOURCE, Repo
from tests.support.session import Session
from tests.support.snapshots import requirement, store
from tools.gen_docs import walk

#: Loaded by scans and index building only.
HEAVY = {
    "detect_secrets",
    "huggingface_hub",
    "markdown_it",
    "model2vec",
    "numpy",
    "pathspec",
    "pygit2",
    "tokenizers",
}
#: Reading the store takes a YAML parser; help, settings and completion do not.
READERS = {"frontmatter", "yaml"}
#: Standard modules that cost, and that no reading command has a use for.
COSTLY = {"asyncio", "email", "http", "importlib.metadata", "ssl", "tomllib"}

CHILD = """
import io, json, sys
before = set(sys.modules)
sys.argv[0] = "git-intent"
out, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO())
from git_intent.__main__ import main
code = main()
print(json.dumps([code, sorted(set(sys.modules) - before)]), file=out)
"""


def loaded(repo: Repo, *args: str) -> set[str]:
    """The modules that `git intent ARGS` imports, its exit code being 0."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *args],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    code, names = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    return set(names)


@pytest.fixture
def project(repo):
    files = store(requirement(), domains="  - name: api\n    description: x\n")
    repo.commit()
    repo.commit_files(files)
    return repo


def rooms(names: set[str]) -> set[str]:
    """Ours among `names`, cut to the room."""
    return {name.split(".")[1] for name in names if name.startswith("git_intent.")}


def test_n150_the_overview_loads_no_command(project):
    found = loaded(project, "-h")
    assert not found & (HEAVY | READERS | COSTLY | {"subprocess"})
    assert {name for name in found if name.startswith("git_intent")} == {
        "git_intent",
        "git_intent.__main__",
        "git_intent.cli",
        "git_intent.cli.lazy",
        "git_intent.cli.main",
        "git_intent.cli.options",
        "git_intent.cli.output",
        "git_intent.errors",
    }


@pytest.mark.parametrize(
    "args",
    [
        *("list", "list --json", "show req-0001", "disable req-0001", "status"),
        *("log req-0001", "blame req-0001", "diff HEAD~1"),
    ],
)
def test_n150_commands_on_the_store_load_a_yaml_reader_and_no_more(project, args):
    found = loaded(project, *args.split())
    assert not found & (HEAVY | COSTLY)
    assert found >= READERS


def test_n150_listing_reads_and_judges_nothing(project):
    found = loaded(project, "list")
    assert rooms(found) <= {
        *("__main__", "cli", "config", "config_file", "config_kinds", "config_ledger"),
        *("errors", "files", "git", "store"),
    }
    assert not found & {
        *("git_intent.store.rules", "git_intent.store.check"),
        *("git_intent.store.mutate", "subprocess"),
    }


def test_n150_a_document_is_parsed_only_to_find_a_line_in_it(project):
    """`show` leads back to the line of a document that still exists."""
    assert "markdown_it" not in loaded(project, "show", "req-0001")
    project.commit("x", **{"README.md": "# Promises\n"})
    assert "markdown_it" in loaded(project, "show", "req-0001")


@pytest.mark.parametrize("args", ["config", "config token_budget"])
def test_n150_settings_need_no_store(project, args):
    found = loaded(project, *args.split())
    assert not found & (HEAVY | READERS | COSTLY)
    assert "store" not in rooms(found)


def test_n150_toml_is_read_where_there_is_some(project):
    project.write(".cloche/config.toml", "[intent]\n")
    assert "tomllib" in loaded(project, "config")


def test_n150_completion_needs_neither_store_nor_git(project):
    found = loaded(project, "completion", "bash")
    assert not found & (HEAVY | READERS | COSTLY)
    assert not rooms(found) & {"git", "scan", "store"}


def test_n150_the_help_of_every_command_is_light(project, monkeypatch):
    """All in one process: what one of them loads, the whole set has loaded."""
    monkeypatch.setenv("TRAILS", json.dumps([t[1:] for t, _ in walk(root)]))
    code = CHILD.replace(
        "code = main()",
        "import os; from git_intent.cli.main import main\n"
        "code = max(main([*t, '-h']) for t in json.loads(os.environ['TRAILS']))",
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    code, names = json.loads(done.stdout)
    assert code == 0
    assert set(names) & (HEAVY | READERS | COSTLY) == set()


def test_a_quiet_scan_loads_no_command_line(project):
    """The rest of its list is in tests/scan/test_quiet.py."""
    project.intent("scan")
    project.intent("scan")
    found = loaded(project, "scan")
    assert not found & (HEAVY | READERS | COSTLY | {"click", "subprocess"})
    assert "cli" not in rooms(found)


def test_n150_a_hooks_check_of_a_sound_file_loads_neither_yaml_nor_command_line(
    project,
):
    found = loaded(project, "check", ".cloche/intent/requirements/req-0001.md")
    assert not found & (HEAVY | READERS | COSTLY | {"click", "pathlib", "subprocess"})
    assert {name for name in found if name.startswith("git_intent")} == {
        *("git_intent", "git_intent.__main__", "git_intent.errors"),
        *("git_intent.git", "git_intent.git.look", "git_intent.git.process"),
        *("git_intent.guard", "git_intent.guard.quick"),
        *("git_intent.secret_contexts", "git_intent.secret_shapes"),
        *("git_intent.secrets", "git_intent.store"),
        *("git_intent.store.canonical", "git_intent.store.characters"),
    }


def test_n150_n162_a_hook_without_a_store_loads_next_to_nothing(repo):
    repo.commit("one", a="1")
    repo.write("b", "2")
    repo.git("add", "b")
    for words in (["check", "a"], ["check", "--rules"], ["check", "--staged"]):
        found = loaded(repo, *words)
        assert not found & {"click", "dataclasses", "enum", "json", "pathlib", "re"}
        assert rooms(found) == {"__main__", "errors", "git", "guard"}


@pytest.mark.parametrize(
    "words", ["check", "check --rules", "check --staged", "check --hook"]
)
def test_n150_a_check_of_the_store_needs_no_pygit2(project, words):
    found = loaded(project, *words.split())
    assert not found & (HEAVY - {"pathspec"})


def test_n150_a_prompt_for_a_known_store_loads_no_reader_and_no_command_line(project):
    """Its first prompt reads everything and leaves a record."""
    project.write("prompt.md", "Do it.\n")
    words = ("inject", "prompt.md", "--task", "keep the promise")
    for _ in range(2):  # the record, then what the context comes to
        assert project.intent(*words).code == 0
    found = loaded(project, *words)
    assert not found & (HEAVY | READERS | COSTLY)
    assert not found & {"click", "dataclasses", "enum", "json", "pathlib", "re"}
    assert not found & {"subprocess", "typing"}
    assert rooms(found) == {
        *("__main__", "cache", "embed", "errors", "git", "inject", "store"),
    }
    assert {name for name in found if name.startswith("git_intent.store")} == {
        "git_intent.store",
        "git_intent.store.marks",
    }


@pytest.mark.parametrize("words", ["-h", "owner-view", "show", "sources", "log"])
def test_n150_the_ledgers_readers_load_no_store_and_no_library(repo, home, words):
    chat = Session(repo).configure()
    chat.prompt("one")
    who = ["--host", "claude", "--session", "s-1"] if words != "-h" else []
    found = loaded(repo, "ledger", words, *who)
    assert not found & (HEAVY | READERS | COSTLY)
    assert not rooms(found) & {"store", "embed", "scan", "inject", "guard", "review"}


def test_the_help_of_the_console_loads_none_of_its_extra(project):
    found = loaded(project, "web", "--help")
    assert not {name.partition(".")[0] for name in found} & {
        *("anyio", "asyncio", "jinja2", "starlette", "uvicorn", "webbrowser"),
    }
    assert rooms(found) == {"__main__", "cli", "errors"}
