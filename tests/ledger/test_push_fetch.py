"""A ledger that goes to a bare remote and comes from one."""

import json
import subprocess
from pathlib import Path

import pytest

from git_intent.ledger import spool
from git_intent.ledger.binding import Binder, Wish
from git_intent.ledger.event import line_hash
from git_intent.ledger.export import export
from git_intent.ledger.fetch import fetch
from git_intent.ledger.push import push
from git_intent.ledger.remote import Remote
from tests.support.exchange import (
    PERSON,
    access,
    bind,
    chained,
    everything,
    fetched,
    home_at,
    imported,
    journal,
    lived,
    pushed,
    refused,
)
from tests.support.ledgers import header
from tests.support.repo import Repo

TOKEN = "ghp_" + "0aZ9bY8cX7dW6eV5fU4gT3hS2iR1jQ0kP9lO"
THERE = "refs/intent/remotes/hub/ledger/team/s-1"


@pytest.fixture
def hub(tmp_path):
    return Repo.init(tmp_path / "hub.git", "--bare")


@pytest.fixture
def ada(tmp_path, hub):
    """A chat with a history, whose home knows the remote by a relative path."""
    return know(lived(tmp_path / "ada"), "../hub.git")


@pytest.fixture
def bob(tmp_path, hub):
    """Another machine: nothing of the chat is there."""
    return know(home_at(tmp_path / "bob"), hub.path.as_uri())


def know(chat, url):
    chat.repo.git("remote", "add", "hub", url)
    return chat


def on(repo, ref="refs/intent/ledger/team/s-1"):
    return repo.git("rev-parse", "-q", "--verify", ref, check=False)


def parted(ada, bob):
    """Both have the same ledger, and then both go on."""
    pushed(ada)
    fetched(bob)
    bind(bob)
    ada.prompt("ada goes on")
    bob.prompt("bob goes on")


def push_refused(chat, *args):
    return refused(push, chat.ledger, Remote(chat.home, "hub"), *args)


def fetch_refused(chat):
    return refused(fetch, chat.ledger, Remote(chat.home, "hub"), PERSON)


# Push


def test_l139_a_push_gives_the_remote_this_ref_and_nothing_else(ada, hub):
    ada.repo.commit("work", a="1")
    ada.repo.git("tag", "-a", "-m", "t", "v1")
    ada.repo.git("config", "push.followTags", "true")
    ada.repo.git("config", "remote.hub.push", "+refs/*:refs/*")
    done = pushed(ada)
    assert (done.seq, done.commit, done.already) == (10, ada.tip(), False)
    assert hub.git("for-each-ref", "--format=%(refname)") == ada.place.ref
    assert on(hub) == ada.tip()
    assert on(ada.repo, THERE) == ada.tip()
    assert pushed(ada).already


def test_l139_a_push_that_is_no_fast_forward_is_refused(ada, bob, hub):
    parted(ada, bob)
    pushed(bob)
    there, here = on(hub), everything(ada)
    refusal = push_refused(ada)
    assert refusal.code == "not-forward"
    assert "git intent ledger fetch hub" in refusal.hint
    assert (on(hub), everything(ada)) == (there, here)
    ada.repo.git("config", "remote.hub.mirror", "true")
    ada.repo.git("config", "push.default", "matching")
    assert push_refused(ada).code == "not-forward"
    assert on(hub) == there


def test_l139_git_too_refuses_what_came_between_looking_and_pushing(ada, bob, hub):
    parted(ada, bob)
    pushed(bob)
    there = on(hub)
    refusal = refused(Remote(ada.home, "hub").push, ada.place, ada.tip())
    assert refusal.code == "not-forward"
    assert on(hub) == there


def in_a_source(chat):
    chat.prompt(f"use the token {TOKEN} for it")
    chat.settle()


def in_a_clause(chat):
    chat.prompt("add one")
    document = chat.document("classify-source")
    document["parts"] = document["parts"][:1]
    document["parts"][0]["transitions"][0]["text"] = f"never show {TOKEN}"
    with pytest.MonkeyPatch.context() as patch:  # by a version that did not know it yet
        patch.setattr("git_intent.secrets.find", lambda text: [])
        chat.write("classify-source", document)


