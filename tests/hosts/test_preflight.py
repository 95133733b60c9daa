"""`git intent ledger preflight`, as a command."""

import json
import os

import pytest

from git_intent.hosts import preflight_lane
from tests.hosts.test_tool import classes
from tests.support.session import listing


@pytest.fixture(autouse=True)
def inside(repo, monkeypatch):
    monkeypatch.chdir(repo.path)


def ask(chat, *words, tool="Edit"):
    who = ("--host", chat.host, "--session", chat.session)
    call = preflight_lane.parse([*who, "--tool", tool, *words])
    document, code, _ = preflight_lane.decided(call, os.environ)
    return code, document


@pytest.fixture
def held(chat):
    classes(chat, mutation=["Edit"], read_only=["Read"], mixed=["Task"])
    chat.prompt("one")
    return chat


def test_l063_held_until_the_prompt_is_settled(held, home):
    before = listing(home, held.repo.path)
    code, told = ask(held)
    assert (code, told["decision"]) == (1, "HOLD")
    assert told["ids"] == held.pending()
    line = "git intent ledger classify-source --host claude --session s-1"
    assert line in told["commands"]
    assert listing(home, held.repo.path) == before
    held.initial()
    code, told = ask(held)
    assert (code, told["decision"], told["reasons"]) == (0, "ALLOW", [])


def test_l066_mixed_and_unknown_tools_are_outside(held):
    for tool in ("Task", "Bash", "mcp__x__y", "edit"):
        code, told = ask(held, tool=tool)
        assert (code, told["decision"]) == (0, "OUTSIDE_CONTROL")


def start(chat):
    contract = chat.view()["contract_hash"]
    return chat.write("action-start", {"tool": "Edit", "contract": contract})["action"]


def finish(chat, action, result, effect):
    chat.write(
        "action-finish",
        {
            "action": action,
            "result": result,
            "effect": effect,
            "evidence": [{"text": "seen"}],
        },
    )


def test_l064_l065_only_what_is_named_holds(held):
    held.initial()
    action, other = start(held), start(held)
    assert ask(held)[0] == 0
    code, told = ask(held, "--depends", action)
    assert (code, told["ids"]) == (1, [action])
    code, told = ask(held, "--depends", action, tool="Read")
    assert (code, told["decision"], told["ids"]) == (0, "ALLOW", [action])
    finish(held, action, "UNKNOWN_EFFECT", "UNKNOWN")
    assert ask(held, "--depends", action)[0] == 1
    held.write(
        "reconcile-effect",
        {"action": action, "effect": "APPLIED", "evidence": [{"text": "looked"}]},
    )
    assert ask(held, "--depends", action)[0] == 0
    finish(held, other, "SUCCEEDED", "APPLIED")
    assert ask(held, "--depends", other)[0] == 0


@pytest.mark.parametrize("tool", ["Edit", "Read", "Bash"])
def test_l064_an_id_that_nobody_knows_is_an_error(held, tool):
    for wanted in ("act-99", "src-0000", "nonsense"):
        code, told = ask(held, "--depends", wanted, tool=tool)
        assert code == 1
        assert told["refusal"]["code"] == "unknown-id"
        assert "decision" not in told


def test_l065_reading_is_allowed_whatever_is_wrong(held):
    assert ask(held, tool="Read")[1]["decision"] == "ALLOW"
    held.repo.git("update-ref", "-d", held.place.ref)
    code, told = ask(held, tool="Read")
    assert (code, told["decision"]) == (0, "ALLOW")
    code, told = ask(held)
    assert (code, told["decision"]) == (1, "HOLD")
    assert "cannot be trusted" in told["reasons"][0]


def test_l054_preflight_of_reading_is_not_held_while_a_writer_works(held):
    lock = held.ledger.journal.lock.acquire(1)
    try:
        assert ask(held, tool="Read")[0] == 0
        assert ask(held)[0] == 1
    finally:
        lock.release()


def test_a_chat_can_be_named_in_the_place_of_a_session(held):
    held.repo.git("config", "intent.namespace", "another")
    words = ("--namespace", "team", "--chat", "s-1", "--host", "claude")
    done = held.repo.intent("ledger", "preflight", *words, "--tool", "Edit")
    assert done.code == 1
    assert json.loads(done.out)["decision"] == "HOLD"


def test_without_a_ledger_everything_is_allowed(chat):
    classes(chat, mutation=["Edit"])
    assert ask(chat) == (0, {**ask(chat)[1], "decision": "ALLOW"})
    chat.repo.git("config", "--unset", "intent.namespace")
    assert ask(chat)[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--host", "claude", "--tool", "Edit"],
        ["--host", "claude", "--session", "s", "--tool"],
        ["--host", "claude", "--session", "s", "--chat", "c", "--tool", "Edit"],
        ["--host", "claude", "--session", "s", "--tool", "Edit", "--what", "x"],
        ["--host", "claude", "--host", "codex", "--session", "s", "--tool", "Edit"],
        ["--host", "claude", "--namespace", "n", "--tool", "Edit"],
        ["--help"],
    ],
)
def test_an_unusual_command_line_is_left_to_the_command(words):
    assert preflight_lane.parse(words) is None
