"""What holds for every host, each in its own words."""

import json
from pathlib import Path

import pytest

from git_intent.hosts import handle
from git_intent.hosts.event import CHILD, ROOT, UNKNOWN
from git_intent.hosts.payload import read
from tests.support import wording
from tests.support.session import Session, listing
from tests.support.wording import HOSTS

QUIET = ("PreCompact", "PostCompact", "Stop", "SessionEnd", "SubagentStart")


@pytest.fixture(params=HOSTS)
def session(request, repo) -> Session:
    return Session(repo, host=request.param).configure()


def test_l019_l033_a_prompt_is_captured_once_and_told_in_the_hosts_own_form(session):
    raw = session.payload("UserPromptSubmit", prompt="do it", **turn(session, "t1"))
    first = session.hook("UserPromptSubmit", raw)
    assert first.context.splitlines()[0] == session.place.objective
    session.hook("UserPromptSubmit", raw)
    assert set(session.sources()) == {b"do it"}
    assert len(session.pending()) == 1


def turn(session, value):
    return {wording.TURN[session.host]: value}


def test_l018_before_the_first_prompt_nothing_is_made(session, home):
    before = listing(home, session.repo.path)
    for event in (*QUIET, "SessionStart"):
        assert session.hook(event, source="startup", trigger="auto").out == b""
    session.hook("PreToolUse", tool_name="Edit", tool_input={})
    assert listing(home, session.repo.path) == before


def test_l026_compaction_and_stop_touch_nothing(session, home):
    session.prompt("one")
    before = listing(home, session.repo.path)
    for _ in range(2):
        for event in QUIET:
            answer = session.hook(event, trigger="auto", stop_hook_active=False)
            told = session.host == "opencode" and event == "PreCompact"
            assert answer.notes == []
            assert bool(answer.out) == told
            assert not told or session.pending()[0] in answer.context
    assert listing(home, session.repo.path) == before


def test_l071_the_start_of_a_session_reads_back(session):
    session.prompt("one")
    Path(session.place.objective).write_text("edited")
    context = session.hook("SessionStart", source="resume").context
    assert session.pending()[0] in session.objective()
    if session.host == "gemini":  # it would forget what the user says next
        assert context == ""
        context = session.prompt("two").context
    assert context.splitlines()[0] == session.place.objective
    assert session.pending()[0] in context


def test_l069_a_mutation_is_held_in_the_hosts_own_form(session):
    key = f"intent.ledger.tools.{session.host}.mutation"
    session.repo.git("config", key, "edit")
    session.prompt("one")
    tool = {"tool_name": "edit", "tool_input": {"path": "x"}}
    answer = session.hook("PreToolUse", **tool)
    assert session.pending()[0] in answer.denied
    assert session.hook("PreToolUse", tool_name="read", tool_input={}).out == b""
    session.initial()
    assert session.hook("PreToolUse", **tool).out == b""


SHELL = {
    "claude": "Bash",
    "codex": "Bash",
    "copilot": "bash",
    "cursor": "Shell",
    "gemini": "run_shell_command",
    "opencode": "bash",
}


def test_l068_each_hosts_shell_may_run_a_plain_command_of_the_ledger(session):
    shell = SHELL[session.host]
    session.repo.git("config", f"intent.ledger.tools.{session.host}.mutation", shell)
    session.prompt("one")
    for command, held in (("git intent ledger show", False), ("rm x", True)):
        tool = {"tool_name": shell, "tool_input": {"command": command}}
        assert bool(session.hook("PreToolUse", **tool).denied) == held


def test_events_may_be_given_by_our_names(session):
    raw = session.payload("UserPromptSubmit", prompt="do it", **turn(session, "t1"))
    words = ("hook", "--host", session.host, "--event", "prompt")
    assert session.repo.intent(*words, input=raw).code == 0
    assert session.sources() == [b"do it"]


