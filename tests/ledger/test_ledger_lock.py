"""One writer at a time, and nobody is declared dead without a proof."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from git_intent.files import canonical_json
from git_intent.ledger import durable, processes
from git_intent.ledger.ledger_lock import LedgerLock, Owner, judge, parse
from git_intent.ledger.processes import Life, Processes, Seen
from git_intent.ledger.refusal import Refusal
from git_intent.lock import Machine, Verdict

REF = "refs/intent/ledger/team/s-1"
HERE = Machine("box", "m1", "b1", "pid:[1]")
OWNER = Owner(
    ledger=REF,
    pid=7,
    pid_namespace="pid:[1]",
    time_namespace="time:[1]",
    start="100",
    boot="b1",
    machine="m1",
    host="box",
    uid=1000,
    nonce="ab",
)


class Table(Processes):
    """A process table in which one process has every id."""

    def __init__(self, seen, here=HERE, clocks="time:[1]"):
        self.seen, self.machine, self.clocks = seen, here, clocks

    def here(self):
        return self.machine

    def time_namespace(self):
        return self.clocks

    def look(self, pid):
        return self.seen

    def shared(self, path):
        return False


RUNS = Seen(Life.RUNS, "100")
NONE = Seen(Life.NONE)
DEAD, ALIVE, UNKNOWN = Verdict.DEAD, Verdict.ALIVE, Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("owner", "table", "verdict"),
    [
        pytest.param({}, Table(RUNS), ALIVE, id="lives"),
        pytest.param({}, Table(NONE), DEAD, id="no such process"),
        pytest.param({}, Table(Seen(Life.RUNS, "101")), DEAD, id="pid reused"),
        pytest.param({}, Table(Seen(Life.ZOMBIE, "101")), DEAD, id="reused, a zombie"),
        pytest.param({}, Table(Seen(Life.ZOMBIE, "100")), UNKNOWN, id="zombie"),
        pytest.param({}, Table(Seen(Life.HIDDEN)), UNKNOWN, id="EPERM and hidden"),
        pytest.param({"start": ""}, Table(RUNS), UNKNOWN, id="start not recorded"),
        pytest.param({"boot": "b0"}, Table(RUNS), DEAD, id="restarted"),
        pytest.param({"boot": ""}, Table(NONE), UNKNOWN, id="boot not recorded"),
        pytest.param(
            {}, Table(NONE, replace(HERE, boot="")), UNKNOWN, id="own boot not known"
        ),
        pytest.param({"machine": "m2"}, Table(NONE), UNKNOWN, id="other machine"),
        pytest.param(
            {"machine": ""},
            Table(NONE, replace(HERE, machine="")),
            UNKNOWN,
            id="machines without ids",
        ),
        pytest.param({"host": "other"}, Table(NONE), UNKNOWN, id="other host"),
        pytest.param(
            {"pid_namespace": "pid:[2]"}, Table(NONE), UNKNOWN, id="other container"
        ),
        pytest.param(
            {"pid_namespace": "pid:[2]", "boot": "b0"},
            Table(NONE),
            UNKNOWN,
            id="other container before a restart",
        ),
        pytest.param(
            {"time_namespace": "time:[2]"},
            Table(Seen(Life.RUNS, "101")),
            UNKNOWN,
            id="ticks of another time namespace",
        ),
        pytest.param({"ledger": f"{REF}2"}, Table(NONE), UNKNOWN, id="other ledger"),
    ],
)
def test_l089_an_owner_is_dead_only_if_that_is_proved(owner, table, verdict):
    judged = judge(replace(OWNER, **owner), table, shared=False, ledger=REF)
    assert judged is verdict


def test_l088_on_a_shared_file_system_nobody_is_dead():
    for owner in (OWNER, replace(OWNER, boot="b0"), None):
        assert judge(owner, Table(NONE), shared=True) is UNKNOWN
    assert judge(None, Table(NONE), shared=False) is UNKNOWN


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", "9p", ""])
def test_l088_network_mounts_are_shared(kind, monkeypatch):
    monkeypatch.setattr(
        processes, "_kind_of_mount", lambda path: kind.partition(".")[0]
    )
    assert Processes().shared("/anywhere")


def test_the_mount_of_a_path_is_found(tmp_path):
    assert processes._kind_of_mount("/proc/self") == "proc"
    assert not Processes().shared(str(tmp_path))


@pytest.fixture
def lock(tmp_path):
    return LedgerLock(str(tmp_path / "chat"), REF, Processes())


def test_the_lock_names_its_owner_and_goes(lock):
    held = lock.acquire(0)
    record = json.loads(Path(lock.path).read_bytes())
    assert record.pop("v") == 1
    assert record == asdict(held.owner)
    assert (record["pid"], record["ledger"]) == (os.getpid(), REF)
    assert lock.verdict() is ALIVE
    held.release()
    assert lock.verdict() is None
    assert sorted(os.listdir(lock.folder)) == ["lock.guard"]  # noqa: PTH208


def test_a_second_one_waits_and_is_told_who_holds_it(lock):
    lock.acquire(0)
    with pytest.raises(Refusal, match=f"process {os.getpid()} on") as caught:
        lock.acquire(0.05)
    assert caught.value.code == "lock-busy"


def test_a_lock_that_is_given_back_is_had(lock):
    held = lock.acquire(0)
    timer = threading.Timer(0.1, held.release)
    timer.start()
    lock.acquire(10).release()
    timer.join()


def test_of_a_dead_owner_nobody_is_made_to_wait(lock):
    with holder(lock) as child:
        child.kill()
    started = time.monotonic()
    with pytest.raises(Refusal, match="which is dead") as caught:
        lock.acquire(60)
    assert time.monotonic() - started < 30
    digest = parse_hint(caught.value.hint)
    assert digest == durable_hash(lock)


def parse_hint(hint):
    assert hint.startswith("git intent ledger recover-lock --sha256 ")
    return hint.rpartition(" ")[2]


def durable_hash(lock):
    from git_intent.files import sha256

    return sha256(durable.read(lock.path) or b"")


def holder(lock, program="", before=()):
    """A process that holds the lock; `program` runs after it took it."""
    code = (
        "import sys, os, time, threading\n"
        "from git_intent.ledger.ledger_lock import LedgerLock\n"
        "from git_intent.ledger.processes import Processes\n"
        "LedgerLock(sys.argv[1], sys.argv[2], Processes()).acquire(10)\n"
        "print('held', flush=True)\n"
        f"{program or 'time.sleep(60)'}\n"
    )
    child = subprocess.Popen(
        [*before, sys.executable, "-c", code, lock.folder, lock.ledger],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    return child


def test_l087_a_sleeping_and_a_stopped_owner_is_alive(lock):
    with holder(lock) as child:
        assert lock.verdict() is ALIVE
        os.kill(child.pid, signal.SIGSTOP)
        assert lock.verdict() is ALIVE
        child.kill()


def test_l087_a_leader_that_ended_before_its_threads_is_alive(lock):
    program = (
        "import ctypes\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "ctypes.CDLL(None).syscall(60, 0)"  # exit this thread alone
    )
    with holder(lock, program) as child:
        deadline = time.monotonic() + 20
        while b") Z" not in Path(f"/proc/{child.pid}/stat").read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert lock.verdict() is ALIVE
        child.kill()


def test_an_owner_that_is_not_buried_yet_is_unknown_and_then_dead(lock):
    with holder(lock) as child:
        os.kill(child.pid, signal.SIGKILL)
        while b") Z" not in Path(f"/proc/{child.pid}/stat").read_bytes():
            time.sleep(0.01)
        assert lock.verdict() is UNKNOWN
    assert lock.verdict() is DEAD


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
@pytest.mark.parametrize("more", [[], ["--mount-proc"]], ids=["our proc", "own proc"])
def test_l088_an_owner_in_another_namespace_of_ids_is_unknown(lock, more):
    unshare = [
        *("unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"),
        *more,
    ]
    probe = subprocess.run([*unshare, "true"], check=False, capture_output=True)
    if probe.returncode:
        pytest.skip(f"unshare: {probe.stderr.decode()}")
    with holder(lock, before=unshare) as child:
        owner = parse(durable.read(lock.path) or b"")
        assert owner is not None
        assert owner.pid_namespace != Processes().here().namespace
        assert lock.verdict() is UNKNOWN
        # seen from within, the one outside must not count as dead either
        child.kill()
    lock_outside = json.loads(Path(lock.path).read_bytes())
    me = Processes()
    pid, start = me.own()
    here = {"pid": pid, "start": start, "pid_namespace": me.here().namespace}
    Path(lock.path).write_bytes(canonical_json({**lock_outside, **here}))
    code = (
        "import sys\n"
        "from git_intent.ledger.ledger_lock import LedgerLock\n"
        "from git_intent.ledger.processes import Processes\n"
        "print(LedgerLock(sys.argv[1], sys.argv[2], Processes()).verdict())\n"
    )
    done = subprocess.run(
        [*unshare, sys.executable, "-c", code, lock.folder, lock.ledger],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert done.stdout == "unknown\n"


def test_l089_the_name_of_a_process_proves_nothing(lock):
    program = "open('/proc/self/comm', 'w').write('a) 1 (b'); time.sleep(60)"
    with holder(lock, program) as child:
        stat = Path(f"/proc/{child.pid}/stat")
        deadline = time.monotonic() + 20
        while b"(a) 1 (b)" not in stat.read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert lock.verdict() is ALIVE
        child.kill()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"v":1}', b"[" * 100_000, b"\xff"],
)
def test_l088_what_cannot_be_read_is_unknown_and_stays(lock, content):
    durable.make_folder(lock.folder)
    Path(lock.path).write_bytes(content)
    assert lock.verdict() is UNKNOWN
    with pytest.raises(Refusal, match="cannot be read"):
        lock.acquire(0)
    assert Path(lock.path).read_bytes() == content


@pytest.mark.parametrize(
    "change",
    [{"v": 2}, {"pid": "7"}, {"pid": -1}, {"extra": 1}, {"nonce": "../x"}],
)
def test_l088_an_owner_of_another_form_is_unknown(lock, change):
    durable.make_folder(lock.folder)
    record = {"v": 1, **asdict(OWNER), **change}
    Path(lock.path).write_bytes(canonical_json(record))
    assert lock.verdict() is UNKNOWN


@pytest.mark.parametrize("case", ["other bytes", "gone", "folder", "link"])
def test_l091_only_the_own_lock_is_removed(lock, case, tmp_path):
    held = lock.acquire(0)
    path = Path(lock.path)
    mine = path.read_bytes()
    path.unlink()
    if case == "other bytes":
        path.write_bytes(mine.replace(b'"uid":', b'"uid":1'))
    elif case == "folder":
        path.mkdir()
    elif case == "link":
        (tmp_path / "elsewhere").write_bytes(mine)
        path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        held.release()
    assert os.path.lexists(path) == (case != "gone")
    if case == "link":
        assert (tmp_path / "elsewhere").read_bytes() == mine


def poll(path, count):
    """Read the lock again and again; gives how often it was there, whole each time."""
    seen = 0
    deadline = time.monotonic() + 60
    while seen < count and time.monotonic() < deadline:
        data = durable.read(path)
        if data is not None:
            assert parse(data) is not None, data
            seen += 1
    return seen


@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_l083_the_lock_appears_whole(lock, links, count, monkeypatch):
    if not links:

        def refuse(*args, **kwargs):
            raise OSError(1, "no links here")

        monkeypatch.setattr(os, "link", refuse)
    child = os.fork()
    if not child:
        try:
            while True:
                lock.acquire(10).release()
        finally:
            os._exit(1)
    try:
        assert poll(lock.path, count) == count
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_l090_of_many_only_one_holds_it(lock, tmp_path):
    counter = tmp_path / "counter"
    counter.write_text("0")
    children = []
    for _ in range(6):
        child = os.fork()
        if not child:
            code = 1
            try:
                for _ in range(15):
                    held = lock.acquire(60)
                    value = int(counter.read_text())
                    counter.write_text(str(value + 1))
                    held.release()
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    assert counter.read_text() == "90"
