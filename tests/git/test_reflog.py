"""Where HEAD stood, by the reflog."""

import os
import shutil

from git_intent.git.reflog import head_at
from git_intent.git.repository import Repository

NOON = 1_790_000_000


def commit(repo, name, seconds):
    date = f"{seconds} +0000"
    env = {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date}
    before = {key: os.environ.get(key) for key in env}
    os.environ |= env
    try:
        repo.commit(name, **{name: name})
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value
    return repo.head()


def test_the_last_entry_before_a_time_counts(repo):
    one = commit(repo, "one", NOON)
    two = commit(repo, "two", NOON + 60)
    three = commit(repo, "three", NOON + 120)
    there = Repository.discover(repo.path)
    assert head_at(there, NOON + 60) == one  # of the same second, it counts as later
    assert head_at(there, NOON + 61.5) == two
    assert head_at(there, NOON + 1000) == three


def test_before_the_first_commit_there_was_none(repo):
    commit(repo, "one", NOON)
    assert head_at(Repository.discover(repo.path), NOON - 1) == ""


def test_what_the_reflog_has_forgotten_nobody_knows(repo):
    commit(repo, "one", NOON)
    commit(repo, "two", NOON + 60)
    log = repo.path / ".git/logs/HEAD"
    log.write_text(log.read_text().splitlines(keepends=True)[1])
    assert head_at(Repository.discover(repo.path), NOON) is None


def test_without_commits_or_without_a_reflog_nobody_knows(repo):
    assert head_at(Repository.discover(repo.path), NOON) is None
    commit(repo, "one", NOON)
    shutil.rmtree(repo.path / ".git/logs")
    assert head_at(Repository.discover(repo.path), NOON + 5) is None


def test_another_work_tree_has_its_own(repo, tmp_path):
    one = commit(repo, "one", NOON)
    commit(repo, "two", NOON + 60)
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "side"), one)
    assert head_at(Repository.discover(tmp_path / "side"), 4_000_000_000) == one
