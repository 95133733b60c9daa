"""The program that a host calls: it is never in the way."""

import json
import os
import subprocess
import sys
import time

import pytest

from tests.support.repo import _SOURCE, run_intent
from tests.support.session import Session, listing
from tests.support.snapshots import requirement, store
from tests.test_startup import COSTLY, HEAVY, READERS, rooms

CHILD = """
import json, os, sys
sys.argv[0] = "git-intent"
before = set(sys.modules)
from git_intent.__main__ import main
assert main() == 0
os.write(2, json.dumps(sorted(set(sys.modules) - before)).encode())
"""
LIGHT = {
    *("click", "collections", "dataclasses", "enum", "functools", "hashlib", "json"),
    *("pathlib", "re", "subprocess", "typing"),
}


def loaded(chat, *words, raw=b"{}"):
    done = subprocess.run(
        [sys.executable, "-S", "-c", CHILD, *words],
        cwd=chat.repo.path,
        input=raw,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        check=True,
    )
    return set(json.loads(done.stderr)), done.stdout


def settled(chat):
    """Wait for the drainer that a hook started."""
    for _ in range(500):
        if not chat.ledger.waiting() and chat.ledger.journal.lock.read() is None:
            return
        subprocess.run(["sleep", "0.02"], check=True)
    raise AssertionError("not drained")


def test_n150_a_prompt_in_a_chat_that_exists_loads_little(chat):
    chat.prompt("one")
    raw = chat.payload("UserPromptSubmit", prompt="two", prompt_id="t")
    found, out = loaded(
        chat, "hook", "--host", "claude", "--event", "UserPromptSubmit", raw=raw
    )
    assert json.loads(out)
    assert not found & (HEAVY | READERS | COSTLY | LIGHT)
    assert rooms(found) == {
        "__main__",
        "config_ledger",
        "errors",
        "git",
        "hosts",
        "ledger",
    }
    ours = {name for name in found if name.startswith("git_intent.ledger.")}
    assert not ours & {
        f"git_intent.ledger.{name}"
        for name in ("ledger", "chain", "state", "fold", "objects", "ledger_lock")
    }
    settled(chat)
    assert chat.sources() == [b"one", b"two"]


@pytest.mark.parametrize("event", ["PreCompact", "PostToolUse", "Notification"])
def test_an_event_that_changes_nothing_loads_next_to_nothing(chat, event):
    found, out = loaded(chat, "hook", "--host", "claude", "--event", event)
    assert out == b""
    assert not found & LIGHT
    assert rooms(found) == {"__main__", "errors", "hosts"}


def test_preflight_of_a_tool_in_no_class_reads_no_ledger(chat):
    raw = chat.payload("PreToolUse", tool_name="Task", tool_input={})
    found, out = loaded(
        chat, "hook", "--host", "claude", "--event", "PreToolUse", raw=raw
    )
    assert out == b""
    assert not found & (HEAVY | READERS | COSTLY | LIGHT)


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart", "PreToolUse"])
def test_n150_n141_a_hook_in_a_known_store_loads_no_reader(chat, event):
    """The hook before it reads everything, and leaves a record."""
    for path, data in store(requirement()).items():
        chat.repo.write(path, data)
    chat.repo.commit("One")
    chat.repo.git("config", "intent.ledger.tools.claude.mutation", "Edit")
    chat.prompt("one")
    time.sleep(0.1)  # what changed a moment ago is not recorded
    for _ in range(2):  # the record, then what the context comes to
        assert chat.repo.intent("preview", "--task", "words").code == 0
    told = {"prompt": "keep it", "source": "compact", "tool_name": "Edit"}
    raw = chat.payload(event, prompt_id="t", tool_input={}, **told)
    found, out = loaded(chat, "hook", "--host", "claude", "--event", event, raw=raw)
    assert (b"[req-0001]" in out) == (event != "PreToolUse")
    assert not found & (HEAVY | READERS | COSTLY | LIGHT)
    store_rooms = {"cache", "embed", "inject", "store"}
    assert rooms(found) == {
        *("__main__", "config_ledger", "errors", "git", "hosts", "ledger"),
        *(store_rooms if event != "PreToolUse" else ()),
    }
    settled(chat)


