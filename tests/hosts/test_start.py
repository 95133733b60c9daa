"""Session starts and compaction: read back, and create nothing."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent.hosts.claude import EVENTS
from tests.support.session import Session, listing

STARTS = ["startup", "resume", "clear", "compact", "fork"]


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize("other", [False, True])
def test_l018_nothing_is_made_before_the_first_prompt(chat, home, host, other):
    if other:
        Session(chat.repo, "another").prompt("words")
    chat.host = host
    before = listing(home, chat.repo.path)
    refs = chat.repo.git("for-each-ref")
    for source in STARTS:
        chat.hook("SessionStart", source=source)
    for event in ("PreCompact", "PostCompact", "Stop", "SessionEnd", "SubagentStart"):
        assert chat.hook(event).out == b""
    chat.hook("PreToolUse", tool_name="Edit", tool_input={})
    assert listing(home, chat.repo.path) == before
    assert chat.repo.git("for-each-ref") == refs


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_l014_an_unknown_session_that_goes_on_is_told_how_to_bind(chat, source):
    Session(chat.repo, "another").prompt("words")
    context = chat.hook("SessionStart", source=source).context
    first = context.splitlines()[0]
    assert first.startswith("git intent ledger bind ")
    assert "--host claude --session s-1" in first
    assert chat.hook("SessionStart", source="startup").context == ""


def test_l025_after_compaction_the_pointer_then_what_is_pending(chat):
    chat.prompt("one")
    context = chat.hook("SessionStart", source="compact").context
    assert context.splitlines()[0] == chat.place.objective
    assert chat.pending()[0] in context
    line = "git intent ledger classify-source --host claude --session s-1"
    assert f"  {line}" in context.splitlines()


def test_l025_the_same_while_a_writer_holds_the_lock(chat):
    chat.prompt("one")
    before = chat.hook("SessionStart", source="resume").context
    held = chat.ledger.journal.lock.acquire(1)
    try:
        assert chat.hook("SessionStart", source="resume").context == before
    finally:
        held.release()


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_l026_l071_compaction_and_stop_touch_and_say_nothing(repo, home, host):
    chat = Session(repo, host=host).configure()
    chat.prompt("one")
    before = listing(home, repo.path)
    for event in ("PreCompact", "PostCompact", "Stop", "SessionEnd"):
        answer = chat.hook(event, trigger="auto", stop_hook_active=False)
        assert (answer.out, answer.notes) == (b"", [])
    assert listing(home, repo.path) == before


def test_l071_without_the_projection_the_context_is_still_right(chat):
    chat.prompt("one")
    before = chat.hook("SessionStart", source="compact").context
    tip, pending = chat.tip(), chat.pending()
    shutil.rmtree(chat.place.folder)
    after = chat.hook("SessionStart", source="compact").context
    assert after == before
    assert chat.tip() == tip
    assert pending[0] in after
    assert pending[0] in chat.objective()


def test_l020_l071_a_card_that_was_edited_is_right_again_after_compaction(chat):
    chat.prompt("one")
    right, path = chat.objective(), Path(chat.place.objective)
    path.write_text("done: everything\n")
    tip = chat.tip()
    chat.hook("SessionStart", source="compact")
    assert chat.objective() == right
    assert chat.tip() == tip
    kept = [p.read_bytes() for p in Path(chat.place.folder, "faults").glob("tail-*")]
    assert b"done: everything\n" in kept


def test_l031_no_reply_to_stop_continues_anything(chat):
    chat.prompt("one")
    for event in ("Stop", "SubagentStop"):
        assert chat.run(event).out == ""


def test_l116_a_gap_is_pointed_at_until_there_is_a_projection(chat):
    whole = chat.payload("UserPromptSubmit", prompt="a lost prompt")
    held = chat.ledger.journal.lock.acquire(1)
    try:
        chat.hook("UserPromptSubmit", whole[:-4])
    finally:
        held.release()
    first = chat.hook("SessionStart", source="compact").context.splitlines()[0]
    assert Path(first).is_file()
    assert Path(first).parent == Path(chat.place.inbox)
    chat.prompt("the next one")
    context = chat.hook("SessionStart", source="compact").context
    assert context.splitlines()[0] == chat.place.objective
    assert chat.view()["gaps"][0]["id"] in context


HOLDER = """
import sys, time
from git_intent.ledger.home import open_home
from git_intent.ledger.ledger import Ledger
Ledger(open_home(sys.argv[1], ""), "team", "s-1").journal.lock.acquire(1)
print("held", flush=True)
time.sleep(60)
"""


def test_a_dead_owner_of_the_lock_is_told_with_the_line_that_ends_it(chat):
    chat.prompt("one")
    place = chat.place
    command = [sys.executable, "-c", HOLDER, place.home.path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as held:
        assert held.stdout.readline() == b"held\n"
        living = chat.hook("SessionStart", source="compact").context
        held.kill()
    assert "recover-lock" not in living
    digest = hashlib.sha256(Path(place.folder, "lock").read_bytes()).hexdigest()
    context = chat.hook("SessionStart", source="compact").context
    assert f"git intent ledger recover-lock --sha256 {digest}" in context


def test_l099_a_rewound_ledger_is_named(chat):
    chat.prompt("one")
    chat.prompt("two")
    chat.repo.git("update-ref", chat.place.ref, f"{chat.place.ref}~1")
    context = chat.hook("SessionStart", source="compact").context
    assert "cannot be trusted" in context
    assert "cannot be trusted" in chat.prompt("three").context
    assert len(list(Path(chat.place.inbox).iterdir())) == 1


def test_every_event_of_the_table_is_answered(chat):
    chat.prompt("one")
    for event in EVENTS:
        chat.hook(event)
    assert chat.hook("Notification").out == b""
