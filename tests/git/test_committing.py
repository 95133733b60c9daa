"""Whether somebody is in the middle of a commit."""

import os
import subprocess
import time

import pytest

from git_intent.git.committing import committing, is_commit
from git_intent.git.repository import Repository
from tests.support.repo import Repo


def opened(repo):
    return Repository.discover(repo.path)


@pytest.mark.parametrize(
    "words",
    [
        "git commit",
        "/usr/bin/git commit -a -m x",
        "git -c user.name=x -C sub --no-pager commit",
        "/usr/lib/git-core/git-commit -v",
    ],
)
def test_a_commit_is_known_by_its_command_line(words):
    assert is_commit([word.encode() for word in words.split()])


@pytest.mark.parametrize(
    "words",
    [
        "",
        "git",
        "git log commit",
        "git commit-tree x",
        "vim commit",
        "git -C commit gc",
    ],
)
def test_what_is_no_commit(words):
    assert not is_commit([word.encode() for word in words.split()])


@pytest.fixture
def editing(tmp_path):
    """Begin a commit in a repository, and end it by calling what is given."""
    begun = []

    def begin(repo, *args):
        ready, go = tmp_path / "ready", tmp_path / "go"
        editor = tmp_path / "editor.sh"
        editor.write_text(
            f'#!/bin/sh\necho "By hand" > "$1"\ntouch {ready}\n'
            f"while [ ! -e {go} ]; do sleep 0.02; done\n"
        )
        editor.chmod(0o755)
        child = subprocess.Popen(
            ["git", "commit", "-q", "--allow-empty", *args],
            cwd=repo.path,
            env={**os.environ, "GIT_EDITOR": str(editor)},
        )
        begun.append(child)
        while not ready.exists():
            time.sleep(0.02)

        def end():
            go.touch()
            return child.wait(30)

        return end

    yield begin
    for child in begun:
        child.kill()
        child.wait()


def test_a_commit_in_this_work_tree_is_seen_until_it_ends(repo, editing, tmp_path):
    repo.commit("one")
    other = Repo(tmp_path / "other")
    repo.git("worktree", "add", "-q", str(other.path))
    (repo.path / "sub").mkdir()
    end = editing(Repo(repo.path / "sub"))
    assert committing(opened(repo), time.time())
    assert not committing(opened(other), time.time())
    assert end() == 0
    assert not committing(opened(repo), time.time())


def test_without_a_process_table_a_new_message_tells(repo, editing, tmp_path):
    repo.commit("one")
    now = time.time()
    assert not committing(opened(repo), now, tmp_path)
    message = repo.write(".git/COMMIT_EDITMSG", "x")
    os.utime(message, (now, now))
    os.utime(repo.path / ".git/logs/HEAD", (now - 9, now - 9))
    assert committing(opened(repo), now, tmp_path)
    assert not committing(opened(repo), now + 4000, tmp_path)
    os.utime(repo.path / ".git/logs/HEAD", (now + 1, now + 1))
    assert not committing(opened(repo), now, tmp_path)


def test_in_a_new_repository_and_a_bare_one_nobody_commits(repo, tmp_path):
    assert not committing(opened(repo), time.time(), tmp_path)
    bare = Repo.init(tmp_path / "bare", "--bare")
    assert not committing(opened(bare), time.time())
