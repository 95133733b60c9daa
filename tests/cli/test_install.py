"""git intent install git: hooks and drivers, said and taken back."""

import os
import subprocess

import pytest

from git_intent.guard.drivers import SETTINGS
from git_intent.guard.hook_install import HOOKS
from tests.guard.test_hook_install import PRIORS, put, tree
from tests.support.repo import Repo
from tests.support.snapshots import requirement

KEYS = set(SETTINGS)
PATH = ".cloche/intent/requirements"


def drivers(repo):
    out = repo.git("config", "--local", "--list", "--name-only")
    return {key for key in out.splitlines() if ".git-intent." in key}


def there(repo):
    """Hooks and configuration, which is all that may change."""
    config = repo.path / ".git/config"
    return tree(repo.path / ".git/hooks") | {"config": config.read_bytes()}


def test_n159_install_and_uninstall_give_back_every_byte(repo, intent):
    put(repo.path / ".git/hooks/pre-commit", PRIORS["sh"])
    repo.git("remote", "add", "origin", "elsewhere")
    before = there(repo)
    done = intent("install", "git")
    assert (done.code, done.err) == (0, "")
    assert [line.split(":")[0] for line in done.out.splitlines()[-2:]] == [*HOOKS]
    assert drivers(repo) == {key.lower() for key in KEYS}
    installed = there(repo)
    again = intent("install", "git")
    assert (again.code, again.out) == (0, "Nothing to do.\n")
    assert there(repo) == installed
    assert intent("install", "git", "--uninstall").code == 0
    assert there(repo) == before
    assert intent("install", "git", "--uninstall").out == "Nothing to do.\n"


def test_a_dry_run_says_all_and_writes_nothing(repo, intent):
    before = there(repo)
    dry = intent("install", "git", "--dry-run").out.splitlines()
    assert there(repo) == before
    assert dry == [f"would do: {x}" for x in intent("install", "git").out.splitlines()]
    installed = there(repo)
    dry = intent("install", "git", "--uninstall", "--dry-run").out.splitlines()
    assert there(repo) == installed
    done = intent("install", "git", "--uninstall").out.splitlines()
    assert dry == [f"would do: {x}" for x in done]


def test_n159_a_refusal_names_the_line_and_the_drivers_are_registered(repo, intent):
    put(repo.path / ".husky/pre-commit", PRIORS["sh"])
    repo.git("config", "core.hooksPath", ".husky")
    done = intent("install", "git")
    assert done.code == 1
    assert done.err == (
        f"git intent: hooks come from {repo.path / '.husky'}, which is part of the "
        "work tree\n  add this line to its pre-commit and pre-merge-commit:\n"
        "    git intent check --hook\n"
    )
    assert drivers(repo)
    assert repo.git("config", "core.hooksPath") == ".husky"


def test_settings_of_a_person_stay(repo, intent):
    repo.git("config", "merge.git-intent.driver", "true")
    repo.git("config", "diff.git-intent.command", "true")
    done = intent("install", "git")
    assert "merge.git-intent.driver is set otherwise" in done.err
    intent("install", "git", "--uninstall")
    assert repo.git("config", "merge.git-intent.driver") == "true"
    assert repo.git("config", "diff.git-intent.command") == "true"


def test_an_older_driver_of_ours_is_brought_up_to_date(repo, intent):
    old = "git intent merge-driver %O %A %B %L %P"
    repo.git("config", "merge.git-intent.driver", old)
    assert "merge.git-intent.driver set" in intent("install", "git").out
    intent("install", "git", "--uninstall")
    assert not drivers(repo)


def test_a_bare_repository_commits_nothing(tmp_path, intent):
    bare = Repo.init(tmp_path / "bare.git", "--bare")
    assert intent("install", "git", cwd=bare.path).code == 1


# The hooks run the real program


