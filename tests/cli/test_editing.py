"""git intent edit: the editor of git, and a judge behind it."""

import pytest

from tests.cli.acting import PATH, editor, found
from tests.cli.conftest import NOW
from tests.support.snapshots import requirement


def test_n017_saving_unchanged_changes_nothing(repo, holds, intent):
    holds(requirement())
    before = (repo.path / PATH).stat()
    done = intent("edit", "req-0001", env={"GIT_EDITOR": "true"})
    assert (done.code, done.out) == (0, "req-0001 unchanged\n")
    assert (repo.path / PATH).stat() == before
    touched = editor(repo, 'cp "$1" "$1.new" && mv "$1.new" "$1"')
    assert intent("edit", "req-0001", env=touched).out == "req-0001 unchanged\n"
    assert (repo.path / PATH).stat() == before


@pytest.mark.parametrize(
    "failing", ["false", "no-such-editor", "/nonexistent/ed", "exit 3;"]
)
def test_n017_an_editor_that_fails_is_exit_1_and_nothing_is_written(
    repo, holds, intent, failing
):
    holds(requirement())
    done = intent("edit", "req-0001", env={"GIT_EDITOR": failing})
    assert done.code == 1
    assert f"the editor failed: {failing}" in done.err
    assert "nothing was written" in done.err
    assert repo.status() == ""


def test_n017_an_editor_that_removes_the_file_has_failed(repo, holds, intent):
    holds(requirement())
    done = intent("edit", "req-0001", env=editor(repo, 'rm "$1"'))
    assert done.code == 1
    assert repo.status() == ""


def test_n177_without_an_editor_it_is_said_how_to_set_one(
    repo, holds, intent, monkeypatch
):
    holds(requirement())
    monkeypatch.delenv("EDITOR")
    monkeypatch.delenv("VISUAL")
    done = intent("edit", "req-0001", env={"TERM": "dumb"})
    assert done.code == 1
    assert "no editor is configured\n  set $EDITOR or core.editor" in done.err


@pytest.mark.parametrize("how", ["core.editor", "VISUAL", "EDITOR"])
def test_edit_opens_the_editor_that_git_would_open(
    repo, holds, intent, monkeypatch, how
):
    holds(requirement())
    command = editor(repo, 'sed -i "s/Always keep/Do keep/" "$1"')["GIT_EDITOR"]
    monkeypatch.delenv("EDITOR")
    monkeypatch.delenv("VISUAL")
    monkeypatch.setenv("TERM", "xterm")
    if how == "core.editor":
        repo.git("config", how, command)
    else:
        monkeypatch.setenv(how, command)
    assert intent("edit", "req-0001").out == "req-0001 changed\n"
    assert found(repo).statement == "Do keep the promise of req-0001."


def test_n177_a_persons_edit_marks_words_and_scope_only(repo, holds, intent):
    holds(requirement(hints=("old hint",)))
    hint = editor(repo, 'sed -i "s/old hint/new hint/" "$1"')
    assert intent("edit", "req-0001", env=hint).code == 0
    assert not found(repo).user_edited
    assert found(repo).updated == NOW
    words = editor(repo, 'sed -i "s/Always keep/Do keep/" "$1"')
    assert intent("edit", "req-0001", env=words).code == 0
    assert found(repo).user_edited
    assert found(repo).updated > NOW
    assert repo.git("diff", "--cached", "--name-only") == ""


def test_an_agents_edit_marks_nothing(repo, holds, intent):
    holds(requirement())
    words = editor(repo, 'sed -i "s/Always keep/Do keep/" "$1"')
    assert intent("edit", "req-0001", "--actor=agent", env=words).code == 0
    assert not found(repo).user_edited


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("s/^status:.*/status: Active/", "I008"),
        ("s/^status:.*/status:active/", "I003"),
        ("s/^id:.*/id: req-ffff/", "I101"),
        ("s/^created:.*/created: 2020-01-01T00:00:00Z/", "I107"),
        ("s/ kind: doc/ kind: user/", "I107"),
        ("s/^Always.*/Ring \\\\x07/;s/.x07/\\x07/", "I040"),
    ],
)
def test_n047_a_refused_edit_is_kept_for_its_author(repo, holds, intent, script, code):
    holds(requirement())
    refused = editor(repo, f"sed -i '{script}' \"$1\"")
    done = intent("edit", "req-0001", env=refused)
    assert done.code == 1
    assert f"{PATH}:" in done.err
    assert code in done.err
    assert repo.status() == ""
    _, _, kept = done.err.strip().rpartition("what you saved is kept in ")
    with open(kept, "rb") as file:
        assert file.read() != repo.read(PATH)


def test_n047_the_same_instant_in_another_notation_is_allowed(repo, holds, intent):
    holds(requirement())
    other = "s/^created:.*/created: 2026-01-01T01:00:00+01:00/"
    assert (
        intent("edit", "0001", env=editor(repo, f"sed -i '{other}' \"$1\"")).code == 0
    )


def test_an_edit_does_not_run_over_another_one(repo, holds, intent):
    holds(requirement())
    target = repo.path / PATH
    script = f"echo mine >> \"$1\"; echo theirs >> '{target}'"
    done = intent("edit", "req-0001", env=editor(repo, script))
    assert done.code == 1
    assert f"{PATH}: was changed by others meanwhile" in done.err
    assert repo.read(PATH).endswith(b"theirs\n")
