"""Before a tool is used."""

import json
import os

import pytest

from git_intent.hosts import lane
from tests.support.session import Session, listing


def classes(chat, **tools):
    for name, listed in tools.items():
        spelt = {"read_only": "readOnly"}.get(name, name)
        for tool in listed:
            key = f"intent.ledger.tools.{chat.host}.{spelt}"
            chat.repo.git("config", "--add", key, tool)


def before(chat, tool, **members):
    return chat.hook("PreToolUse", tool_name=tool, **{"tool_input": {}, **members})


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_l063_l069_a_configured_mutation_is_held_in_the_hosts_own_form(repo, host):
    chat = Session(repo, host=host).configure()
    classes(chat, mutation=["Edit"])
    chat.prompt("one")
    answer = before(chat, "Edit")
    assert set(answer.specific) == {
        "hookEventName",
        "permissionDecision",
        "permissionDecisionReason",
    }
    assert set(json.loads(answer.out)) == {"hookSpecificOutput"}
    (source,) = chat.pending()
    assert source in answer.denied
    line = f"git intent ledger classify-source --host {host} --session s-1"
    assert line in answer.denied
    chat.initial()
    assert before(chat, "Edit").out == b""


def test_l063_a_prompt_counts_while_it_is_only_in_the_inbox(chat):
    classes(chat, mutation=["Edit"])
    chat.prompt("one")
    chat.initial()
    held = chat.ledger.journal.lock.acquire(1)
    try:
        chat.prompt("two")
        assert "HOLD" in before(chat, "Edit").denied
    finally:
        held.release()


def test_l062_l066_what_is_in_no_class_is_never_denied(chat):
    classes(chat, mutation=["Edit"], read_only=["Read"], mixed=["Task"])
    chat.prompt("one")
    for tool in ("mcp__x__write", "Bash", "Task", "Read", "Agent", ""):
        assert before(chat, tool).out == b""


def test_l067_names_are_compared_exactly_and_by_host(chat):
    classes(chat, mutation=["Edit"])
    chat.prompt("one")
    for tool in ("edit", "Edit2", " Edit", "mcp__x__Edit"):
        assert before(chat, tool).out == b""
    other = Session(chat.repo, "s-2", host="codex")
    other.prompt("one")
    assert before(other, "Edit").out == b""


def test_l067_classes_stand_in_the_projects_file_as_well(chat):
    chat.repo.write(
        ".cloche/config.toml", '[intent.ledger.tools.claude]\nmutation = ["Edit"]\n'
    )
    chat.prompt("one")
    assert before(chat, "Edit").denied


ALLOWED = [
    "git intent ledger classify-source --host claude --session s-1 --file doc.json",
    "  git intent ledger show",
    "git intent ledger log 'it''s; quoted | > all'",
    'git intent ledger dispose-source --note "a (b) & c"',
]
HELD = [
    "git intent ledger show; rm x",
    "git intent ledger show && rm x",
    "git intent ledger show | tee x",
    "git intent ledger show > x",
    "git intent ledger show < x",
    "git intent ledger show\nrm x",
    "git intent ledger show `rm x`",
    "git intent ledger show $(rm x)",
    'git intent ledger show "$(rm x)"',
    "git intent ledger show $HOME",
    "A=b git intent ledger show",
    "git intent ledger show &",
    "git intent ledger action-start --file x",
    "git intent ledger action-'start'",
    "git intent ledger 'unclosed",
    "git intent ledger show \\\nx",
    "git intent scan",
    "git intent ledger",
    "git  commit -m ledger",
    "/tmp/git intent ledger show",
    "",
    "ls",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_l068_a_shell_may_run_one_plain_command_of_the_ledger(chat, command):
    classes(chat, mutation=["Bash"])
    chat.prompt("one")
    assert before(chat, "Bash", tool_input={"command": command}).out == b""


def test_l068_any_other_command_is_held(chat):
    classes(chat, mutation=["Bash", "Edit"])
    chat.prompt("one")
    for command in HELD:
        assert before(chat, "Bash", tool_input={"command": command}).denied, command
    assert before(chat, "Bash", tool_input=[ALLOWED[0]]).denied
    assert before(chat, "Edit", tool_input={"command": ALLOWED[0]}).denied


_PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\nEOF"


@pytest.mark.parametrize(
    ("command", "held"),
    [
        (_PATCH, True),
        (f"  cd sub && {_PATCH}", True),
        ("echo apply_patch", False),
        ("cat <<'EOF'\napply_patch\nEOF", False),
        (None, False),
    ],
)
def test_l063_a_patch_in_the_shell_of_codex_is_held_as_one(repo, command, held):
    chat = Session(repo, host="codex").configure()
    classes(chat, mutation=["apply_patch"])
    chat.prompt("one")
    answer = before(chat, "Bash", tool_input={"command": command})
    assert bool(answer.denied) == held
    words = ("ledger", "preflight", "--host", "codex", "--session", "s-1")
    asked = repo.intent(*words, "--tool", "Bash", "--command", command or "true")
    assert json.loads(asked.out)["decision"] == ("HOLD" if held else "OUTSIDE_CONTROL")


def test_l065_a_journal_that_cannot_be_trusted_holds_mutations_alone(chat):
    classes(chat, mutation=["Edit"], read_only=["Read"])
    chat.prompt("one")
    chat.settle()
    chat.repo.git("update-ref", "-d", chat.place.ref)
    assert "cannot be trusted" in before(chat, "Edit").denied
    assert before(chat, "Read").out == b""
    assert before(chat, "Bash").out == b""


def test_l070_preflight_writes_nothing(chat, home):
    classes(chat, mutation=["Edit"], read_only=["Read"])
    chat.prompt("one")
    found = listing(home, chat.repo.path)
    assert before(chat, "Edit").denied
    assert not before(chat, "Read").denied
    assert listing(home, chat.repo.path) == found


def test_without_a_ledger_a_mutation_is_allowed(chat, repo):
    classes(chat, mutation=["Edit"])
    assert before(chat, "Edit").out == b""
    other = Session(repo, session=None)
    assert before(other, "Edit").out == b""


def test_l069_our_own_fault_denies_nothing(chat, monkeypatch, capfd):
    classes(chat, mutation=["Edit"])
    chat.prompt("one")

    def broken(*_):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(lane, "handle", broken)
    monkeypatch.setattr(lane, "_input", lambda: b"{}")
    monkeypatch.chdir(chat.repo.path)
    assert lane.run(["--host", "claude", "--event", "PreToolUse"], os.environ) == 0
    said = capfd.readouterr()
    assert said.out == ""
    assert "our own fault: ZeroDivisionError: ours" in said.err


def test_l076_a_subagents_tool_is_held_by_the_roots_frontier(chat, home):
    classes(chat, mutation=["Edit"])
    chat.prompt("one")
    found = listing(home, chat.repo.path)
    answer = before(chat, "Edit", agent_id="a-1", agent_type="x")
    assert chat.pending()[0] in answer.denied
    assert listing(home, chat.repo.path) == found
