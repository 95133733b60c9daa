"""The settings of the ledger, as hooks read them."""

import pytest

from git_intent.config import load
from git_intent.config_ledger import CONTEXT_BYTES, QUESTION, settings
from git_intent.git.process import spawn_git
from git_intent.git.repository import Repository


def read(repo, **environ):
    _, asked = spawn_git(QUESTION, repo.path)
    return settings(asked, str(repo.path / ".cloche/config.toml"), environ)


def test_nothing_is_set(repo):
    found = read(repo)
    assert (found.home, found.namespace, found.faults) == ("", "", [])
    assert found.context_bytes == CONTEXT_BYTES
    assert found.class_of("claude", "Bash") == "mixed"
    assert found.class_of("claude", "Edit") == ""


@pytest.mark.parametrize("scope", ["--global", "--local"])
def test_home_and_namespace_come_from_any_scope_of_git_config(repo, scope):
    repo.git("config", scope, "intent.ledgerHome", "/a b/\u00e9")
    repo.git("config", scope, "intent.namespace", "team\u00e9")
    found = read(repo)
    assert (found.home, found.namespace) == ("/a b/\u00e9", "team\u00e9")


def test_l122_a_later_layer_wins_and_both_readers_agree(repo):
    steps = [
        (lambda: repo.write(".cloche/config.toml", FILE), {}, 600),
        (lambda: repo.git("config", "intent.ledger.contextBytes", "700"), {}, 700),
        (lambda: None, {"GIT_INTENT_CONTEXT_BYTES": "800"}, 800),
        (lambda: None, {"GIT_INTENT_CONTEXT_BYTES": "8"}, 700),
    ]
    for step, environ, expected in steps:
        step()
        assert read(repo, **environ).context_bytes == expected
        loaded = load(Repository.discover(repo.path), repo.path, environ, {})
        assert loaded.config.ledger.context_bytes == expected
    assert len(read(repo, GIT_INTENT_CONTEXT_BYTES="8").faults) == 1


FILE = """\
[intent.ledger]
context_bytes = 600

[intent.ledger.tools.claude]
mutation = ["Edit", "Bash"]
read_only = ["Read"]
mixed = ["Edit"]
"""


def test_l067_tool_classes_of_file_and_git_config(repo):
    repo.write(".cloche/config.toml", FILE)
    found = read(repo)
    assert found.class_of("claude", "Edit") == "mutation"
    assert found.class_of("claude", "Bash") == "mutation"
    assert found.class_of("claude", "Read") == "read_only"
    assert found.class_of("codex", "Edit") == ""
    repo.git("config", "--add", "intent.ledger.tools.claude.readOnly", "Grep")
    repo.git("config", "--add", "intent.ledger.tools.claude.readOnly", "Glob")
    found = read(repo)
    assert found.class_of("claude", "Read") == ""
    assert found.class_of("claude", "Glob") == "read_only"
    assert found.faults == []


def test_what_cannot_be_used_is_a_fault_and_nothing_more(repo):
    repo.git("config", "intent.ledger.tools.clod.mutation", "Edit")
    repo.git("config", "intent.ledger.tools.claude.writes", "Edit")
    repo.write(".cloche/config.toml", "[intent.ledger\n")
    found = read(repo)
    assert len(found.faults) == 3
    assert found.class_of("claude", "Edit") == ""
    repo.write(".cloche/config.toml", b"[intent.ledger]\nx = '\xff'\n")
    assert len(read(repo).faults) == 3