def in_next_work(chat):
    contract = chat.view()["contract_hash"]
    work = {"contract": contract, "next_work": [f"try it with {TOKEN}"]}
    chat.write("progress", work)


def in_evidence(chat):
    action = chat.example("action-start")["action"]
    text = {"text": f"it printed\n{TOKEN}\n"}
    chat.example("action-finish", action=action, evidence=[text])


SECRETS = [in_a_source, in_a_clause, in_next_work, in_evidence]


@pytest.mark.parametrize("place", SECRETS)
def test_l139_a_secret_is_not_pushed_unless_it_is_allowed(ada, hub, place):
    place(ada)
    before = everything(ada)
    refusal = push_refused(ada)
    assert refusal.code == "secret-found"
    assert TOKEN not in str(refusal.as_json())
    assert "event " in refusal.message
    assert hub.git("for-each-ref") == ""
    assert everything(ada) == before
    pushed(ada, allow=True)
    assert on(hub) == ada.tip()
    ada.prompt("what is out is not asked about again")
    pushed(ada)


def test_l139_a_secret_that_only_an_early_commit_has_is_found(ada, hub):
    """A commit below the tip has a blob that no later tree names."""
    git = ada.repo.git
    first = git("rev-list", "--reverse", ada.place.ref).split()[0]
    blob = git("hash-object", "-w", "--stdin", input=f"key: {TOKEN}\n")
    entries = git("ls-tree", first) + f"\n100644 blob {blob}\tnote\n"
    tree = git("mktree", input=entries)
    parent = git("commit-tree", tree, "-m", "early")
    kept = git("rev-parse", f"{ada.place.ref}^{{tree}}")
    tip = git("commit-tree", kept, "-p", parent, "-m", "late")
    git("update-ref", ada.place.ref, tip)
    Path(ada.place.folder, "anchor").unlink()
    refusal = push_refused(ada)
    assert refusal.code == "secret-found"
    assert blob[:12] in refusal.message
    assert hub.git("for-each-ref") == ""


def test_l139_a_secret_in_the_message_of_a_commit_is_found(ada, hub):
    git = ada.repo.git
    tree = git("rev-parse", f"{ada.place.ref}^{{tree}}")
    tip = git("commit-tree", tree, "-p", ada.tip(), "-m", f"start: {TOKEN}")
    git("update-ref", ada.place.ref, tip)
    assert tip in push_refused(ada).message
    assert hub.git("for-each-ref") == ""