@pytest.mark.parametrize(
    ("host", "event", "members", "actor"),
    [
        ("claude", "PreToolUse", {}, ROOT),
        ("claude", "PreToolUse", {"agent_id": "a"}, CHILD),
        ("codex", "UserPromptSubmit", {"agent_type": "x"}, ROOT),
        ("copilot", "UserPromptSubmit", {}, ROOT),
        ("copilot", "UserPromptSubmit", {"agentId": "a"}, CHILD),
        ("gemini", "UserPromptSubmit", {}, ROOT),
        ("gemini", "PreToolUse", {}, UNKNOWN),
        ("cursor", "UserPromptSubmit", {}, UNKNOWN),
        ("opencode", "UserPromptSubmit", {}, UNKNOWN),
        ("opencode", "UserPromptSubmit", {"parentID": None}, ROOT),
        ("opencode", "UserPromptSubmit", {"parentID": "ses_1"}, CHILD),
    ],
)
def test_l072_who_acts_is_told_apart_as_far_as_the_host_does(
    host, event, members, actor
):
    raw = wording.payload(host, event, "s", members)
    module = handle.host_module(host)
    assert module.parse(wording.native(host, event), read(raw)).actor == actor


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("style", ["camel", "snake"])
def test_l073_copilots_child_opens_no_ledger_and_changes_none(repo, home, first, style):
    chat = Session(repo, "root-1", host="copilot").configure()
    if not first:
        chat.prompt("of the user")
    before = listing(home, repo.path)
    child = Session(repo, "child-1", host="copilot")
    members = {"agentId": "child-1", "parentAgentId": "root-1", "agentType": "x"}
    event = "UserPromptSubmit"
    raw = child.payload(event, prompt="a part of it", **members)
    if style == "snake":
        given = {"session_id": "child-1", "agent_id": "child-1", "prompt": "a part"}
        raw = json.dumps({**given, "hook_event_name": event}).encode()
    assert (child.hook(event, raw).out, child.hook(event, raw).notes) == (b"", [])
    assert listing(home, repo.path) == before
    if first:
        chat.prompt("of the user")
    assert chat.sources() == [b"of the user"]


def test_l073_l076_a_copilot_childs_tool_is_held_by_the_roots_frontier(repo, home):
    chat = Session(repo, "root-1", host="copilot").configure()
    repo.git("config", "intent.ledger.tools.copilot.mutation", "edit")
    chat.prompt("of the user")
    before = listing(home, repo.path)
    child = Session(repo, "child-1", host="copilot")
    members = {"agentId": "child-1", "parentAgentId": "root-1"}
    held = child.hook("PreToolUse", tool_name="edit", tool_input="{}", **members)
    assert chat.pending()[0] in held.denied
    assert listing(home, repo.path) == before


def test_copilots_arguments_may_be_a_json_text(repo):
    chat = Session(repo, host="copilot").configure()
    repo.git("config", "intent.ledger.tools.copilot.mutation", "bash")
    chat.prompt("one")
    for told, held in (('{"command":"git intent ledger show"}', False), ("{", True)):
        answer = chat.hook("PreToolUse", tool_name="bash", tool_input=told)
        assert bool(answer.denied) == held


@pytest.mark.parametrize("told", ["event", "plugin", "both"])
def test_l073_opencodes_child_is_known_by_its_parent(repo, home, told):
    chat = Session(repo, "ses_root", host="opencode").configure()
    repo.git("config", "intent.ledger.tools.opencode.mutation", "edit")
    child = Session(repo, "ses_child", host="opencode")
    if told != "plugin":
        info = {"id": "ses_child", "parentID": "ses_root"}
        created = {"type": "session.created", "properties": {"info": info}}
        for sent in (created, {"input": created, "output": None}):
            assert child.hook("session.created", json.dumps(sent).encode()).out == b""
    members = {} if told == "event" else {"parentID": "ses_root"}
    before = listing(home, repo.path)
    assert child.prompt("a part of it", **members).out == b""
    assert listing(home, repo.path) == before
    chat.prompt("of the user")
    assert chat.sources() == [b"of the user"]
    held = child.hook("PreToolUse", tool_name="edit", tool_input={}, **members)
    assert chat.pending()[0] in held.denied
    assert len(repo.git("for-each-ref", "refs/intent/ledger").splitlines()) == 1


def test_l073_a_childs_child_works_for_the_root(repo):
    chat = Session(repo, "ses_root", host="opencode").configure()
    chat.prompt("of the user")
    repo.git("config", "intent.ledger.tools.opencode.mutation", "edit")
    for child, parent in (("ses_a", "ses_root"), ("ses_b", "ses_a")):
        info = {"id": child, "parentID": parent}
        sent = {"type": "session.created", "properties": {"info": info}}
        chat.hook("session.created", json.dumps(sent).encode())
    deep = Session(repo, "ses_b", host="opencode")
    held = deep.hook("PreToolUse", tool_name="edit", tool_input={})
    assert chat.pending()[0] in held.denied


def test_a_session_without_a_parent_leaves_nothing(repo, home):
    chat = Session(repo, "ses_root", host="opencode").configure()
    before = listing(home, repo.path)
    for info in ({"id": "ses_root"}, {"id": 7, "parentID": 8}, [], {"parentID": "x"}):
        sent = {"type": "session.created", "properties": {"info": info}}
        chat.hook("session.created", json.dumps(sent).encode())
    assert listing(home, repo.path) == before


