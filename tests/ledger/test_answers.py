"""Every write says what came of it, first fault first; a refusal changes nothing."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent.ledger.home import open_home
from tests.support.ledgers import (
    Chat,
    disposal,
    effects,
    killed_at,
    names_of,
    sha,
)
from tests.support.repo import Repo


@pytest.fixture
def chat(memory):
    chat = Chat.init(memory / "home")
    chat.say("the first")
    return chat


def failing(*beginnings, code=errno.ENOSPC):
    def fail(name):
        if name.startswith(beginnings):
            raise OSError(code, os.strerror(code), name)

    return effects(fail)


def test_a_write_answers_event_head_and_what_it_named(chat):
    source = chat.captured()[0]
    answer = chat.dispose(source)
    line = chat.lines()[-1]
    assert answer.exit_code == 0
    assert answer.as_json() == {
        "version": 1,
        "recorded": True,
        "event": "ev-3",
        "seq": 3,
        "head": sha(line),
        "source": source,
        "faults": [],
    }
    subject = chat.repo.git("log", "-1", "--format=%s by %an", chat.ref)
    assert subject == f"dispose {source} as INTERNAL by git-intent"


def test_l056_the_same_request_answers_the_same_event(chat):
    source = chat.captured()[0]
    first = chat.dispose(source, request="r-1")
    tip = chat.tip()
    again = chat.dispose(source, request="r-1")
    assert again.as_json() == {**first.as_json(), "already": True}
    assert chat.tip() == tip
    other = chat.dispose(source, request="r-1", note="another")
    assert other.refusal.code == "request-reused"


def test_l079_a_refusal_leaves_everything_and_one_record(chat):
    before = chat.everything()
    document = disposal("src-none")
    answer = chat.do("dispose-source", document)
    assert answer.exit_code == 1
    assert chat.everything() == before
    (record,) = chat.evidence("rejection")
    told = answer.as_json()["refusal"]
    assert {name: record[name] for name in told} == told
    assert record["command"] == "dispose-source"
    assert record["document"] == sha(
        json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    )
    head = sha(chat.lines()[-1])
    assert (record["head_before"], record["head_after"]) == (head, head)


def test_l079_both_heads_are_told_when_the_refused_command_drained(chat):
    head = sha(chat.lines()[-1])
    source = chat.spool("waits")
    answer = chat.do("dispose-source", disposal("src-none"))
    assert chat.captured()[-1] == source
    assert chat.projection()["journal.jsonl"] == b"".join(chat.lines())
    (record,) = chat.evidence("rejection")
    after = sha(chat.lines()[-1])
    assert (record["head_before"], record["head_after"]) == (head, after)
    assert answer.head == after


def test_l079_the_record_of_a_large_document_keeps_its_bound(chat):
    answer = chat.do("dispose-source", disposal("src-" + "x" * (1 << 20)))
    assert answer.exit_code == 1
    (name,) = chat.ledger.evidence.names("rejection")
    assert (chat.folder / "faults" / name).stat().st_size <= 4096


def test_l082_a_document_with_one_wrong_part_does_nothing(chat):
    before = chat.everything()
    document = {**disposal(chat.captured()[0]), "links": ["fine", 7]}
    assert chat.do("dispose-source", document).refusal.pointer == "/links/1"
    assert chat.everything() == before


def test_there_is_no_ledger_before_the_first_prompt(memory):
    chat = Chat.init(memory / "empty")
    answer = chat.do("dispose-source", disposal("src-1"))
    assert answer.refusal.code == "no-ledger"
    assert chat.ledger.drain().exit_code == 0
    assert chat.ledger.recover_lock("0" * 64).refusal.code == "no-ledger"
    assert chat.tip() == ""
    assert not (chat.repo.path / ".git" / "intent").exists()


@pytest.mark.parametrize("case", ["file", "full"])
def test_l081_evidence_that_cannot_be_kept_changes_no_answer(chat, case):
    usual = chat.do("dispose-source", disposal("src-none")).as_json()
    shutil.rmtree(chat.folder / "faults")
    if case == "file":
        (chat.folder / "faults").write_bytes(b"")
        answer = chat.do("dispose-source", disposal("src-none"))
    else:
        with failing("write rejection", "folder faults"):
            answer = chat.do("dispose-source", disposal("src-none"))
    assert answer.as_json() == usual
    assert answer.exit_code == 1
    assert len(answer.notes) == 1


def test_l095_an_append_fault_comes_before_that_of_the_lock(chat):
    head = chat.events()[-1]
    tip = chat.tip()
    with failing("ref lock", "unlink lock", code=errno.EIO):
        answer = chat.dispose(chat.captured()[0])
    assert not answer.recorded
    assert chat.tip() == tip
    assert [fault.kind for fault in answer.faults] == ["append", "cleanup"]
    assert [fault.errno for fault in answer.faults] == [errno.EIO] * 2
    assert answer.faults[0].path == "ref lock and rename"
    assert answer.faults[1].ids == (head["id"], sha(chat.lines()[-1]))
    kept = chat.evidence("fault")
    assert [(f["kind"], f["errno"]) for f in kept] == [("append", 5), ("cleanup", 5)]


def test_l095_a_fault_whose_record_fails_too_is_still_told(chat):
    with failing("ref lock", "unlink lock", "folder faults", "write fault"):
        answer = chat.dispose(chat.captured()[0])
    assert [fault.kind for fault in answer.faults] == ["append", "cleanup"]
    assert len(answer.notes) == 2


@pytest.mark.parametrize(
    "step", ["write anchor", "append journal", "write objective", "rename current"]
)
def test_l096_recorded_but_not_projected_is_not_to_be_repeated(chat, step):
    source = chat.captured()[0]
    with failing(step):
        answer = chat.dispose(source, request="r-1")
    assert (answer.recorded, answer.exit_code) == (True, 1)
    assert [fault.kind for fault in answer.faults] == ["projection"]
    told = answer.as_json()
    assert told["event"] == "ev-3"
    assert "do not repeat" in told["advice"]
    assert answer.faults[0].ids == ("ev-3", told["head"])
    assert not chat.ledger.read().fresh
    again = chat.dispose(source, request="r-1")
    assert (again.already, again.exit_code) == (True, 0)
    assert len(chat.lines()) == 3
    chat.whole()


def test_a_prompt_whose_file_cannot_be_unlinked_is_captured_once(chat):
    chat.spool("waits")
    with failing("unlink 0"):
        answer = chat.ledger.drain()
    assert (answer.recorded, [f.kind for f in answer.faults]) == (True, ["cleanup"])
    assert len(chat.inbox()) == 1
    assert chat.ledger.read().inbox == []
    assert chat.ledger.drain().exit_code == 0
    assert chat.inbox() == []
    assert len(chat.captured()) == 2
    chat.whole()


def test_l105_a_hook_that_refuses_the_move_is_an_append_fault(chat):
    refusing = hook(chat, "exit 1")
    tip = chat.tip()
    source = chat.spool("waits")
    answer = chat.ledger.drain()
    assert (answer.recorded, answer.exit_code, chat.tip()) == (False, 1, tip)
    assert answer.faults[0].kind == "append"
    assert "hook" in answer.faults[0].message
    assert chat.inbox() == [source]
    refusing.unlink()
    assert chat.ledger.drain().exit_code == 0
    chat.whole()


def hook(chat, text):
    """A hook of the repository that sees each move of a ref."""
    path = chat.repo.write(".git/hooks/reference-transaction", f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_l093_what_a_killed_git_of_this_very_append_left_is_set_aside(chat, memory):
    once = memory / "once"
    killer = f"[ $1 = prepared ] && [ ! -e {once} ] && : > {once} && kill -9 $PPID"
    hook(chat, f"{killer}\nexit 0")
    chat.say("the ref is locked by a git that is dead")
    assert once.exists()
    assert len(chat.captured()) == 2
    assert not chat.loose.with_name("s-1.lock").exists()
    chat.whole()


def test_l093_a_git_that_is_killed_each_time_is_a_fault(chat):
    killer = hook(chat, "[ $1 = prepared ] && kill -9 $PPID\nexit 0")
    source, tip = chat.spool("waits"), chat.tip()
    answer = chat.ledger.drain()
    assert (answer.exit_code, answer.recorded, chat.tip()) == (1, False, tip)
    assert "code -9" in answer.faults[0].message
    assert chat.inbox() == [source]
    killer.unlink()
    assert chat.ledger.drain().exit_code == 0
    chat.whole()


def test_a_ref_that_moves_meanwhile_is_a_conflict(chat):
    """Somebody who does not know the lock moves the ref while an append is made."""
    tree = chat.repo.git("rev-parse", f"{chat.ref}^{{tree}}")
    foreign = chat.repo.git("commit-tree", tree, "-m", "foreign")
    source = chat.spool("waits")

    def meddle(name):
        if name.startswith("ref lock"):
            chat.repo.git("update-ref", chat.ref, foreign)

    with effects(meddle):
        answer = chat.ledger.drain()
    assert not answer.recorded
    first, second = answer.faults
    assert first.kind == "append"
    assert f"moved meanwhile, to {foreign}" in first.message
    assert (second.kind, chat.ref in second.message) == ("cleanup", True)
    assert chat.tip() == foreign
    assert chat.inbox() == [source]
    assert chat.ledger.recover_ref().exit_code == 0
    assert chat.ledger.drain().exit_code == 0
    chat.whole()


def test_l105_the_callers_repository_is_not_taken_for_the_home(
    chat, memory, monkeypatch
):
    other = Repo.init(memory / "other")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git" / "objects"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git" / "index"))
    monkeypatch.setenv("GIT_NAMESPACE", "elsewhere")
    chat.spool("waits")
    assert chat.ledger.drain().exit_code == 0
    for name in ("GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE", "GIT_NAMESPACE"):
        monkeypatch.delenv(name)
    assert len(chat.captured()) == 2
    assert not list((other.path / ".git" / "objects").glob("??/*"))
    assert other.git("for-each-ref") == ""


def test_l105_no_identity_no_signature_and_no_replacement(chat, home, monkeypatch):
    (home / ".gitconfig").write_text(
        "[commit]\n\tgpgSign = true\n[user]\n\tuseConfigOnly = true\n"
        "[gpg]\n\tprogram = false\n"
        "[core]\n\teditor = false\n\tlogAllRefUpdates = always\n"
    )
    segment = chat.repo.git("rev-parse", f"{chat.ref}:journal/000001.jsonl")
    blob = chat.repo.git("hash-object", "-w", "--stdin", input="")
    chat.repo.git("replace", segment, blob)
    chat.say("later")
    assert len(chat.captured()) == 2
    chat.whole()


def test_l105_within_a_rebase_and_a_hook(chat, memory):
    chat.repo.commit("one")
    chat.repo.commit("two", a="b")
    script = memory / "capture.py"
    script.write_text(
        "from pathlib import Path\n"
        "from tests.support.ledgers import Chat\n"
        "from tests.support.repo import Repo\n"
        f"Chat(Repo(Path({str(chat.repo.path)!r}))).say('from a hook')\n"
    )
    root = Path(__file__).resolve().parents[2]
    command = f"PYTHONPATH={root} {sys.executable} {script}"
    chat.repo.git("rebase", "-q", "--exec", command, "HEAD~1")
    before = chat.repo.write(".git/hooks/pre-commit", f"#!/bin/sh\n{command}\n")
    before.chmod(0o755)
    chat.repo.commit("three", c="d")
    assert len(chat.captured()) == 3
    assert chat.repo.status() == ""
    chat.whole()


@pytest.mark.parametrize("options", [["--object-format=sha256"], ["--bare"]])
def test_other_kinds_of_repositories(memory, options):
    chat = Chat.init(memory / "other", *options)
    folder = chat.repo.path if "--bare" in options else chat.repo.path / ".git"
    assert chat.ledger.home.common_dir == os.path.realpath(folder)
    for n in range(70):
        chat.spool(f"prompt {n}")
    assert chat.ledger.drain().exit_code == 0
    chat.repo.git("gc", "-q", "--prune=now")
    chat.say("later")
    chat.whole()
    chat.repo.git("fsck", "--strict")


def test_linked_work_trees_share_the_ledger(chat, memory):
    chat.repo.commit("one")
    chat.repo.git("worktree", "add", "-q", str(memory / "linked"))
    linked = Chat(Repo(memory / "linked"))
    assert linked.ledger.home == chat.ledger.home
    linked.say("from there")
    assert len(chat.captured()) == 2
    chat.whole()


def test_l107_a_clock_that_runs_backwards_changes_no_order(chat):
    chat.clock[0] -= 365 * 86_400
    chat.say("a year before")
    chat.say("in the same moment")
    times = [event["at"] for event in chat.events()]
    assert times[-1] == times[-2] < times[0]
    assert [event["seq"] for event in chat.events()] == [1, 2, 3, 4]
    chat.clock[0] = -1.0
    chat.say("before there were clocks")
    chat.whole()


def test_l106_what_is_acknowledged_was_synced_in_order(memory):
    fresh = Chat.init(memory / "fresh")
    steps = names_of(lambda: fresh.say("the first of a namespace"))

    def at(beginning):
        return next(n for n, name in enumerate(steps) if name.startswith(beginning))

    def last(beginning):
        return max(n for n, name in enumerate(steps) if name.startswith(beginning))

    assert at("publish 0") < at("sync folder of 0") < at("write lock")
    assert last("commit ") < at("sync objects") <= last("sync objects")
    assert last("sync objects") < at("ref lock") < at("sync ref") < at("unlink 0")
    assert at("sync ref") < at("write anchor") < at("write journal.jsonl")
    assert at("write anchor") < at("unlink lock")
    assert {"folder team", "folder s-1", "folder inbox"} <= set(steps)


def test_l106_each_file_and_folder_is_synced(chat, monkeypatch):
    synced = []
    real = os.fsync

    def spy(handle):
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))  # noqa: PTH115
        real(handle)

    monkeypatch.setattr(os, "fsync", spy)
    chat.say("later")
    git_dir = str(chat.repo.path / ".git")
    for path in (str(chat.folder / "inbox"), str(chat.loose), str(chat.loose.parent)):
        assert path in synced
    made = [path for path in synced if path.startswith(f"{git_dir}/objects/")]
    # commit, root, journal, segment, head, sources, its fan, the prompt
    assert len([p for p in made if "#" in p]) == 8
    assert {os.path.dirname(p) for p in made if "#" in p} <= set(synced)  # noqa: PTH120


def test_l128_the_ledgers_files_are_private(chat):
    before = os.umask(0)
    try:
        fresh = Chat.init(chat.repo.path.with_name("fresh"))
        fresh.say("the first")
        fresh.do("dispose-source", disposal("src-none"))
    finally:
        os.umask(before)
    for path in [fresh.folder, *fresh.folder.rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert path.stat().st_mode & 0o777 == wanted, path
    assert fresh.folder.parent.stat().st_mode & 0o777 == 0o700


def test_what_another_home_could_not_keep_is_drained_from_the_users_spool(memory):
    chat = Chat.init(memory / "home")
    chat.say("the first")
    chat.spool_folder = str(memory / "spool")
    from git_intent.ledger import spool
    from tests.support.ledgers import header

    home = open_home(str(chat.repo.path), "")
    data = b"kept elsewhere"
    ours = header(data, home=home.path, namespace="team", chat="s-1", kind="gap")
    theirs = header(data, home=home.path, namespace="team", chat="s-2", kind="gap")
    for head in (ours, theirs):
        head["id"] = f"gap-{head['id'][4:]}"
        spool.spool(chat.spool_folder, head, data)
    assert chat.inbox() == [ours["id"]]
    assert chat.ledger.drain().exit_code == 0
    assert chat.captured()[-1] == f"src-{ours['id'][4:]}"
    (left,) = spool.entries(chat.spool_folder)
    assert left.id == theirs["id"]


def test_the_drainer_brings_in_all_that_waits(chat):
    for n in range(300):
        chat.spool(f"waits {n}")
    waiting = chat.inbox()
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "git_intent.ledger.drain"),
            *(str(chat.repo.path), "team", "s-1"),
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert chat.captured()[1:] == waiting
    subjects = chat.repo.git("log", "--format=%s", chat.ref).splitlines()
    assert len(subjects) == 3  # one commit a batch
    assert subjects[1].startswith("drain 256 events")
    chat.whole()


def test_a_busy_lock_refuses_and_names_its_owner(chat):
    held = chat.ledger.journal.lock.acquire(0)
    answer = chat.do("dispose-source", disposal(chat.captured()[0]), wait=0.05)
    assert answer.refusal.code == "lock-busy"
    assert (answer.seq, answer.head) == (len(chat.lines()), sha(chat.lines()[-1]))
    (record,) = chat.evidence("rejection")
    assert record["head_before"] == record["head_after"] == answer.head
    assert f"process {os.getpid()}" in answer.refusal.message
    assert not answer.recorded
    held.release()


def test_a_lock_that_cannot_be_had_is_a_fault(chat):
    (chat.folder / "lock.guard").unlink()
    (chat.folder / "lock.guard").mkdir()
    answer = chat.dispose(chat.captured()[0])
    assert [fault.kind for fault in answer.faults] == ["append"]
    assert (answer.recorded, answer.exit_code) == (False, 1)


def test_reading_takes_no_lock_and_writes_nothing(chat):
    held = chat.ledger.journal.lock.acquire(0)
    source = chat.spool("waits")
    before = sorted(str(path) for path in chat.folder.rglob("*"))
    assert names_of(chat.ledger.read) == []
    assert [entry.id for entry in chat.ledger.read().inbox] == [source]
    assert sorted(str(path) for path in chat.folder.rglob("*")) == before
    held.release()


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.soak)])
def test_l102_a_reader_beside_appends_sees_whole_files(chat, count):
    child = os.fork()
    if not child:
        code = 1
        try:
            for n in range(count):
                chat.say(f"prompt {n}")
            code = 0
        finally:
            os._exit(code)
    seen = set()
    while not os.waitpid(child, os.WNOHANG)[0]:
        shown = chat.projection()
        objective = shown["objective.txt"].decode()
        current = json.loads(shown["current.json"])
        assert objective.endswith("journal.jsonl\n")
        assert objective.startswith("objective of chat s-1 in team: event ")
        seen.add(current["seq"])
    assert len(seen) > 1
    assert not list(chat.folder.glob(".*.tmp-*"))
    chat.whole()


@pytest.mark.parametrize("kind", ["current.json", "objective.txt", "journal.jsonl"])
def test_l102_a_reader_that_is_killed_leaves_nothing_aside(chat, kind, memory):
    (chat.folder / kind).unlink()
    saved = chat.save(memory / "saved")
    steps = names_of(chat.ledger.refresh)
    for number in range(0, len(steps), 4):
        chat.restore(saved)
        killed_at(number, chat.ledger.refresh)
        chat.recover()
        chat.say("later")
        assert not list(chat.folder.rglob(".*"))
    chat.whole()
