"""Completion in a real bash, for `git-intent` and for `git intent`."""

import os
import shutil
import subprocess

import pytest

from tests.support.snapshots import requirement

pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")


def complete(script, function, *words, before=""):
    """What bash would offer for the last of `words`."""
    quoted = " ".join(f"'{word}'" for word in words)
    text = (
        f'{script}\ncompopt() {{ echo "compopt $*"; }}\n{before}\n'
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
        f'{function}; printf "%s\\n" "${{COMPREPLY[@]}}"\n'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", text],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.fixture
def script(on_path, intent):
    done = intent("completion", "bash")
    assert (done.code, done.err) == (0, "")
    return done.out


def test_git_intent_is_completed_through_gits_own_completion(script):
    assert complete(script, "_git_intent", "git", "intent", "sh") == ["show"]
    assert complete(script, "_git_intent", "git", "intent", "scan", "--r") == [
        "--resume"
    ]
    assert complete(script, "_git_intent", "git", "intent", "list", "-s", "d") == [
        "disabled"
    ]
    assert complete(script, "_git_intent", "git", "intent", "domains", "r") == [
        "remove"
    ]


def test_options_of_git_before_the_command_are_passed_over(script):
    words = ["git", "-C", "/some where", "intent", "sta"]
    assert complete(script, "_git_intent", *words, before="__git_cmd_idx=3") == [
        "status"
    ]


def test_ids_are_offered(script, repo, holds, monkeypatch, tmp_path):
    holds(requirement("req-a3f8"), requirement("req-a3ff"), requirement("req-0001"))
    monkeypatch.chdir(repo.path)
    for typed in ("req-a3", "a3"):
        offered = complete(script, "_git_intent", "git", "intent", "show", typed)
        assert offered == ["req-a3f8", "req-a3ff"]
    words = ["git", "intent", "supersede", "req-a3f8", "--by", "req-0"]
    assert complete(script, "_git_intent", *words) == ["req-0001"]
    monkeypatch.chdir(tmp_path)
    assert complete(script, "_git_intent", "git", "intent", "show", "req-a") == [""]
    there = ["git", "intent", "-C", str(repo.path), "show", "req-0"]
    assert complete(script, "_git_intent", *there) == ["req-0001"]


def test_files_are_left_to_the_shell(script):
    offered = complete(script, "_git_intent", "git", "intent", "extract", "CLA")
    assert offered[0] == "compopt -o default"


def test_the_executable_is_completed_too(script):
    function = "_git_intent_completion git-intent"
    assert complete(script, function, "git-intent", "sh") == ["show"]
    assert "complete -o nosort -F _git_intent_completion git-intent" in script


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(intent, shell):
    done = intent("completion", shell)
    assert done.code == 0
    assert "_GIT_INTENT_COMPLETE" in done.out