def test_what_is_not_whole_is_not_pushed(ada, hub):
    digest = ada.view()["contract"]["objective"]["bindings"][0]["sha256"]
    oid = ada.repo.git("rev-parse", f"{ada.place.ref}:sources/{digest[:2]}/{digest}")
    (ada.repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert push_refused(ada).code == "source-unproven"
    assert hub.git("for-each-ref") == ""


# Fetch


def test_l140_what_is_fetched_first_belongs_to_nobody_here(ada, bob):
    pushed(ada)
    answer = fetched(bob)
    assert (answer.seq, answer.event) == (10, "ev-10")
    assert answer.named == {"remote": "hub", "fetched": THERE}
    assert on(bob.repo) == on(bob.repo, THERE) == ada.tip()
    assert journal(bob) == journal(ada)
    assert bob.view() == ada.view()
    assert bob.ledger.read().fresh
    assert access(bob) == "REFERENCE_ONLY"
    bind(bob)
    assert access(bob) == "OWNER"
    bob.prompt("bob goes on")
    pushed(bob)
    assert fetched(ada).seq == 11
    assert journal(ada) == journal(bob)
    assert access(ada) == "REFERENCE_ONLY"
    assert fetched(ada).already


def test_l140_where_both_went_on_both_stay_and_are_named(ada, bob, hub):
    parted(ada, bob)
    pushed(bob)
    before = everything(ada)
    refusal = fetch_refused(ada)
    assert refusal.code == "not-forward"
    assert THERE in refusal.message
    assert refusal.ids == ("ev-11",)
    assert everything(ada) == before
    assert on(ada.repo, THERE) == bob.tip()
    assert access(ada) == "OWNER"
    ada.prompt("nothing else waits for it")
    assert journal(ada).count(b"\n") == 12


def test_l140_a_ledger_that_is_behind_changes_nothing(ada, bob):
    pushed(ada)
    ada.prompt("ada goes on")
    before = everything(ada)
    assert fetched(ada).already
    assert everything(ada) == before


def foreign(hub, chat, change, *, names="s-1"):
    """Put a changed copy of a chat's journal on the remote."""
    work = home_at(hub.path.parent / "work")
    data = chained(journal(chat).splitlines(keepends=True), change)
    git = work.repo.git
    git("fetch", "-q", str(chat.repo.path), f"{chat.place.ref}:refs/x")
    segment = git("hash-object", "-w", "--stdin", input=data.decode())
    entries = git("ls-tree", "refs/x").splitlines()
    journal_tree = git("mktree", input=f"100644 blob {segment}\t000001.jsonl\n")
    last = line_hash(data.splitlines(keepends=True)[-1])
    head = git("hash-object", "-w", "--stdin", input=f"{last}\n")
    kept = [e for e in entries if e.split("\t")[1] not in ("journal", "head")]
    kept += [f"040000 tree {journal_tree}\tjournal", f"100644 blob {head}\thead"]
    tree = git("mktree", input="\n".join(kept) + "\n")
    commit = git("commit-tree", tree, "-p", "refs/x", "-m", "changed")
    git("push", "-q", hub.path.as_uri(), f"{commit}:refs/intent/ledger/team/{names}")


def _another_chat(fields):
    fields["chat"] = "s-2"


def _one_foreign_line(fields):
    if fields["seq"] == 6:
        fields["namespace"] = "others"


def _one_bad_line(fields):
    if fields["type"] == "action-finished":
        fields["body"]["effect"] = "UNKNOWN"


@pytest.mark.parametrize("change", [_another_chat, _one_foreign_line, _one_bad_line])
def test_l140_a_chain_with_a_bad_line_is_not_adopted(ada, bob, hub, change):
    foreign(hub, ada, change)
    refusal = fetch_refused(bob)
    assert refusal.code == "ledger-corrupt"
    assert THERE in refusal.hint
    assert on(bob.repo) == ""
    assert on(bob.repo, THERE) == on(hub)
    assert not Path(bob.place.folder, "objective.txt").exists()


def test_l140_a_chain_on_top_of_ours_that_rewrites_it_is_not_adopted(ada, hub):
    """Its commits continue ours, its lines do not."""

    def change(fields):
        if fields["seq"] == 3:
            fields["at"] = "2001-01-01T00:00:00Z"

    foreign(hub, ada, change)
    before = everything(ada)
    assert fetch_refused(ada).code in ("not-forward", "ledger-corrupt")
    assert everything(ada) == before


def test_l140_a_remote_that_was_rewritten_does_not_replace_what_was_fetched(
    ada, bob, hub
):
    pushed(ada)
    fetched(bob)
    before = everything(bob), on(bob.repo, THERE)
    hub.git(
        "update-ref",
        ada.place.ref,
        hub.git("commit-tree", "-m", "x", hub.git("mktree", input="")),
    )
    assert fetch_refused(bob).code == "not-forward"
    assert (everything(bob), on(bob.repo, THERE)) == before


def test_a_ledger_that_was_imported_and_fetched_is_told_apart(ada, bob, tmp_path):
    export(ada.ledger, tmp_path / "out")
    imported(bob, tmp_path / "out")
    pushed(ada)
    assert fetched(bob).already
    ada.prompt("ada goes on")
    pushed(ada)
    before = everything(bob)
    assert fetch_refused(bob).code == "not-forward"
    assert everything(bob) == before


def test_the_pending_prompts_of_this_machine_outlive_a_fetch(ada, bob):
    pushed(ada)
    data = b"spooled before the fetch"
    spool.spool(spool.inbox(bob.place.folder), header(data), data)
    fetched(bob)
    bob.ledger.drain()
    assert bob.sources()[-1] == data
    assert journal(bob).startswith(journal(ada))


# What else git does


def test_an_ordinary_fetch_keeps_events_that_are_not_published(ada, bob, hub):
    parted(ada, bob)
    pushed(bob)
    ada.repo.commit("work", a="1")
    ada.repo.git("push", "-q", "hub", "main")
    before = everything(ada)
    ada.repo.git("fetch", "-q", "hub")
    ada.repo.git("fetch", "-q", "--prune", "--tags", "hub")
    assert everything(ada) == before
    assert on(hub) == bob.tip()
    clone = Repo(hub.path.parent / "clone")
    subprocess.run(["git", "clone", "-q", hub.path, clone.path], check=True)
    assert "refs/intent" not in clone.git("for-each-ref")


@pytest.mark.parametrize(
    "url", ["/nowhere/at/all.git", "nosuchscheme://host/x", "https://127.0.0.1:1/x.git"]
)
def test_a_remote_that_does_not_answer_fails_that_command_alone(ada, url):
    ada.repo.git("remote", "add", "away", url)
    before = everything(ada)
    away = Remote(ada.home, "away")
    assert refused(push, ada.ledger, away).code == "remote-failed"
    refusal = refused(fetch, ada.ledger, away, PERSON)
    assert refusal.code == "remote-failed"
    assert "away: " in refusal.message
    assert everything(ada) == before
    ada.prompt("the chat goes on")


@pytest.mark.parametrize("name", ["nowhere", "", "--upload-pack=touch x", "../hub.git"])
def test_only_a_remote_that_has_a_name_is_talked_to(ada, name):
    refusal = refused(push, ada.ledger, Remote(ada.home, name))
    assert refusal.code == "invalid-document"
    assert "it has hub" in refusal.message


def test_the_users_own_rules_about_protocols_hold(ada, monkeypatch):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "https")
    assert push_refused(ada).code == "remote-failed"
    monkeypatch.delenv("GIT_ALLOW_PROTOCOL")
    ada.repo.git("config", "protocol.file.allow", "never")
    assert push_refused(ada).code == "remote-failed"


