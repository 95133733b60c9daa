"""Killed at any step, out of space at any step: nothing acknowledged is lost."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.ledgers import Chat, effects, failing_at, killed_at, names_of


@pytest.fixture
def chat(memory):
    return Chat.init(memory / "home")


def first_prompt(chat):
    chat.ledger.capture(*prompt("the first"))


def prompt(text):
    from tests.support.ledgers import header

    data = text.encode()
    return header(data), data


def capture(chat):
    chat.ledger.capture(*prompt("one more"))


def owner(chat):
    chat.spool("waits")
    chat.dispose(chat.captured()[0])


def many(chat):
    for n in range(3):
        chat.spool(f"waits {n}")
    chat.ledger.drain()


def near_the_seal(chat):
    """A journal that one more event seals."""
    chat.say("the first")
    for n in range(61):
        chat.spool(f"prompt {n}")
    assert chat.ledger.drain().seq == 63


CASES = {
    "first prompt": (lambda chat: None, first_prompt),
    "capture": (lambda chat: chat.say("the first"), capture),
    "owner": (lambda chat: chat.say("the first"), owner),
    "drain of many": (lambda chat: chat.say("the first"), many),
    "seal": (near_the_seal, capture),
}


def share(every):
    """Which steps are tried: a share in the normal run, all of them in the soak."""
    return pytest.mark.parametrize(
        "every", [every, pytest.param(1, marks=pytest.mark.soak)], ids=["share", "all"]
    )


def steps_of(chat, saved, action):
    """The effects of an action, which leaves nothing behind."""
    steps = names_of(lambda: action(chat))
    chat.restore(saved)
    return steps


@share(6)
@pytest.mark.parametrize("case", CASES)
def test_l092_killed_at_any_step_it_is_the_old_state_or_the_new(
    chat, memory, case, every
):
    before, action = CASES[case]
    before(chat)
    saved = chat.save(memory / "saved")
    old = chat.lines()
    steps = steps_of(chat, saved, action)
    for number, name in list(enumerate(steps))[len(case) % every :: every]:
        if not killed_at(number, lambda: action(chat)):
            break  # two objects came to lie in one folder, which is synced once
        assert chat.lines()[: len(old)] == old, name
        kept = chat.captured() + chat.inbox()
        chat.recover()
        assert chat.ledger.drain().exit_code == 0, name
        # each is there once, and none is lost
        assert set(chat.captured()) == set(kept), name
        assert len(chat.captured()) == len(set(kept)), name
        assert chat.inbox() == []
        if chat.tip():
            chat.whole()
        assert not list(chat.folder.rglob(".*")), name
        chat.restore(saved)


@share(3)
def test_l016_a_kill_at_the_first_prompt_leaves_all_of_it_or_the_prompt(
    chat, memory, every
):
    saved = chat.save(memory / "saved")
    steps = steps_of(chat, saved, first_prompt)
    safe = steps.index(next(name for name in steps if name.startswith("sync folder")))
    for number, name in list(enumerate(steps))[::every]:
        if not killed_at(number, lambda: first_prompt(chat)):
            break
        types = [event["type"] for event in chat.events()]
        assert types in ([], ["ledger-created", "source-captured"])
        if number > safe:
            assert types or chat.inbox(), name
        chat.restore(saved)


@share(12)
def test_l092_killed_again_while_the_first_kill_is_recovered(chat, memory, every):
    chat.say("the first")

    def mend(chat):
        chat.recover()
        chat.ledger.drain()

    saved = chat.save(memory / "saved")
    steps = steps_of(chat, saved, owner)
    ref = steps.index("sync ref")
    for first in (ref - 2, ref + 3):
        assert killed_at(first, lambda: owner(chat))
        kept = set(chat.captured() + chat.inbox())
        hurt = chat.save(memory / f"hurt-{first}")
        again = list(enumerate(steps_of(chat, hurt, mend)))
        for number, name in again[first % every :: every]:
            killed_at(number, lambda: mend(chat))
            mend(chat)
            assert set(chat.captured()) == kept, name
            assert len(chat.captured()) == len(kept), name
            chat.whole()
            chat.restore(hurt)
        chat.restore(saved)


@share(9)
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("case", ["first prompt", "owner", "seal"])
def test_l094_out_of_space_at_any_step_is_told_as_the_ref_has_it(
    chat, memory, case, code, every
):
    before, action = CASES[case]
    before(chat)
    saved = chat.save(memory / "saved")
    steps, old = steps_of(chat, saved, action), len(chat.lines())
    for number, name in list(enumerate(steps))[code % every :: every]:
        where = (number, name)
        ids, answers = [], []
        with effects(failing_at(number, code)), suppress(OSError):
            # an OSError says plainly that the prompt was not kept
            if case == "owner":
                ids.append(chat.spool("waits"))
                answers.append(chat.dispose(chat.captured()[0]))
            else:
                head, data = prompt("one more")
                answers.append(chat.ledger.capture(head, data))
                ids.append(head["id"])
        types = {event["type"] for event in chat.events()[old:]}
        for answer in answers:
            if case == "owner":
                assert answer.recorded == ("source-disposed" in types), where
            elif answer.recorded:
                assert "source-captured" in types, where
            assert (answer.exit_code == 0) == (answer.recorded and not answer.faults)
            assert answer.recorded or answer.faults, where
            for fault in answer.faults:
                assert (fault.errno, fault.path is None) == (code, False), where
        mended = chat.ledger.drain()
        assert mended.exit_code == 0, (where, mended.as_json())
        for source in ids:
            assert chat.captured().count(source) == 1, where
        if chat.tip():
            chat.whole()
        chat.restore(saved)


def swarm(chat, writers, each, kills, seed, deadline=240.0):
    """Writers that append, some killed at random; gives what was acknowledged."""
    chance = random.Random(seed)
    log = chat.repo.path / "acknowledged"
    log.write_bytes(b"")
    children = {}

    def write(name):
        random.seed(f"{seed}-{name}")
        for n in range(each):
            source = chat.spool(
                f"writer {name} prompt {n} " + "x" * random.randint(0, 900)
            )
            with open(log, "ab", buffering=0) as stream:
                stream.write(f"{source}\n".encode())
            if random.random() < 0.5:
                chat.ledger.drain(0.5)

    def start(name):
        child = os.fork()
        if not child:
            code = 1
            try:
                write(name)
                code = 0
            finally:
                os._exit(code)
        children[child] = name

    for name in range(writers):
        start(name)
    ended = time.monotonic() + deadline
    while children and time.monotonic() < ended:
        time.sleep(chance.uniform(0.005, 0.06))
        for child in list(children):
            if os.waitpid(child, os.WNOHANG)[0]:
                del children[child]
        if kills and children:
            victim = chance.choice(list(children))
            os.kill(victim, signal.SIGKILL)
            os.waitpid(victim, 0)
            kills -= 1
            start(f"{children.pop(victim)}+")
        lock = chat.ledger.journal.lock
        if lock.verdict() == "dead":
            chat.recover()
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert not children, "writers hang"
    return log.read_text().split()


def survived(chat, acknowledged):
    chat.recover()
    answer = chat.ledger.drain()
    assert answer.exit_code == 0, answer.as_json()
    captured = chat.captured()
    assert len(captured) == len(set(captured))
    assert set(acknowledged) <= set(captured)
    assert [event["seq"] for event in chat.events()] == list(range(1, answer.seq + 1))
    chat.whole()


def test_l084_writers_killed_at_random_lose_nothing(chat):
    survived(chat, swarm(chat, writers=4, each=6, kills=6, seed=11))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("writers", "each", "kills"), [(8, 60, 300), (16, 200, 100)], ids=["8", "16"]
)
def test_l084_many_writers_and_many_kills(chat, writers, each, kills):
    survived(chat, swarm(chat, writers, each, kills, seed=5, deadline=1800))


def beside(chat, *command):
    """A process that runs a git command over and over."""
    child = os.fork()
    if not child:
        try:
            while True:
                chat.repo.git(*command, check=False)
        finally:
            os._exit(1)
    return child


@pytest.mark.parametrize("kills", [0, pytest.param(60, marks=pytest.mark.soak)])
def test_l084_gc_and_pack_refs_beside_take_nothing_away(chat, kills):
    chat.say("the first")
    others = [
        beside(chat, "gc", "-q", "--prune=now"),
        beside(chat, "pack-refs", "--all"),
    ]
    try:
        each = 40 if kills else 4
        acknowledged = swarm(chat, 2, each=each, kills=kills, seed=3, deadline=600)
    finally:
        for child in others:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    time.sleep(0.5)  # what git they had started ends
    survived(chat, acknowledged)


def test_l085_eight_writers_begin_one_ledger(chat):
    children = []
    for n in range(8):
        child = os.fork()
        if not child:
            code = 1
            try:
                chat.spool(f"writer {n}")
                code = chat.ledger.drain(60).exit_code
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    types = [event["type"] for event in chat.events()]
    assert types == ["ledger-created", *["source-captured"] * 8]
    chat.whole()


def test_l085_two_owners_planned_against_one_head_take_turns(chat):
    source = chat.say("the first")
    children = []
    for _ in range(2):
        child = os.fork()
        if not child:
            code = 9
            try:
                answer = chat.dispose(source)
                code = 0 if answer.recorded else 1
                if answer.refusal is not None:
                    assert answer.refusal.code == "already-settled"
            finally:
                os._exit(code)
        children.append(child)
    codes = sorted(os.waitstatus_to_exitcode(os.waitpid(c, 0)[1]) for c in children)
    assert codes == [0, 1]
    assert [event["type"] for event in chat.events()].count("source-disposed") == 1
    chat.whole()


FULL = """
import sys
from tests.support.ledgers import Chat
from tests.support.repo import Repo
from pathlib import Path
import subprocess

place = Path(sys.argv[1])
mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)]
if subprocess.run(mount, check=False).returncode:
    sys.exit(77)
chat = Chat.init(place / "home", "--template=")
chat.say("the first")
kept, answer = [], None
for n in range(400):
    try:
        kept.append(chat.spool(f"prompt {n} " + "x" * 3000))
    except OSError as error:
        assert error.errno == 28, error
        break
    answer = chat.ledger.drain()
    assert answer.recorded or answer.faults[0].errno == 28, answer.as_json()
else:
    raise AssertionError("the disk never was full")
assert answer.exit_code == 1
subprocess.run(["mount", "-o", "remount,size=20m", str(place)], check=True)
answer = chat.ledger.drain()
assert answer.exit_code == 0, answer.as_json()
assert chat.captured()[1:] == kept
chat.whole()
"""


def test_l094_on_a_disk_that_is_full_in_fact(tmp_path):
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [
            *("unshare", "--user", "--map-root-user", "--mount"),
            *(sys.executable, "-c", FULL, str(tmp_path)),
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no mount of our own: {done.stderr}")
    assert done.returncode == 0, done.stderr
