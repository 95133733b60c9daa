"""A kill or a store that cannot be written, in the middle of a command."""

import os
import re
import subprocess
import sys

import pytest

from git_intent.store.intent_dir import load_store, read_snapshot
from git_intent.store.requirement import Status
from tests.support.repo import _SOURCE
from tests.support.snapshots import requirement

KILLED = """
import os, signal, sys
from git_intent import files
from git_intent.cli.main import main
left = [int(sys.argv[1])]
def kill(name):
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
files.on_effect = kill
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("number", range(3))
def test_n026_a_kill_leaves_each_file_old_or_new(repo, holds, intent, number):
    holds(*(requirement(f"req-000{n}") for n in range(3)))
    before = read_snapshot(repo.path)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            KILLED,
            str(number),
            "disable",
            *"0000 0001 0002".split(),
        ],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    after = load_store(read_snapshot(repo.path))
    assert not after.issues
    for id, one in after.requirements.items():
        old = after.bytes[id] == before[after.paths[id]]
        assert old or one.status is Status.DISABLED
    assert all(line.startswith("1 .M") for line in repo.status().splitlines())
    assert intent("disable", "0000", "0001", "0002").code == 0
    done_store = load_store(read_snapshot(repo.path))
    assert {r.status for r in done_store.requirements.values()} == {Status.DISABLED}


def test_n026_a_kill_of_add_leaves_no_file_or_all_of_it(repo, intent):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, "1", "add", "Use tabs."],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    assert not load_store(read_snapshot(repo.path)).issues
    assert "tmp" not in repo.status()
    assert intent("add", "Use tabs.").code == 0


def test_n026_a_full_disk_is_exit_1_and_the_store_stays(repo, holds, intent):
    """No file may grow: what a full disk is to a process."""
    holds(requirement())
    for command in ("disable req-0001", "add X-must-hold.", "domains add api", "init"):
        done = subprocess.run(
            [
                "sh",
                "-c",
                f'ulimit -f 0; exec "$0" -m git_intent {command}',
                sys.executable,
            ],
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": _SOURCE, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert done.stderr.startswith("git intent: ")
        assert re.search("File too large|temporary directory", done.stderr)
        assert "\n  " in done.stderr, "a hint"
        assert repo.status() == "", command


def test_n026_a_read_only_store_is_exit_1_and_stays(repo, holds, intent):
    holds(requirement())
    folder = repo.store / "requirements"
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("this user may write everywhere")
        done = intent("disable", "req-0001")
        assert done.code == 1
        assert "req-0001.md" in done.err
    finally:
        folder.chmod(0o755)
    assert repo.status() == ""