def test_the_commands_push_and_fetch(ada, bob):
    said = ada.repo.intent("ledger", "push", "--chat", "s-1", "hub")
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert (told["pushed"], told["seq"], told["remote"]) == (True, 10, "hub")
    said = bob.repo.intent("ledger", "fetch", "--chat", "s-1", "hub")
    assert said.code == 0, said.err
    assert json.loads(said.out)["fetched"] == THERE
    said = bob.repo.intent("ledger", "fetch", "--chat", "s-2", "hub")
    assert said.code == 1
    assert json.loads(said.out)["refusal"]["code"] == "no-ledger"
    in_next_work(ada)
    said = ada.repo.intent("ledger", "push", "--chat", "s-1", "hub")
    assert (said.code, TOKEN in said.out + said.err) == (1, False)
    assert len(ada.ledger.evidence.names("rejection")) == 1
    words = ("ledger", "push", "--chat", "s-1", "hub", "--allow-secrets")
    assert ada.repo.intent(*words).code == 0


@pytest.mark.parametrize("role", ["child", "excluded"])
def test_a_child_takes_nothing_in(ada, bob, role):
    pushed(ada)
    wish = Wish("claude", "kid", "team", "s-1", role, "no writer")
    assert Binder(bob.home, bob.owner).bind(wish).exit_code == 0
    words = ("ledger", "fetch", "--host", "claude", "--session", "kid", "hub")
    said = bob.repo.intent(*words)
    assert said.code == 1
    assert json.loads(said.out)["refusal"]["code"] == "reference-only"
    assert on(bob.repo) == ""
