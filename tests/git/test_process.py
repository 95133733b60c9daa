"""Children of ours: what they see, what they print, how they fail."""

import os
import sys
import time
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.git import process, stream
from git_intent.git.process import (
    GitError,
    GitTimeoutError,
    child_environment,
    git_in_time,
    run_git,
    run_hook,
    spawn_git,
)
from git_intent.git.stream import stream_columns, stream_git

HOSTILE = {
    "GIT_DIR": "/nowhere",
    "GIT_WORK_TREE": "/nowhere",
    "GIT_INDEX_FILE": "/nowhere",
    "GIT_OBJECT_DIRECTORY": "/nowhere",
    "GIT_EXTERNAL_DIFF": "false",
    "GIT_NAMESPACE": "x",
    "GIT_ICASE_PATHSPECS": "1",
    "LC_ALL": "de_DE.UTF-8",
}


@pytest.fixture
def _hostile(repo, monkeypatch):
    for name, value in HOSTILE.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("_hostile")
def test_children_see_no_repository_of_the_caller(repo):
    assert run_git(["rev-parse", "--git-dir"], cwd=repo.path) == b".git\n"
    assert spawn_git(["rev-parse", "--git-dir"], repo.path) == (0, b".git\n")
    env = child_environment({"GIT_DIR": "mine"})
    assert env["GIT_DIR"] == "mine"
    assert env["GIT_NO_LAZY_FETCH"] == "1"
    assert env["GIT_OPTIONAL_LOCKS"] == "0"
    assert env["LC_ALL"] == "C"
    assert set(env) & set(HOSTILE) == {"GIT_DIR", "LC_ALL"}


def test_settings_given_for_one_command_reach_children(repo, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "x.y")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "z")
    assert run_git(["config", "x.y"], cwd=repo.path) == b"z\n"


def test_a_failure_carries_command_code_and_words(repo):
    with pytest.raises(GitError, match="git rev-parse --verify") as caught:
        run_git(["rev-parse", "--verify", "nothing"], cwd=repo.path)
    assert caught.value.code == 128
    assert "fatal" in caught.value.stderr
    assert (
        run_git(["rev-parse", "-q", "--verify", "x"], cwd=repo.path, check=False) == b""
    )
    assert spawn_git(["rev-parse", "-q", "--verify", "x"], repo.path) == (1, b"")


@pytest.mark.parametrize("start", ["run", "stream", "spawn", "time"])
def test_without_git_or_folder_it_is_said_plainly(repo, monkeypatch, start):
    ways = {
        "run": lambda cwd: run_git(["version"], cwd=cwd),
        "stream": lambda cwd: list(stream_git(["version"], cwd=cwd)),
        "spawn": lambda cwd: spawn_git(["version"], cwd),
        "time": lambda cwd: git_in_time(
            ["version"], cwd=cwd, seconds=9, terminal=False
        ),
    }
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(IntentError, match="git is not installed"):
        ways[start](repo.path)


def test_a_folder_that_is_gone_is_named(tmp_path):
    with pytest.raises(IntentError, match="gone: no such folder"):
        run_git(["version"], cwd=tmp_path / "gone")


@pytest.mark.parametrize("chunk", [1, 2, 7, 1 << 18])
def test_streams_are_cut_at_nul_wherever_chunks_end(repo, monkeypatch, chunk):
    names = ["a", "ü" * 50, "line\nbreak", " blank "]
    for name in names:
        repo.write(name, "x")
    repo.git("add", ".")
    monkeypatch.setattr(stream, "CHUNK", chunk)
    monkeypatch.setattr(stream, "_PIPE", 1 << 16)
    pieces = stream_git(["ls-files", "-z"], cwd=repo.path)
    assert sorted(p.decode() for p in pieces) == sorted(names)
    wide = ["ls-files", "-z", "--format=%(path)%x00%(objectmode)%x00"]
    columns = stream_columns(wide, 3, cwd=repo.path)
    rows = [row for some in columns for row in zip(*some, strict=True)]
    assert sorted(rows) == sorted((name, "100644", "") for name in names)


def test_a_stream_that_fails_raises_at_its_end_and_may_be_left_early(repo):
    with pytest.raises(GitError, match="unknown revision"):
        list(stream_git(["log", "nothing"], cwd=repo.path))
    repo.commit("one")
    early = stream_git(["log", "-z", "--format=%H"], cwd=repo.path)
    assert next(early).decode() == repo.head()
    early.close()


def test_input_larger_than_a_pipe_does_not_block(repo):
    asked = b"HEAD\n" * 100_000
    repo.commit("one")
    out = stream_git(
        ["cat-file", "--batch-check=%(objectname)"], cwd=repo.path, input=asked
    )
    assert sum(len(piece) for piece in out) == 41 * 100_000


def test_a_hook_runs_in_the_callers_own_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("MINE", "mine")
    script = tmp_path / "hook"
    script.write_text(
        '#!/bin/sh\necho "$MINE $GIT_DIR $GIT_ALLOW_PROTOCOL $X"\n'
        "echo err >&2; exit 4\n"
    )
    script.chmod(0o755)
    assert run_hook([str(script)], cwd=tmp_path, env={"X": "x"}) == (
        4,
        "mine   x\nerr\n",
    )
    assert run_hook([str(tmp_path / "gone")], cwd=tmp_path, env={})[0] == 126


def test_a_hook_that_leaves_something_running_is_not_waited_for(tmp_path):
    script = tmp_path / "hook"
    script.write_text(f"#!/bin/sh\necho said; (sleep 5; touch {tmp_path}/late) &\n")
    script.chmod(0o755)
    assert run_hook([str(script)], cwd=tmp_path, env={}) == (0, "said\n")
    assert not (tmp_path / "late").exists()


def test_who_takes_too_long_is_stopped_with_all_it_started(repo, tmp_path):
    flag = tmp_path / "flag"
    repo.git("config", "alias.slow", f"!(sleep 3; touch {flag}) & wait")
    before = time.monotonic()
    with pytest.raises(GitTimeoutError, match=r"within 0\.2 seconds"):
        git_in_time(["slow"], cwd=repo.path, seconds=0.2, terminal=False)
    assert time.monotonic() - before < 3
    assert not flag.exists()


def test_starting_git_lean_loads_no_subprocess():
    program = (
        "import sys; from git_intent.git.process import spawn_git\n"
        "spawn_git(['version'], '.')\n"
        "print({'subprocess', 'typing', 'pathlib', 'pygit2'} & set(sys.modules))"
    )
    out = spawn_python(program)
    assert out == "set()\n"


def spawn_python(program: str) -> str:
    import subprocess

    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(process.__file__).parents[2])},
    )
    return done.stdout
