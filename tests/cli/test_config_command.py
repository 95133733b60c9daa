"""git intent config: each value, where it came from, and all of its spellings."""

import json

import pytest

from git_intent.config import KEYS


def setting(intent, key, **more):
    (found,) = json.loads(intent("config", key, "--json", **more).out)["settings"]
    return found["value"], found["from"]


def test_n174_every_setting_is_shown_with_its_origin_and_spellings(repo, intent):
    done = intent("config")
    assert (done.code, done.err) == (0, "")
    for name, key in KEYS.items():
        assert f"{name} = " in done.out
        assert f"git config {key.git}, {key.env}" in done.out
        assert key.doc in done.out
    found = json.loads(intent("config", "--json").out)
    assert [entry["key"] for entry in found["settings"]] == list(KEYS)
    assert found["issues"] == []


def test_n174_values_of_the_file_are_shown_as_one_writes_them(repo, intent):
    text = (
        '\ufeff[intent]\ninject = "off"\nscan_after_tasks = false\n'
        '[other]\nx = 1\n[intent.git]\nagent_timeout = "2m"\ndoc_globs = ["a b/**"]\n'
    )
    repo.write(".cloche/config.toml", text)
    out = intent("config").out
    assert 'inject = "off"  (file .cloche/config.toml:2' in out
    assert "scan_after_tasks = false  (file .cloche/config.toml:3" in out
    assert 'git.agent_timeout = "120s"  (file .cloche/config.toml:7' in out
    assert 'git.doc_globs = ["a b/**"]  (file .cloche/config.toml:8' in out
    assert repo.read(".cloche/config.toml").decode() == text


def test_n174_a_table_that_stands_twice_is_named_with_its_line(repo, intent):
    repo.write(".cloche/config.toml", "[intent]\n[intent]\n")
    done = intent("config")
    assert done.code == 1
    assert ".cloche/config.toml:2:" in done.err


def test_n175_the_later_layer_wins(repo, intent):
    key = "token_budget"
    assert setting(intent, key) == (2000, "default")
    repo.write(".cloche/config.toml", "[intent]\ntoken_budget = 100\n")
    assert setting(intent, key) == (100, "file .cloche/config.toml:2")
    repo.git("config", "intent.tokenBudget", "200")
    value, origin = setting(intent, key)
    assert value == 200
    assert origin.startswith("git config ")
    env = {"GIT_INTENT_TOKEN_BUDGET": "300"}
    assert setting(intent, key, env=env) == (300, "environment GIT_INTENT_TOKEN_BUDGET")


@pytest.mark.parametrize("scope", ["--global", "--local"])
def test_n175_the_documented_spelling_works_at_every_scope(repo, intent, scope):
    repo.git("config", scope, "intent.git.maxCommits", "7")
    assert setting(intent, "git.max_commits")[0] == 7


@pytest.mark.parametrize(
    ("value", "shown"), [("0", 2000), ("-5", None), ('"many"', None), ("1e9", None)]
)
def test_n176_a_bad_value_is_exit_1_at_its_line(repo, intent, value, shown):
    repo.write(".cloche/config.toml", f"[intent]\n\ntoken_budget = {value}\n")
    done = intent("config", "token_budget")
    assert "token_budget = 2000" in done.out
    assert done.code == (0 if shown else 1)
    assert shown or done.err.startswith(".cloche/config.toml:3:")
    found = json.loads(intent("config", "--json").out)
    assert len(found["issues"]) == (0 if shown else 1)
    # other commands warn, take the default and go on
    assert intent("list").code == 0
    assert intent("list").err == done.err


def test_n176_an_unknown_key_warns_with_the_nearest(repo, intent):
    repo.write(".cloche/config.toml", "[intent]\ntoken_buget = 1\n")
    done = intent("config")
    assert done.code == 0
    assert "token_buget: unknown key; did you mean [intent] token_budget" in done.err