def test_a_burst_of_prompts_is_drained_in_order_by_the_drainers(chat):
    """Hooks at once, each with its drainer; none is lost and none is doubled."""
    chat.prompt("first")
    command = [sys.executable, "-m", "git_intent", "hook", "--host", "claude"]
    hooks = []
    for number in range(6):
        child = subprocess.Popen(
            command,
            cwd=chat.repo.path,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": _SOURCE},
        )
        child.stdin.write(
            chat.payload("UserPromptSubmit", prompt=f"p{number}", prompt_id=f"{number}")
        )
        child.stdin.close()
        hooks.append(child)
    assert [hook.wait() for hook in hooks] == [0] * 6
    settled(chat)
    assert sorted(chat.sources()) == [b"first", *(f"p{n}".encode() for n in range(6))]


@pytest.mark.parametrize(
    "words",
    [
        ["--host", "nobody", "--event", "Stop"],
        ["--event", "Stop"],
        ["--host"],
        ["--host", "claude", "--nothing"],
        [],
    ],
)
def test_a_wrong_command_line_is_told_and_stops_nobody(repo, words):
    done = run_intent(["hook", *words], repo.path, b"{}")
    assert (done.code, done.out) == (0, "")
    assert "hook" in done.err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_standard_streams_may_be_closed(chat, tmp_path, closed):
    payload = tmp_path / "payload"
    payload.write_bytes(chat.payload("UserPromptSubmit", prompt="one", prompt_id="1"))
    hook = f"{sys.executable} -m git_intent hook --host claude"
    done = subprocess.run(
        ["sh", "-c", f"{hook} < {payload} {closed}"],
        cwd=chat.repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    if "<&-" in closed:
        assert chat.repo.git("for-each-ref") == ""
    else:
        assert chat.sources() == [b"one"]


def test_outside_of_a_repository_with_global_settings(chat, home, tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    for key in ("ledgerHome", "namespace"):
        value = chat.repo.git("config", f"intent.{key}")
        chat.repo.git("config", "--global", f"intent.{key}", value)
    raw = chat.payload("UserPromptSubmit", prompt="words", prompt_id="1")
    done = run_intent(["hook", "--host", "claude"], folder, raw)
    assert done.code == 0
    assert json.loads(done.out)
    assert chat.sources() == [b"words"]


def test_the_hook_can_be_told_another_folder(chat, tmp_path):
    raw = chat.payload("UserPromptSubmit", prompt="words", prompt_id="1")
    words = ["-C", str(chat.repo.path), "hook", "--host", "claude"]
    assert json.loads(run_intent(words, tmp_path, raw).out)
    assert chat.sources() == [b"words"]


def test_l105_another_repository_in_the_environment_does_not_count(chat, tmp_path):
    other = Session(type(chat.repo).init(tmp_path / "other"))
    before = listing(other.repo.path)
    env = {
        "GIT_DIR": str(other.repo.path / ".git"),
        "GIT_OBJECT_DIRECTORY": str(other.repo.path / ".git/objects"),
        "GIT_INDEX_FILE": str(other.repo.path / ".git/index"),
    }
    raw = chat.payload("UserPromptSubmit", prompt="words", prompt_id="1")
    assert json.loads(chat.run("UserPromptSubmit", raw, env=env).out)
    assert chat.sources() == [b"words"]
    assert listing(other.repo.path) == before


def test_a_home_that_is_none_keeps_the_prompt_as_unbound(chat, home):
    chat.repo.git("config", "intent.ledgerHome", "/nonexistent")
    answer = chat.prompt("words")
    assert "intent.ledgerHome" in answer.notes[0]
    (kept,) = (home / ".local/state/git-intent/spool").iterdir()
    assert kept.read_bytes().endswith(b"\nwords")


def test_l078_the_help_states_the_trust_gap():
    from git_intent.cli.hook import command

    text = " ".join(command.help.split())
    assert "some hosts do not tell a subagent's prompt from the user's" in text
    assert "anybody who knows a session's id can write as its owner" in text
