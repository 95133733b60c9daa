"""Who may hold the project lock, and when it may be taken from somebody."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from git_intent import files
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.lock import (
    LockHeld,
    Machine,
    Owner,
    ProjectLock,
    Verdict,
    judge,
    process_start,
)

HERE = Machine("box", "m1", "b1", "pid:[1]")
OWNER = Owner("box", "m1", "b1", "pid:[1]", 7, "100", "scan", "run-1", "", "n")


@pytest.mark.parametrize(
    ("owner", "here", "started", "verdict"),
    [
        pytest.param({}, HERE, "100", Verdict.ALIVE, id="lives"),
        pytest.param({}, HERE, "", Verdict.DEAD, id="no such process"),
        pytest.param({}, HERE, "101", Verdict.DEAD, id="pid reused"),
        pytest.param({}, HERE, None, Verdict.ALIVE, id="start not told"),
        pytest.param({"started": ""}, HERE, "5", Verdict.ALIVE, id="start unknown"),
        pytest.param({"boot": "b0"}, HERE, "100", Verdict.DEAD, id="restarted"),
        pytest.param({"boot": ""}, HERE, "", Verdict.UNKNOWN, id="boot unknown"),
        pytest.param(
            {"boot": "b0", "machine": ""},
            replace(HERE, machine=""),
            "",
            Verdict.UNKNOWN,
            id="two machines of one name",
        ),
        pytest.param({"host": "other"}, HERE, "", Verdict.UNKNOWN, id="other host"),
        pytest.param({"machine": "m2"}, HERE, "", Verdict.UNKNOWN, id="same name"),
        pytest.param(
            {"host": "other", "boot": "b0"}, HERE, "", Verdict.UNKNOWN, id="far away"
        ),
        pytest.param(
            {"namespace": "pid:[2]"}, HERE, "", Verdict.UNKNOWN, id="container"
        ),
    ],
)
def test_an_owner_is_dead_only_if_this_machine_can_prove_it(
    owner, here, started, verdict
):
    assert judge(replace(OWNER, **owner), here, started) is verdict


def test_the_lock_lies_in_the_common_directory_and_names_its_owner(tmp_path):
    lock = ProjectLock(tmp_path)
    with lock.acquire("scan", "run-9", "2026-01-02T03:04:05Z") as owner:
        written = json.loads((tmp_path / "intent" / "lock").read_bytes())
        assert lock.holder() == owner
    assert written["pid"] == os.getpid()
    assert written["run"] == "run-9"
    assert lock.holder() is None
    assert [p.name for p in (tmp_path / "intent").iterdir()] == []


def test_a_second_one_is_told_who_holds_it(tmp_path):
    lock = ProjectLock(tmp_path)
    with (
        lock.acquire("scan", "run-9"),
        pytest.raises(LockHeld, match=rf"scan \(run run-9\), process {os.getpid()} on"),
        lock.acquire("scan", "run-10"),
    ):
        pass
    with lock.acquire("scan"):
        pass


def test_an_error_inside_gives_the_lock_back(tmp_path):
    lock = ProjectLock(tmp_path)
    with pytest.raises(ZeroDivisionError), lock.acquire("scan"):
        _ = 1 / 0
    assert not lock.path.exists()


def hold(tmp_path: Path) -> subprocess.Popen[bytes]:
    """A process that holds the lock until it is killed."""
    program = (
        "import sys, time; from pathlib import Path\n"
        "from git_intent.lock import ProjectLock\n"
        "with ProjectLock(Path(sys.argv[1])).acquire('scan', 'dead-run'):\n"
        "    print('held', flush=True); time.sleep(60)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    return child


def test_a_killed_owner_is_succeeded_and_a_living_one_is_not(tmp_path):
    lock = ProjectLock(tmp_path)
    with hold(tmp_path) as child:
        with pytest.raises(LockHeld, match="dead-run"), lock.acquire("scan"):
            pass
        child.kill()
        child.wait()
        with lock.acquire("scan", "next") as owner:
            assert owner.run == "next"


def test_an_unburied_process_is_dead(tmp_path):
    with hold(tmp_path) as child:
        os.kill(child.pid, signal.SIGKILL)
        while process_start(child.pid) != "":
            time.sleep(0.01)
        with ProjectLock(tmp_path).acquire("scan"):
            pass


@pytest.mark.parametrize(
    "change",
    [
        {"host": "elsewhere"},
        {"version": 2},
        {"pid": "7"},
        {"extra": 1},
        {"namespace": "pid:[0]"},
    ],
)
def test_what_cannot_be_judged_is_never_broken(tmp_path, change):
    lock = ProjectLock(tmp_path)
    with lock.acquire("scan"):
        record = json.loads(lock.path.read_bytes())
    foreign = json.dumps({**record, "pid": 2**22 + 1, **change}).encode()
    lock.path.write_bytes(foreign)
    with pytest.raises(LockHeld) as caught, lock.acquire("scan"):
        pass
    assert str(lock.path) in caught.value.hint
    assert lock.path.read_bytes() == foreign


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[]", b"7"])
def test_a_record_that_is_no_record_is_never_broken(tmp_path, data):
    lock = ProjectLock(tmp_path)
    lock.path.parent.mkdir()
    lock.path.write_bytes(data)
    assert lock.holder() is None
    with pytest.raises(LockHeld, match="cannot be read"), lock.acquire("scan"):
        pass
    assert lock.path.read_bytes() == data


def test_only_its_own_record_is_removed(tmp_path):
    lock = ProjectLock(tmp_path)
    with lock.acquire("scan"):
        lock.path.write_bytes(b"somebody else's")
    assert lock.path.read_bytes() == b"somebody else's"


def test_a_record_replaced_while_it_was_judged_stays(tmp_path, monkeypatch):
    """The dead one's record is gone and a new owner's stands in its place."""
    lock = ProjectLock(tmp_path)
    with hold(tmp_path) as child:
        child.kill()
    dead = files.sha256(lock.path.read_bytes())
    lock.path.write_bytes(b"new owner")
    lock._remove(dead)
    assert lock.path.read_bytes() == b"new owner"


def test_n088_killed_at_any_point_of_locking_the_next_one_works(tmp_path):
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from git_intent import files\n"
        "from git_intent.lock import ProjectLock\n"
        "left = [int(sys.argv[2])]\n"
        "def kill(name):\n"
        "    left[0] -= 1\n"
        "    if left[0] < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.on_effect = kill\n"
        "with ProjectLock(Path(sys.argv[1])).acquire('scan'): pass\n"
    )
    point = 0
    while subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), str(point)], check=False
    ).returncode:
        point += 1
        with ProjectLock(tmp_path).acquire("scan"):
            pass
        left = {path.name for path in (tmp_path / "intent").iterdir()}
        assert left <= {"lock.break", "lock.lent"}
    assert point >= 3


def test_n089_of_many_at_once_exactly_one_holds_it(tmp_path):
    program = (
        "import sys; from pathlib import Path\n"
        "from git_intent.lock import LockHeld, ProjectLock\n"
        "lock, log = ProjectLock(Path(sys.argv[1])), Path(sys.argv[1]) / 'log'\n"
        "for _ in range(30):\n"
        "    try:\n"
        "        with lock.acquire('scan'):\n"
        "            with log.open('a') as f: f.write('(')\n"
        "            with log.open('a') as f: f.write(')')\n"
        "    except LockHeld: pass\n"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path)])
        for _ in range(6)
    ]
    assert [child.wait() for child in children] == [0] * 6
    log = (tmp_path / "log").read_text()
    assert log == "()" * (len(log) // 2)


def test_n089_linked_worktrees_share_the_lock(repo, tmp_path):
    repo.commit("one")
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    here, there = map(Repository.discover, (repo.path, tmp_path / "linked"))
    with (
        ProjectLock(here.common_dir).acquire("scan", "run-1"),
        pytest.raises(LockHeld, match="run-1"),
        ProjectLock(there.common_dir).acquire("scan", "run-2"),
    ):
        pass


def test_a_lock_is_borrowed_by_those_who_know_its_nonce(tmp_path):
    lock = ProjectLock(tmp_path)
    with lock.acquire("scan") as owner:
        with lock.borrow(owner.nonce), lock.borrow(owner.nonce):
            pass
        with pytest.raises(IntentError, match="is not held by"), lock.borrow("other"):
            pass
    with pytest.raises(IntentError, match="is not held by"), lock.borrow(owner.nonce):
        pass


def test_what_is_borrowed_is_not_taken_over_when_its_owner_dies(tmp_path):
    lock = ProjectLock(tmp_path)
    with hold(tmp_path) as child:
        owner = lock.holder()
        assert owner is not None
        with lock.borrow(owner.nonce):
            child.kill()
            child.wait()
            with pytest.raises(LockHeld), lock.acquire("another"):
                pass
        with lock.acquire("another"):
            pass


def test_a_file_system_without_hard_links_is_named(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(IntentError, match="Operation not permitted"):
        ProjectLock(tmp_path).acquire("scan").__enter__()