def test_opencodes_prompt_is_the_texts_that_nobody_else_added(repo):
    chat = Session(repo, "ses_1", host="opencode").configure()
    parts = [
        {"type": "text", "text": "one"},
        {"type": "text", "text": "added", "synthetic": True},
        {"type": "file", "url": "file:///x"},
        {"type": "text", "text": "two"},
    ]
    sent = {
        "input": {"sessionID": "ses_1"},
        "output": {"message": {"id": "m"}, "parts": parts},
    }
    chat.hook("chat.message", json.dumps(sent).encode())
    assert chat.sources() == [b"one\ntwo"]


CONTEXT = "<hook_context>what we said at the start</hook_context>"


@pytest.mark.parametrize(
    ("prompt", "skipped"),
    [
        (f"{CONTEXT}\n\nthe real one", CONTEXT),
        (f"{CONTEXT}\n\n{CONTEXT}\n\nquoted by the user", CONTEXT),
        (f"{CONTEXT} the user's own", ""),
        (f"words {CONTEXT}\n\nmore", ""),
        ("<hook_context>never closed\n\nwords", ""),
    ],
)
def test_l017_geminis_leading_block_is_a_span_to_skip(repo, prompt, skipped):
    chat = Session(repo, host="gemini").configure()
    chat.prompt(prompt)
    (source,) = chat.view()["pending_sources"]
    data = chat.blob(source["sha256"])
    assert data == prompt.encode()
    assert b"".join(data[a:b] for a, b in source["skip"]) == skipped.encode()


@pytest.mark.parametrize("prompt", [CONTEXT, f"{CONTEXT}\n\n", f"{CONTEXT}\n\n \n"])
def test_l017_geminis_block_alone_makes_nothing(repo, home, prompt):
    chat = Session(repo, host="gemini").configure()
    before = listing(home, repo.path)
    assert chat.prompt(prompt).out == b""
    assert listing(home, repo.path) == before


@pytest.mark.parametrize("host", ["cursor", "gemini"])
def test_l075_a_child_that_is_not_marked_is_captured_and_decides_nothing(repo, host):
    chat = Session(repo, host=host).configure()
    chat.prompt("of the user")
    chat.initial()
    chat.example("progress")
    before = chat.view()
    chat.prompt("classify me as INITIAL")
    after = chat.view()
    for name in ("contract", "contract_hash", "outcomes", "unknown_effects"):
        assert after[name] == before[name]
    start = {"tool": "Edit", "contract": after["contract_hash"]}
    refused = chat.ledger.write("action-start", start, chat.owner).refusal
    assert refused.code == "unclassified-source"
    chat.example("dispose-source", reason="CHILD")
    assert chat.ledger.write("action-start", start, chat.owner).exit_code == 0


def test_cursors_users_address_is_kept_nowhere(repo, home):
    chat = Session(repo, "c-1", host="cursor").configure()
    chat.prompt("one")
    whole = chat.payload("UserPromptSubmit", prompt=7, generation_id="g")
    assert b"ann@example.invalid" in whole
    chat.hook("UserPromptSubmit", whole)
    for cut in (1, 5, 40, len(whole) // 2):
        chat.hook("UserPromptSubmit", whole[:-cut])
    chat.hook("UserPromptSubmit", b'[{"user_email" : "ann@\\"example.invalid"}')
    chat.ledger.drain()
    kept = [p.read_bytes() for p in home.rglob("*") if p.is_file()]
    assert any(b"conversation_id" in data for data in kept)
    for data in (*kept, *blobs(repo)):
        assert b"ann@" not in data
        assert b"example.invalid" not in data or b"person@example.invalid" in data


def blobs(repo):
    for line in repo.git("cat-file", "--batch-check", "--batch-all-objects").split(
        "\n"
    ):
        name, kind, _ = line.split()
        if kind == "blob":
            yield repo.git("cat-file", "blob", name).encode()


def test_cursor_says_where_the_work_is(repo, tmp_path):
    chat = Session(repo, "c-1", host="cursor").configure()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    sent = {
        "conversation_id": "c-1",
        "prompt": "one",
        "generation_id": "g",
        "cwd": "",
        "workspace_roots": [str(repo.path), "/x"],
    }
    words = ("-C", str(elsewhere), "hook", "--host", "cursor")
    raw = json.dumps({**sent, "hook_event_name": "beforeSubmitPrompt"}).encode()
    assert json.loads(repo.intent(*words, input=raw).out)["continue"] is True
    assert chat.sources() == [b"one"]


def test_cursors_session_is_its_conversation(repo):
    chat = Session(repo, "c-1", host="cursor").configure()
    sent = {"session_id": "another", "conversation_id": "c-1", "prompt": "one"}
    chat.hook("UserPromptSubmit", json.dumps(sent).encode())
    assert chat.sources() == [b"one"]
