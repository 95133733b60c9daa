"""Commits through the hooks that `git intent install git` writes."""

import sys

import pytest

from git_intent.git.repository import Repository
from git_intent.guard import hook_install
from git_intent.store.intent_dir import requirement_path
from tests.support.guarding import SOURCE, published, tried
from tests.support.snapshots import content, requirement

ONE = requirement("req-0001", statement="Always keep it.")
PATH = requirement_path(ONE.id)
REWORDED = content(ONE).replace(b"Always keep", b"Never break")


@pytest.fixture
def hooked(repo, monkeypatch):
    """A store with a requirement, and a file beside it, behind installed hooks."""
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    published(repo, ONE)
    found = Repository.discover(repo.path)
    for step in hook_install.plan_install(found, sys.executable).steps:
        step.take()
    return repo


@pytest.mark.parametrize(
    ("before", "commit"),
    [
        (["add", PATH], ["commit", "-m", "reword"]),
        ([], ["commit", "-am", "reword"]),
        ([], ["commit", "-m", "reword", "--", PATH]),
    ],
    ids=["staged", "all", "path"],
)
def test_n042_the_first_try_marks_the_change_and_the_second_passes(
    hooked, before, commit
):
    hooked.write(PATH, REWORDED)
    hooked.write("notes", "not staged")
    for number in (1, 2):
        if before:
            hooked.git(*before)
        head, index = hooked.head(), hooked.git("ls-files", "-s")
        code, said = tried(hooked, *commit)
        if number == 2:
            assert code == 0, said
            break
        assert (code, hooked.head()) == (1, head), said
        assert f"repaired {PATH}; look at it and stage it" in said
        assert hooked.git("ls-files", "-s") == index
    marked = hooked.read(PATH)
    assert b"user_edited: true" in marked
    assert b"updated: 2026-01-01" not in marked
    shown = hooked.git("show", f"HEAD:{PATH}")
    assert shown.strip().encode() == marked.strip()


def test_n042_of_a_file_that_is_staged_in_part_nothing_is_rewritten(hooked):
    hooked.write(PATH, REWORDED)
    hooked.git("add", PATH)
    hooked.write(PATH, REWORDED.replace(b"Never break", b"Do not break"))
    before = hooked.read(PATH), hooked.git("ls-files", "-s")
    code, said = tried(hooked, "commit", "-m", "reword")
    assert code == 1
    assert "add the line `user_edited: true`" in said
    assert (hooked.read(PATH), hooked.git("ls-files", "-s")) == before


def test_n157_formats_of_the_index_are_checked_too(hooked):
    hooked.write(PATH, "no front matter\n")
    hooked.git("add", PATH)
    hooked.write(PATH, content(ONE))
    code, said = tried(hooked, "commit", "-m", "break it")
    assert code == 1
    assert f"{PATH}:1:1: I002" in said


def test_an_agents_change_is_not_marked(hooked, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    hooked.write(PATH, REWORDED)
    code, said = tried(hooked, "commit", "-am", "reword")
    assert code == 0, said
    assert hooked.read(PATH) == REWORDED


def test_nothing_to_say_is_said_in_no_words(hooked):
    hooked.write("notes", "two")
    assert tried(hooked, "commit", "-qam", "other") == (0, "")