def attempt(repo, *args):
    """Run git, which may refuse; gives its code and its words."""
    done = subprocess.run(
        ["git", *args], cwd=repo.path, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def test_n159_the_check_refuses_a_deletion_and_lets_a_change_through(
    repo, holds, intent, on_path
):
    put(repo.path / ".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n")
    intent("install", "git")
    holds(requirement(), requirement("req-0002"))
    head = repo.commit("more")
    repo.git("rm", "-q", f"{PATH}/req-0001.md")
    code, words = attempt(repo, "commit", "-qm", "x")
    assert code == 1
    assert "I101" in words
    assert repo.head() == head
    repo.git("reset", "-q", "--hard")
    intent("disable", "req-0001")
    assert attempt(repo, "commit", "-qam", "x")[0] == 0


def test_a_merge_that_deletes_is_refused_by_the_hook_of_merges(
    repo, holds, intent, on_path
):
    holds(requirement(), requirement("req-0002"))
    repo.git("switch", "-q", "-c", "topic")
    repo.git("rm", "-q", f"{PATH}/req-0001.md")
    repo.commit("gone")
    repo.git("switch", "-q", "main")
    repo.commit(other="x")
    intent("install", "git")
    code, words = attempt(repo, "merge", "-q", "--no-edit", "topic")
    assert code == 1
    assert "I101" in words


def test_a_scan_commits_through_the_hooks(repo, intent, on_path):
    intent("install", "git")
    page = "# Rules\n\nRule: always from the page.\n"
    repo.commit_files({"CLAUDE.md": page})
    head = repo.head()
    done = repo.intent("scan")
    assert done.code == 0, done.err
    assert repo.head() != head
    assert "Intent-Scan:" in repo.git("log", "-1", "--format=%B")


# What git does with the drivers where git-intent is not


@pytest.fixture
def diverged(repo, holds, monkeypatch):
    """Two branches that reworded one requirement, in one repository without us."""
    path = [f for f in os.environ["PATH"].split(os.pathsep) if ".venv" not in f]
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    holds(requirement(), requirement("req-0002"))
    repo.git("switch", "-q", "-c", "topic")
    holds(requirement(statement="Never do theirs."), requirement("req-0003"))
    repo.git("switch", "-q", "main")
    holds(requirement(statement="Never do ours."))
    return repo


def test_n167_a_clone_without_git_intent_works_on_plain_text(diverged):
    attributes = (diverged.store / ".gitattributes").read_text()
    assert "merge=git-intent" in attributes
    shown = diverged.git("diff", "main", "topic")
    assert "-Never do ours.\n+Never do theirs." in shown
    diverged.git("merge", "-q", "topic", check=False)
    text = diverged.read(".cloche/intent/requirements/req-0001.md")
    assert b"<<<<<<< HEAD\nNever do ours.\n=======\nNever do theirs.\n>>>>>>> " in text


@pytest.mark.parametrize("program", ["missing", "without its python"])
def test_n167_a_driver_without_its_program_leaves_a_conflict_and_loses_nothing(
    diverged, intent, tmp_path, monkeypatch, program
):
    intent("install", "git")
    for hook in HOOKS:
        (diverged.path / ".git/hooks" / hook).unlink()
    if program != "missing":
        put(tmp_path / "bin/git-intent", "#!/nonexistent/python\n")
        path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
        monkeypatch.setenv("PATH", path)
    shown = diverged.git("diff", "main", "topic")
    assert "@@ status: active\n" in shown
    assert "-Never do ours.\n+Never do theirs." in shown
    diverged.git("merge", "-q", "topic", check=False)
    text = diverged.read(".cloche/intent/requirements/req-0001.md")
    assert b"<<<<<<< ours\nNever do ours.\n=======\nNever do theirs.\n>>>>>>> " in text
    assert b"id: req-0001\n" in text
    unmerged = diverged.git("ls-files", "-u", "--format=%(stage)").split()
    assert unmerged == ["1", "2", "3"]
    assert (diverged.store / "requirements/req-0003.md").exists()


def test_n167_a_clean_merge_needs_no_program(diverged, intent):
    intent("install", "git")
    for hook in HOOKS:
        (diverged.path / ".git/hooks" / hook).unlink()
    diverged.git("checkout", "-q", "topic", "--", ".cloche/intent/requirements")
    file = diverged.store / "requirements/req-0002.md"
    file.write_bytes(file.read_bytes().replace(b"status: active", b"status: disabled"))
    diverged.git("commit", "-qam", "same words")
    diverged.git("merge", "-q", "topic")
    assert b"Never do theirs." in diverged.read(
        ".cloche/intent/requirements/req-0001.md"
    )
    assert b"status: disabled" in file.read_bytes()
