"""A hook that hangs ends by itself, and loses no prompt."""

import json
import os
import subprocess
import sys
import time

import pytest

from tests.hosts.test_prompt import unbound
from tests.hosts.test_tool import classes
from tests.support.repo import _SOURCE

CHILD = """
import sys
from git_intent.hosts import alarm, lane
alarm.FIRST, alarm.AGAIN = 0.5, 0.3
{patch}
from git_intent.__main__ import main
sys.exit(main())
"""
STUCK = """
import time
def stuck(*_):
    while True:
        try:
            time.sleep(60)
        except TimeoutError:
            pass
lane._answered = stuck
"""


def begun(chat, event, patch="", **environ):
    words = ("hook", "--host", chat.host, "--event", event)
    return subprocess.Popen(
        [sys.executable, "-c", CHILD.format(patch=patch), *words],
        cwd=chat.repo.path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": _SOURCE, **environ},
    )


def ended(hook, raw):
    """Write without closing, as a host that hangs; what the hook says in the end."""
    hook.stdin.write(raw)
    hook.stdin.flush()
    out, err = hook.stdout.read(), hook.stderr.read().decode()
    assert hook.wait(30) == 0
    hook.stdin.close()
    hook.stdout.close()
    hook.stderr.close()
    return out, err


def test_a_pipe_that_is_never_closed_costs_no_prompt(chat):
    raw = chat.payload("UserPromptSubmit", prompt="words", prompt_id="1")
    out, _ = ended(begun(chat, "UserPromptSubmit"), raw)
    assert json.loads(out)
    chat.ledger.drain()
    assert chat.sources() == [b"words"]


def test_what_came_before_the_pipe_hung_is_a_gap(chat):
    raw = chat.payload("UserPromptSubmit", prompt="words", prompt_id="1")
    ended(begun(chat, "UserPromptSubmit"), raw[:-4])
    chat.ledger.drain()
    assert len(chat.view()["gaps"]) == 1


@pytest.fixture
def hanging_git(tmp_path):
    path = tmp_path / "bin/git"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\nexec sleep 20\n")
    path.chmod(0o755)
    return f"{path.parent}:{os.environ['PATH']}"


def test_a_git_that_hangs_costs_no_prompt(chat, home, hanging_git):
    raw = chat.payload("UserPromptSubmit", prompt="words", prompt_id="1")
    _, err = ended(begun(chat, "UserPromptSubmit", PATH=hanging_git), raw)
    ((header, data),) = unbound(home)
    assert data == b"words"
    assert header["session"] == chat.session
    assert "took too long" in err


def test_l065_a_tool_is_allowed_when_it_cannot_be_told_in_time(chat, hanging_git):
    classes(chat, mutation=["Edit"])
    chat.prompt("one")
    raw = chat.payload("PreToolUse", tool_name="Edit", tool_input={})
    assert b"deny" in begun(chat, "PreToolUse").communicate(raw)[0]
    out, _ = ended(begun(chat, "PreToolUse"), raw)
    assert out == b""
    out, _ = ended(begun(chat, "PreToolUse", PATH=hanging_git), raw)
    assert out == b""


def test_what_never_ends_is_ended_without_a_failure(chat):
    started = time.monotonic()
    hook = begun(chat, "UserPromptSubmit", STUCK)
    assert ended(hook, b"{}") == (b"", "")
    assert time.monotonic() - started < 25
