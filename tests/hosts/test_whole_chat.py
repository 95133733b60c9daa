"""Hooks and owner's commands together, over the life of a chat."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from git_intent.files import canonical_json
from git_intent.hosts import preflight_lane, prompt
from git_intent.ledger import fold, spool
from git_intent.ledger.archive import Archive
from git_intent.ledger.binding import Binder, Wish
from git_intent.ledger.state import State
from git_intent.ledger.view import view
from tests.hosts.test_prompt import unbound
from tests.hosts.test_tool import classes
from tests.support.repo import _SOURCE
from tests.support.session import Session, listing

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_l010_no_clause_is_consulted_about_the_owners_own_writes(chat):
    chat.prompt("Do not edit any other task, and never write to the ledger.")
    chat.initial()
    chat.example("progress")
    contract = chat.view()["contract_hash"]
    chat.write("action-start", {"tool": "Edit", "contract": contract})


def test_l015_two_hosts_at_the_same_instant_give_two_events(chat):
    chat.prompt("one")
    other = Session(chat.repo, host="codex")
    wish = Wish("codex", "s-1", "team", "s-1", "owner", "the same chat")
    assert Binder(chat.home, other.owner).bind(wish).exit_code == 0
    threads = [
        threading.Thread(target=session.run, args=("UserPromptSubmit", raw))
        for session, raw in (
            (chat, chat.payload("", prompt="of claude", prompt_id="9")),
            (other, other.payload("", prompt="of codex", turn_id="9")),
        )
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    chat.ledger.drain()
    assert sorted(chat.sources()) == [b"of claude", b"of codex", b"one"]
    assert chat.view()["seq"] == 4


def rounds(chat, monkeypatch, count):
    """Ask about a mutation over and over while a prompt is drained."""
    classes(chat, mutation=["Edit"])
    chat.prompt("one")
    monkeypatch.chdir(chat.repo.path)
    words = ["--host", "claude", "--session", "s-1", "--tool", "Edit"]
    for number in range(count):
        chat.settle()
        lock = chat.ledger.journal.lock.acquire(1)
        chat.prompt(f"p{number}")  # it is kept, and cannot be drained yet
        lock.release()
        drain = threading.Thread(target=chat.ledger.drain)
        drain.start()
        said = set()
        while drain.is_alive():
            call = preflight_lane.parse(words)
            document, *_ = preflight_lane.decided(call, os.environ)
            said.add(document["decision"])
        drain.join()
        assert said <= {"HOLD"}


def test_l063_while_a_prompt_is_drained_the_answer_is_never_allow(chat, monkeypatch):
    rounds(chat, monkeypatch, 4)


@pytest.mark.soak
def test_l063_the_same_many_times(chat, monkeypatch):
    rounds(chat, monkeypatch, 60)


def test_l065_a_damaged_journal_holds_mutations_alone(chat):
    classes(chat, mutation=["Edit"], read_only=["Read"])
    chat.prompt("one")
    chat.settle()
    blob = chat.repo.git("rev-parse", f"{chat.place.ref}:journal/000001.jsonl")
    (chat.repo.path / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    shutil.rmtree(chat.place.folder)
    held = chat.hook("PreToolUse", tool_name="Edit", tool_input={})
    assert "cannot be trusted" in held.denied
    assert chat.hook("PreToolUse", tool_name="Read", tool_input={}).out == b""


READ_ONLY = (
    'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
)


def read_only(chat, *words, raw=b"{}"):
    """Run the program while the repository is mounted read-only."""
    mounted = ["unshare", "-m", "sh", "-c", READ_ONLY, "sh", str(chat.repo.path)]
    done = subprocess.run(
        [*mounted, sys.executable, "-m", "git_intent", *words],
        cwd=chat.repo.path.parent,
        input=raw,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        check=False,
    )
    if b"unshare" in done.stderr or b"mount" in done.stderr:
        pytest.skip("no file system can be mounted here")
    return done


def test_l006_l065_l070_a_home_on_a_read_only_mount(chat, home):
    for key, value in (("ledgerHome", str(chat.repo.path)), ("namespace", "team")):
        chat.repo.git("config", "--global", f"intent.{key}", value)
    for name, tool in (("mutation", "Edit"), ("readOnly", "Read")):
        key = f"intent.ledger.tools.claude.{name}"
        chat.repo.git("config", "--global", key, tool)
    chat.prompt("one")
    before = listing(home, chat.repo.path)
    who = ("--host", "claude", "--session", "s-1")
    held = read_only(chat, "ledger", "preflight", *who, "--tool", "Edit")
    assert (held.returncode, json.loads(held.stdout)["decision"]) == (1, "HOLD")
    free = read_only(chat, "ledger", "preflight", *who, "--tool", "Read")
    assert (free.returncode, json.loads(free.stdout)["decision"]) == (0, "ALLOW")
    told = json.loads(read_only(chat, "ledger", "owner-view", *who).stdout)
    assert (told["access"], told["objective"]) == ("OWNER", chat.place.objective)
    assert listing(home, chat.repo.path) == before


def test_l112_a_prompt_for_a_read_only_home_waits_and_comes_back(chat, home):
    for key, value in (("ledgerHome", str(chat.repo.path)), ("namespace", "team")):
        chat.repo.git("config", "--global", f"intent.{key}", value)
    chat.prompt("one")
    chat.initial()
    raw = chat.payload("UserPromptSubmit", prompt="two", prompt_id="9")
    done = read_only(chat, "hook", "--host", "claude", raw=raw)
    context = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert done.returncode == 0
    assert "known to be missing" in context
    assert "prompt" in chat.hook("SessionStart", source="compact").context
    chat.prompt("three")
    assert sorted(chat.sources()) == [b"one", b"three", b"two"]
    assert list((home / ".local/state/git-intent/spool").iterdir()) == []


def test_l138_a_full_inbox_is_drained_once_and_in_order(chat):
    """More than one commit takes; the context stays within its bound meanwhile."""
    chat.prompt("first")
    texts = [f"prompt {number}".encode() for number in range(300)]
    for number, data in enumerate(texts):
        header = {
            **dict.fromkeys(("turn", "reason")),
            "v": 1,
            "kind": "prompt",
            "id": f"src-{number:032x}",
            "skip": [],
            "host": "claude",
            "session": "s-1",
            "at": "2026-01-02T03:04:05.000Z",
            "sha256": hashlib.sha256(data).hexdigest(),
            "bytes": len(data),
            "origin": "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR",
            "encoding": "utf-8",
            "flags": [],
        }
        spool.spool(chat.place.inbox, header, data)
    context = chat.hook("SessionStart", source="compact").context
    assert "301 prompts" in context
    assert len(context.encode()) <= 2000
    assert chat.ledger.drain().exit_code == 0
    ids = [source["id"] for source in chat.view()["pending_sources"]]
    assert ids[1:] == [f"src-{number:032x}" for number in range(300)]
    assert chat.ledger.waiting() == []


def test_l125_the_pointers_lead_to_the_whole_state(chat):
    chat.prompt("one")
    chat.initial()
    chat.example("progress")
    chat.prompt("two")
    *_, first, second = chat.objective().splitlines()
    current, journal = (Path(line.strip()) for line in (first, second))
    shown = json.loads(current.read_bytes())
    state = State("team", "s-1", Archive())
    for line in journal.read_bytes().splitlines(keepends=True):
        fold.replay(state, line)
    assert canonical_json(view(state)) == current.read_bytes()
    assert shown["head"] in chat.objective().splitlines()[0]


def test_l126_the_card_of_a_contract_does_not_grow_with_its_journal(chat):
    chat.prompt("one")
    chat.initial()
    first, *before = chat.objective().splitlines()
    for number in range(12):
        chat.prompt(f"go on {number}")
        chat.settle()
    other, *after = chat.objective().splitlines()
    assert first != other
    assert before == after


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["prompt", "brackets", "bytes"])
def test_l121_l027_fifty_megabytes(chat, home, kind):
    raw = {
        "prompt": chat.payload("", prompt="x" * (50 << 20), prompt_id="1"),
        "brackets": b'{"a":' + b"[" * (50 << 20),
        "bytes": b'{"prompt": "' + b"\xff" * (50 << 20),
    }[kind]
    done = chat.run("UserPromptSubmit", raw)
    assert (done.code, "Traceback" in done.err) == (0, False)
    if kind == "prompt":
        assert chat.sources() == [b"x" * (50 << 20)]
    else:
        (kept,) = (home / ".local/state/git-intent/spool").iterdir()
        assert kept.read_bytes().partition(b"\n")[2] == raw


CLAIMS = [
    "only the parent can write",
    "only the root can write",
    "guarantees that the user",
    "cannot be written by a subagent",
]


def test_l078_the_trust_gap_is_stated_and_nothing_claims_more(chat):
    pages = {
        page.name: page.read_text("utf-8")
        for page in DOCS.glob("*")
        if page.suffix != ".svg"
    }
    told = " ".join(pages["agents.md"].split())
    assert "Capture is no authority." in told
    assert "can write as the owner" in told
    written = " ".join(" ".join(pages.values()).split()).lower()
    context = chat.prompt("words").context.lower()
    for claim in CLAIMS:
        assert claim not in written
        assert claim not in context


def test_l015_of_two_hosts_that_open_one_id_at_once_one_does(chat, home, monkeypatch):
    other = Session(chat.repo, host="codex")
    told = prompt._route
    said = []

    def overtaken(event, world):
        found = told(event, world)
        if event.host == "claude" and not said:
            said.append(other.prompt("of codex"))
        return found

    monkeypatch.setattr(prompt, "_route", overtaken)
    (note,) = chat.prompt("of claude").notes
    assert "bind" in note
    assert chat.sources() == [b"of codex"]
    ((header, data),) = unbound(home)
    assert (header["host"], data) == ("claude", b"of claude")


def test_l015_the_same_with_real_hooks(chat, home):
    sessions = [Session(chat.repo, host=host) for host in ("claude", "codex") * 2]
    hooks = [
        threading.Thread(
            target=session.run,
            args=("UserPromptSubmit", session.payload("", prompt=session.host)),
        )
        for session in sessions
    ]
    for hook in hooks:
        hook.start()
    for hook in hooks:
        hook.join()
    chat.ledger.drain()
    (opener,) = set(chat.sources())
    assert len(chat.sources()) == 2
    late = {b"claude": b"codex", b"codex": b"claude"}[opener]
    assert [data for _, data in unbound(home)] == [late, late]
