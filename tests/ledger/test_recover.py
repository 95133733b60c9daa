"""Locks and refs left behind by the dead are recovered with a proof, and only so."""

import os
import signal
import time
from pathlib import Path

import pytest

from git_intent.files import canonical_json
from git_intent.ledger.ledger_lock import parse
from git_intent.ledger.refusal import Refusal
from tests.support.ledgers import Chat, killed_at, sha


@pytest.fixture
def chat(memory):
    chat = Chat.init(memory / "home")
    chat.say("the first")
    return chat


def killed(chat, step, action=None):
    """Somebody was killed right before the first effect whose name begins so."""
    action = action or (lambda: chat.ledger.drain())
    assert killed_at(step, action)
    return (chat.folder / "lock").read_bytes()


def test_l086_the_lock_of_a_killed_owner_is_recovered(chat):
    for n in range(3):
        chat.spool(f"waits {n}")
    waiting = chat.inbox()
    lock = killed(chat, "tree")
    path = chat.ledger.recover_lock(sha(lock)).named["kept"]
    assert Path(path).read_bytes() == lock
    assert Path(path).parent == chat.folder / "faults"
    assert not (chat.folder / "lock").exists()
    assert chat.ledger.drain().exit_code == 0
    assert chat.captured()[1:] == waiting
    chat.whole()


def test_l086_killed_half_way_through_the_release(chat):
    lock = killed(chat, "unlink lock")
    assert chat.ledger.recover_lock(sha(lock)).recorded
    chat.whole()


def test_l090_another_hash_recovers_nothing(chat):
    chat.spool("waits")
    old = killed(chat, "tree")
    for digest in (sha(old)[:-1], sha(old[:-1]), "", "0" * 64):
        assert chat.ledger.recover_lock(digest).refusal.pointer == "/sha256"
    assert chat.ledger.recover_lock(sha(old)).recorded
    new = killed(chat, "tree")
    answer = chat.ledger.recover_lock(sha(old))
    assert answer.refusal.pointer == "/sha256"
    assert answer.seq == len(chat.lines())
    assert (chat.folder / "lock").read_bytes() == new
    rejections = chat.evidence("rejection")
    assert [r["command"] for r in rejections] == ["recover-lock"] * 5


def test_without_a_lock_there_is_nothing_to_recover(chat):
    refusal = chat.ledger.recover_lock("0" * 64).refusal
    assert "nobody holds" in refusal.message


@pytest.mark.parametrize("code", ["owner-alive", "owner-unknown"])
def test_l088_the_lock_of_the_living_and_the_unknown_stays(chat, code):
    held = chat.ledger.journal.lock.acquire(0)
    path = chat.folder / "lock"
    if code == "owner-unknown":
        record = path.read_bytes().replace(b'"machine":"', b'"machine":"x')
        path.write_bytes(record)
    lock = path.read_bytes()
    assert chat.ledger.recover_lock(sha(lock)).refusal.code == code
    assert path.read_bytes() == lock
    (rejection,) = chat.evidence("rejection")
    assert rejection["code"] == code
    if code == "owner-alive":
        held.release()


@pytest.mark.parametrize("content", [b"", b'{"v":1,"pid":7}'])
def test_l088_a_lock_that_cannot_be_read_stays(chat, content):
    (chat.folder / "lock").write_bytes(content)
    assert chat.ledger.recover_lock(sha(content)).refusal.code == "owner-unknown"
    assert (chat.folder / "lock").read_bytes() == content


def test_l088_a_folder_in_the_place_of_the_lock_stays(chat):
    (chat.folder / "lock").mkdir()
    assert chat.ledger.recover_lock("0" * 64).refusal.code == "owner-unknown"
    answer = chat.ledger.drain(0)
    assert answer.refusal.code == "lock-busy"


def test_l089_a_process_id_that_is_used_again_does_not_keep_the_lock(chat):
    held = chat.ledger.journal.lock.acquire(0)
    path = chat.folder / "lock"
    start = held.owner.start
    record = path.read_bytes().replace(
        f'"start":"{start}"'.encode(), f'"start":"{int(start) - 1}"'.encode()
    )
    path.write_bytes(record)
    assert chat.ledger.recover_lock(sha(record)).recorded
    assert not path.exists()


def test_l092_owner_commands_name_the_way_out_of_a_dead_lock(chat):
    lock = killed(chat, "sync folder of lock")
    answer = chat.ledger.drain()
    assert answer.refusal.code == "lock-busy"
    assert answer.refusal.hint == f"git intent ledger recover-lock --sha256 {sha(lock)}"
    assert [r["code"] for r in chat.evidence("rejection")] == ["lock-busy"]


