"""Binding sessions to chats."""

import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from git_intent.hosts.owner_view import owner_view
from git_intent.hosts.world import World
from git_intent.ledger import binding, binding_journal, spool
from git_intent.ledger.binding import Binder, Wish
from tests.support.ledgers import header
from tests.support.repo import Repo
from tests.support.session import Session, listing


@pytest.fixture
def chat(repo, home, monkeypatch) -> Session:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return Session(repo).configure()


def bind(session, chat="s-1", role="owner", note="the same chat goes on"):
    wish = Wish(session.host, session.session, session.namespace, chat, role, note)
    return Binder(session.home, session.owner).bind(wish)


def state(chat):
    return binding_journal.read_state(chat.home)


def test_l011_the_next_prompt_lands_in_the_old_chat(chat):
    chat.prompt("one")
    chat.initial()
    new = Session(chat.repo, "s-2")
    chat.prompt("not classified")
    objective = Path(chat.place.objective)
    assert b"dispose-source --host claude --session s-1\n" in objective.read_bytes()
    answer = bind(new)
    assert answer.exit_code == 0, answer.as_json()
    assert b"dispose-source --host claude --session s-2\n" in objective.read_bytes()
    new.prompt("two")
    assert chat.sources() == [b"one", b"not classified", b"two"]
    old = state(chat).of("claude", "s-1")
    assert (old["role"], old["chat"]) == ("reader", "s-1")
    assert "REFERENCE_ONLY" in chat.prompt("three").context
    assert "REFERENCE_ONLY" not in new.prompt("four").context
    subject = chat.repo.git("log", "-1", "--format=%s", "refs/intent/bindings")
    assert subject == "bind claude session as owner: the same chat goes on"


@pytest.mark.parametrize("note", ["", "  \n"])
def test_l011_without_a_review_note_it_is_refused(chat, note):
    chat.prompt("one")
    before = chat.repo.git("for-each-ref")
    answer = bind(Session(chat.repo, "s-2"), note=note)
    assert (answer.exit_code, answer.refusal.pointer) == (1, "/note")
    assert chat.repo.git("for-each-ref") == before


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_what_is_no_id_cannot_be_bound(chat, name):
    chat.prompt("one")
    assert bind(Session(chat.repo, name)).refusal.pointer == "/session"
    assert bind(Session(chat.repo, "s-2"), chat=name).refusal.pointer == "/chat"


def test_l011_a_session_with_a_contract_is_refused(chat):
    chat.prompt("one")
    chat.initial()
    other = Session(chat.repo, "s-2")
    other.prompt("two")
    other.initial()
    before = chat.repo.git("for-each-ref")
    answer = bind(other)
    assert answer.refusal.code == "not-allowed"
    assert answer.refusal.pointer == "/session"
    assert chat.repo.git("for-each-ref") == before


def test_l011_a_chat_that_has_moved_is_refused(chat):
    chat.prompt("one")
    second = Session(chat.repo, "s-2")
    second.prompt("two")
    assert bind(second).exit_code == 0
    answer = bind(Session(chat.repo, "s-3"), chat="s-2")
    assert answer.refusal.code == "ledger-closed"


def test_l011_no_circle(chat):
    chat.prompt("one")
    assert bind(Session(chat.repo, "s-2")).exit_code == 0
    assert bind(chat, chat="s-2").refusal.code == "ledger-closed"


def test_l011_of_two_binds_of_one_session_at_once_one_holds(chat):
    chat.prompt("one")
    chat.initial()
    other = Session(chat.repo, "s-2")
    other.prompt("two")
    other.initial()
    new = Session(chat.repo, "s-3")
    answers = []
    threads = [
        threading.Thread(target=lambda c=c: answers.append(bind(new, chat=c)))
        for c in ("s-1", "s-2")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.exit_code for answer in answers) == [0, 1]
    assert state(chat).seq == 1