@pytest.mark.parametrize("rounds", [25, pytest.param(1000, marks=pytest.mark.soak)])
def test_l090_recoverers_and_an_acquirer_never_take_a_living_lock(chat, rounds):
    """Two that recover what they see, while others acquire, and die holding it."""
    lock = chat.ledger.journal.lock

    def recover():
        while True:
            data = lock.read()
            if data is not None:
                chat.ledger.recover_lock(sha(data))

    def acquire():
        for n in range(rounds):
            held = lock.acquire(60)
            assert lock.read() == held._record
            time.sleep(0.002)
            assert lock.read() == held._record, "a living lock was removed"
            if n % 5:
                held.release()
            elif not os.fork():
                os._exit(0)
            else:
                os.wait()
                held.release()

    def die():
        while True:
            child = os.fork()
            if not child:
                try:
                    lock.acquire(60)
                finally:
                    os.kill(os.getpid(), signal.SIGKILL)
            os.waitpid(child, 0)
            time.sleep(0.02)

    helpers = []
    for work in (recover, recover, die):
        child = os.fork()
        if not child:
            try:
                work()
            finally:
                os._exit(1)
        helpers.append(child)
    worker = os.fork()
    if not worker:
        code = 1
        try:
            while True:
                try:
                    acquire()
                    break
                except Refusal:  # a dead owner, who is recovered in a moment
                    continue
            code = 0
        finally:
            os._exit(code)
    try:
        assert os.waitpid(worker, 0)[1] == 0
    finally:
        for child in helpers:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def left_behind(chat):
    """git's own lock of the ref, as a git that was killed in the middle leaves it."""
    chat.spool("waits")
    lock = killed(chat, "sync ref")
    new = chat.tip()
    chat.repo.git("update-ref", chat.ref, f"{new}~1")
    path = Path(f"{chat.loose}.lock")
    path.write_text(f"{new}\n")
    return lock, path


def test_l093_gits_lock_of_a_dead_owner_is_set_aside(chat):
    lock, path = left_behind(chat)
    assert chat.ledger.recover_lock(sha(lock)).recorded
    assert not path.exists()
    assert chat.ledger.drain().exit_code == 0
    assert len(chat.captured()) == 2
    chat.whole()


def test_l093_not_before_its_owner_is_proved_dead(chat):
    _, path = left_behind(chat)
    (chat.folder / "lock").unlink()  # by somebody's hand: nothing is proved
    answer = chat.ledger.drain()
    assert answer.refusal.code == "ref-locked"
    assert str(path) in answer.refusal.message
    assert "seconds old" in answer.refusal.message
    assert path.exists()
    assert len(chat.inbox()) == 1
    path.unlink()
    assert chat.ledger.drain().exit_code == 0
    chat.whole()


@pytest.mark.parametrize("content", ["", "0" * 40 + "\n", "# pack-refs with: peeled\n"])
def test_l093_what_git_left_of_its_own_stays(chat, content):
    lock, path = left_behind(chat)
    path.write_text(content)
    chat.recover()
    assert path.read_text() == content
    assert chat.ledger.drain().refusal.code == "ref-locked"
    assert path.read_text() == content
    assert len(chat.inbox()) == 1
    assert parse(lock) is not None


@pytest.mark.parametrize("lost", ["commit", "tree", "source", "segment"])
def test_l084_an_append_whose_objects_a_gc_took_is_undone(chat, lost):
    before = chat.tip()
    source = chat.spool("waits")
    lock = killed(chat, "sync ref")
    new = chat.tip()
    names = {
        "commit": new,
        "tree": f"{new}:journal",
        "source": f"{new}:sources/{sha(b'waits')[:2]}/{sha(b'waits')}",
        "segment": f"{new}:journal/000001.jsonl",
    }
    oid = chat.repo.git("rev-parse", names[lost])
    (chat.repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    assert chat.ledger.recover_lock(sha(lock)).recorded
    assert chat.ledger.drain().exit_code == 0
    assert chat.captured()[1:] == [source]
    assert chat.repo.git("rev-parse", f"{chat.ref}~1") == before
    assert [fault["kind"] for fault in chat.evidence("fault")] == ["undone"]
    chat.whole()


def test_l084_an_append_that_was_acknowledged_is_not_undone(chat):
    chat.say("acknowledged")
    tip = chat.tip()
    oid = chat.repo.git("rev-parse", f"{tip}:journal/000001.jsonl")
    (chat.repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    assert chat.ledger.drain().refusal.code == "ledger-unproven"
    assert chat.tip() == tip


def test_a_lock_with_the_same_fields_in_another_order_is_not_the_owners(chat):
    held = chat.ledger.journal.lock.acquire(0)
    path = chat.folder / "lock"
    path.write_bytes(canonical_json({"v": 1}) + path.read_bytes())
    with pytest.raises(OSError, match="holds other bytes"):
        held.release()