def test_l012_an_excluded_session_is_not_captured_and_the_record_stays(chat, home):
    chat.prompt("one")
    answer = bind(chat, role="excluded", note="a test drive")
    assert answer.exit_code == 0
    before = listing(home, chat.repo.path)
    for event in ("UserPromptSubmit", "SessionStart", "PreCompact", "Stop"):
        found = chat.hook(event, prompt="two", source="compact")
        assert (found.out, found.notes) == (b"", [])
    assert listing(home, chat.repo.path) == before
    assert state(chat).of("claude", "s-1")["note"] == "a test drive"
    assert chat.sources() == [b"one"]


def test_l012_a_binding_ends_an_exclusion(chat):
    chat.prompt("one")
    bind(chat, role="excluded")
    assert bind(chat).exit_code == 0
    chat.prompt("two")
    assert chat.sources() == [b"one", b"two"]


def test_l014_a_fork_that_was_captured_is_absorbed(chat):
    chat.prompt("one")
    chat.initial()
    fork = Session(chat.repo, "s-2")
    assert fork.hook("SessionStart", source="fork").context
    assert not fork.repo.git("for-each-ref", fork.place.ref)
    fork.prompt("two")
    fork.prompt("three")
    assert fork.sources() == [b"two", b"three"]
    ids = fork.pending()
    assert bind(fork).exit_code == 0
    assert chat.pending() == ids
    assert chat.sources() == [b"one", b"two", b"three"]
    moved = fork.view()
    assert (moved["status"], moved["moved_to"]) == (
        "CLOSED",
        {"namespace": "team", "chat": "s-1"},
    )
    lines = chat.repo.git("show", f"{chat.place.ref}:journal/000001.jsonl").splitlines()
    last = json.loads(lines[-1])["body"]
    assert last["captured_in"] == {"namespace": "team", "chat": "s-2"}
    fork.prompt("four")
    assert chat.sources()[-1] == b"four"


def test_l014_what_waits_in_the_inbox_comes_along(chat):
    chat.prompt("one")
    chat.initial()
    fork = Session(chat.repo, "s-2")
    fork.prompt("two")
    held = fork.ledger.journal.lock.acquire(1)
    fork.prompt("three")
    held.release()
    assert bind(fork).exit_code == 0
    assert chat.sources() == [b"one", b"two", b"three"]


def test_l014_a_gap_that_was_told_of_late_comes_along(chat):
    chat.prompt("one")
    fork = Session(chat.repo, "s-2")
    for n in range(4):
        fork.prompt(f"prompt {n}")
    data = b"lost"
    lost = header(data, kind="gap", id="gap-" + "7" * 32, since=5, session="s-2")
    spool.spool(fork.place.inbox, {**lost, "reason": "not-kept"})
    assert fork.ledger.drain().exit_code == 0
    assert fork.view()["gaps"][0]["since"] == 5
    assert bind(fork).exit_code == 0
    assert [gap["id"] for gap in chat.view()["gaps"]] == [lost["id"]]
    assert "since" not in chat.view()["gaps"][0]


def test_l014_a_bind_that_was_interrupted_is_carried_on(chat, monkeypatch):
    chat.prompt("one")
    fork = Session(chat.repo, "s-2")
    fork.prompt("two")

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(binding, "absorb", killed)
        with pytest.raises(KeyboardInterrupt):
            bind(fork)
    assert state(chat).of("claude", "s-2")["chat"] == "s-1"
    answer = bind(fork)
    assert answer.exit_code == 0
    assert state(chat).seq == 1
    assert chat.sources() == [b"one", b"two"]
    assert fork.view()["status"] == "CLOSED"
    assert bind(fork).refusal.code == "already-settled"


def test_l015_after_the_bind_one_journal_names_both_hosts(chat):
    chat.prompt("of claude")
    other = Session(chat.repo, host="codex")
    other.prompt("unbound")
    assert bind(other).exit_code == 0
    other.prompt("of codex")
    assert chat.sources() == [b"of claude", b"of codex"]
    hosts = [source["host"] for source in chat.view()["pending_sources"]]
    assert hosts == ["claude", "codex"]


def test_l077_a_configured_child_session_is_not_captured(chat):
    chat.prompt("one")
    child = Session(chat.repo, "child-1")
    assert bind(child, role="child").exit_code == 0
    assert child.prompt("a part of it").out == b""
    assert chat.sources() == [b"one"]
    assert not child.repo.git("for-each-ref", child.place.ref)


def view(session, monkeypatch):
    monkeypatch.chdir(session.repo.path)
    found = World(os.environ, str(session.repo.path))
    return owner_view(found, session.host, session.session)


def test_l006_owner_view_before_and_after_the_first_prompt(chat, home, monkeypatch):
    before = listing(home, chat.repo.path)
    told = view(chat, monkeypatch)
    assert listing(home, chat.repo.path) == before
    assert told["access"] == "OWNER"
    assert told["objective"] is None
    known = (told["namespace"], told["chat"], told["home"], told["ref"])
    assert known == ("team", "s-1", str(chat.repo.path), "refs/intent/ledger/team/s-1")
    assert told["binding"] == {"route": "default"}
    chat.prompt("one")
    before = listing(home, chat.repo.path)
    told = view(chat, monkeypatch)
    assert listing(home, chat.repo.path) == before
    assert (told["access"], told["objective"]) == ("OWNER", chat.place.objective)


def test_l006_owner_view_of_a_damaged_ledger_names_the_fault(chat, monkeypatch):
    chat.prompt("one")
    chat.repo.git("update-ref", "-d", chat.place.ref)
    told = view(chat, monkeypatch)
    assert told["access"] == "OWNER"
    assert told["faults"] == [{"code": "ledger", "message": "ref-rewound"}]


def test_l007_another_session_reads_only(chat, monkeypatch):
    chat.prompt("one")
    other = Session(chat.repo, "s-2")
    assert bind(other, role="reader").exit_code == 0
    told = view(other, monkeypatch)
    assert (told["access"], told["role"]) == ("REFERENCE_ONLY", "reader")
    assert told["binding"]["note"] == "the same chat goes on"
    assert view(chat, monkeypatch)["access"] == "OWNER"


def test_l008_where_another_home_is_configured_access_is_reference_only(
    chat, tmp_path, monkeypatch
):
    chat.prompt("one")
    other = Session(Repo.init(tmp_path / "other")).configure()
    told = view(other, monkeypatch)
    assert told["access"] == "REFERENCE_ONLY"
    assert told["home"] == str(chat.repo.path)
    assert str(other.repo.path) in told["elsewhere"]


def test_l004_owner_view_lists_what_is_unbound(chat, monkeypatch):
    Session(chat.repo, session=None).prompt("words")
    (one,) = view(chat, monkeypatch)["unbound"]
    assert (one["kind"], one["bytes"], one["session"]) == ("unbound", 5, "")


def test_l008_a_lost_pin_is_made_again_from_the_home(chat, home):
    chat.prompt("one")
    shutil.rmtree(home / ".local/state/git-intent/pins")
    chat.prompt("two")
    assert chat.sources() == [b"one", b"two"]


def test_bindings_are_read_from_the_journal_if_the_file_is_not_certain(chat):
    chat.prompt("one")
    new = Session(chat.repo, "s-2")
    bind(new)
    current = chat.repo.path / ".git/intent/bindings/current.json"
    current.write_bytes(current.read_bytes().replace(b'"owner"', b'"child"'))
    new.prompt("two")
    assert chat.sources() == [b"one", b"two"]


def test_bindings_that_were_moved_back_are_not_believed(chat, home):
    chat.prompt("one")
    bind(Session(chat.repo, "s-2"))
    chat.repo.git("update-ref", "-d", "refs/intent/bindings")
    (note,) = chat.prompt("two").notes
    assert "unbound" in note
    assert "refs/intent/bindings" in note
    assert chat.sources() == [b"one"]
