"""From the transcripts of each host to what was said."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.hosts.transcripts import opencode as opencode_reader
from git_intent.hosts.transcripts import stream
from git_intent.hosts.transcripts.read import HOSTS, recognised, said_in
from git_intent.hosts.transcripts.stream import Problems, opened, records
from git_intent.hosts.transcripts.turn import Role, lines, turns
from git_intent.hosts.transcripts.words import without_wrappers
from git_intent.ledger.context import ABOUT, END
from git_intent.scan.transcript import spoken
from git_intent.store.marks import HEADING, PREAMBLE
from tests.support import transcripts as made

TOKEN = "ghp_" + "k3J9xQ2mV7bT5nR8wL4cZ6yH1dF0sG" + "aP3eUq"
BLOCK = f"{HEADING}\n\n{PREAMBLE}\n\n- [req-0001] (project) Always obey the block.\n"


def said(host, *found, tail=b""):
    data = b"".join(json.dumps(record).encode() + b"\n" for record in found)
    result = said_in(host, io.BytesIO(data + tail))
    return [(turn.role.value, turn.text) for turn in result.turns]


def you(*texts):
    return [("user", text) for text in texts]


# Claude Code


def test_claude_prompts_and_decisions():
    answer = [
        {"type": "thinking", "thinking": "decided: nothing"},
        {"type": "text", "text": "Let me look.\nDecision: UTC everywhere.\nNow go."},
        {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "x"}},
    ]
    assert said(
        "claude",
        {"type": "summary", "summary": "A policy", "leafUuid": "x"},
        made.claude("user", "Never push.", number=1),
        made.claude("assistant", answer, number=2),
        made.claude("user", [{"type": "text", "text": "Go on."}], number=3),
    ) == [
        ("user", "Never push."),
        ("assistant", "Decision: UTC everywhere."),
        ("user", "Go on."),
    ]


@pytest.mark.parametrize(
    "record",
    [
        made.claude("user", [{"type": "tool_result", "content": "Never."}]),
        made.claude("user", "Never.", toolUseResult={"stdout": "Never."}),
        made.claude("user", "Never.", isMeta=True),
        made.claude("user", "Never.", isSidechain=True),
        made.claude("user", "Never.", isCompactSummary=True),
        made.claude("assistant", "Error: our policy", isApiErrorMessage=True),
        made.claude("user", "<command-name>/x</command-name> Never."),
        made.claude("user", "<local-command-stdout>Never.</local-command-stdout>"),
        made.claude("user", "<task-notification>x</task-notification>\nNever."),
        made.claude("user", "<system-reminder>Never.</system-reminder>"),
        made.claude("user", "<system-reminder>Never, and it breaks off"),
        made.claude("user", "[Request interrupted by user for tool use]"),
        made.claude("system", "Never."),
        made.claude("attachment", "Never."),
        {"type": "user", "message": "Never."},
        {"type": "user"},
        {"type": ["user"], "message": {"content": "Never."}},
    ],
)
def test_claude_records_that_nobody_wrote(record):
    assert said("claude", record) == []


def test_a_reminder_is_taken_out_of_a_prompt_and_the_rest_stays():
    text = "<system-reminder>Obey.</system-reminder>\nNever <b>push</b>."
    assert said("claude", made.claude("user", text)) == you("Never <b>push</b>.")


def test_a_record_that_stands_twice_counts_once_and_the_later_one():
    one = made.claude("user", "First.", number=1)
    two = made.claude("user", "Second.", number=2)
    again = made.claude("user", "First, in full.", number=1)
    assert said("claude", one, two, again) == you("First, in full.", "Second.")


# Codex

HOOK = {"kind": "unknown", "provenance": {"type": "harness", "hook": True}}


def test_codex_prompts_are_what_is_marked_as_the_users():
    assert said(
        "codex",
        made.codex_meta(),
        made.codex("developer", "Never.", kinds=["hooks.additional_context"]),
        made.codex("user", "<environment_context>", kinds=["environments.x"]),
        made.codex("user", "Read.", "Never push.", kinds=["skills.x", "user.text"]),
        made.codex("user", "By an object.", kinds=[{"kind": "user.text"}]),
        made.codex("user", "Summary: never.", kinds=["compaction.summary"]),
        made.codex("user", "Never stop.", kinds=[HOOK]),
        made.codex("user", "<b> stays", kinds=["user.text"]),
        made.codex("assistant", "We decided on UTC."),
        {"type": "event_msg", "payload": {"type": "user_message", "message": "No."}},
        {"type": "compacted", "payload": {"message": "Never.", "replacement": []}},
        {"type": "response_item", "payload": {"type": "function_call_output"}},
    ) == [
        *you("Never push.", "By an object.", "<b> stays"),
        ("assistant", "We decided on UTC."),
    ]


def test_codex_rollouts_without_marks_are_told_by_how_a_text_begins():
    assert said(
        "codex",
        made.codex_meta(),
        made.codex("user", "<environment_context>x</environment_context>"),
        made.codex("user", "<hook_prompt hook_run_id='1'>Never.</hook_prompt>"),
        made.codex("user", "<subagent_notification>Never.</subagent_notification>"),
        made.codex("user", "# AGENTS.md instructions for /p\n\nNever."),
        made.codex("user", "Never push."),
    ) == you("Never push.")


@pytest.mark.parametrize(
    "mark",
    [
        {"thread_source": "subagent"},
        {"source": {"subagent": {"thread_spawn": {"depth": 1}}}},
    ],
)
def test_a_thread_of_a_codex_subagent_says_nothing(mark):
    task = made.codex("user", "Never push.", kinds=["user.text"])
    assert said("codex", made.codex_meta(**mark), task) == []


def test_only_the_first_meta_of_a_fork_counts():
    parent = made.codex_meta(id="t0", thread_source="subagent")
    prompt = made.codex("user", "Never push.", kinds=["user.text"])
    assert said("codex", made.codex_meta(), parent, prompt) == you("Never push.")


# Gemini CLI


def test_gemini_messages_grow_and_the_last_word_counts():
    hook = "<hook_context>Always obey.</hook_context>"
    assert said(
        "gemini",
        made.gemini_meta(),
        made.gemini("user", [{"text": "<session_context>x</session_context>"}], "m0"),
        made.gemini("user", [{"text": f"{hook}\n\nNever push."}, {"text": hook}], "m1"),
        made.gemini("gemini", "", "m2"),
        {"$set": {"lastUpdated": made.at(2)}},
        made.gemini("gemini", "Agreed: UTC.", "m2", toolCalls=[{"result": "Never."}]),
        made.gemini("user", [{"functionResponse": {"response": "Never."}}], "m3"),
        made.gemini(
            "user", [{"text": "@a.md and its text"}], "m4", displayContent="@a.md"
        ),
        made.gemini("info", "Never.", "m5"),
        made.gemini("user", "System: Potential loop detected. Never repeat.", "m6"),
    ) == [
        ("user", "Never push."),
        ("assistant", "Agreed: UTC."),
        ("user", "@a.md"),
    ]


def test_gemini_messages_of_a_patch_do_not_take_back_what_was_said():
    summary = made.gemini("user", "<state_snapshot>Never.</state_snapshot>", "m2")
    typed = made.gemini("user", "Then.", "m3")
    assert said(
        "gemini",
        made.gemini_meta(),
        made.gemini("user", "First.", "m1"),
        {"$set": {"messages": [summary, typed, "x", {"type": "user"}]}},
    ) == you("First.", "Then.")


def test_gemini_rewound_messages_are_gone():
    assert said(
        "gemini",
        made.gemini_meta(),
        made.gemini("user", "First.", "m1"),
        made.gemini("user", "Second.", "m2"),
        {"$rewindTo": "m2"},
        made.gemini("user", "Third.", "m3"),
    ) == you("First.", "Third.")


def test_a_chat_of_a_gemini_subagent_says_nothing():
    task = made.gemini("user", "Never push.", "m1")
    assert said("gemini", made.gemini_meta(kind="subagent"), task) == []


# Copilot CLI


def test_copilot_prompts_are_raw_and_those_of_agents_are_left_out():
    reminder = "<system_reminder>Obey.</system_reminder>"
    assert said(
        "copilot",
        made.copilot_start(),
        made.copilot("user", f"Never push.\n{reminder}", "e1"),
        made.copilot("user", "Never, as a task.", "e2", agentId="a1"),
        made.copilot("assistant", "Decided: UTC.", "e3"),
        made.copilot("assistant", "Decided: nothing.", "e4", agentId="a1"),
        {"type": "tool.execution_complete", "data": {"content": "Never."}},
        {"type": "hook.end", "data": {"output": {"additionalContext": "Never."}}},
        {"type": "user.message", "data": {"content": "x", "source": "skill-pdf"}},
    ) == [("user", "Never push."), ("assistant", "Decided: UTC.")]


# Cursor


def test_cursor_prompts_stand_in_a_query():
    assert said(
        "cursor",
        made.cursor("user", "<info>x</info><user_query>\nUse <b>.\n</user_query>"),
        made.cursor("user", "<user_query><a> is never nested</user_query>"),
        made.cursor("user", "<system_notification>Never.</system_notification>"),
        made.cursor("user", "An older one."),
        made.cursor("assistant", "As a rule: UTC."),
        {"role": "tool", "message": {"content": "Never."}},
        {"type": "turn_ended"},
    ) == [
        *you("Use <b>.", "<a> is never nested", "An older one."),
        ("assistant", "As a rule: UTC."),
    ]


# OpenCode


def test_opencode_prompts_of_the_root_without_synthetic_parts(home):
    path = made.opencode(
        home,
        [("s1", None, "/p"), ("s2", "s1", "/p")],
        [
            ("s1", "user", ['"Never push."']),
            ("s1", "user", ['Say "no" to "it"']),
            ("s1", "assistant", ["Fine.", {"type": "tool", "text": "Decided"}]),
            ("s1", "assistant", ["Agreed: UTC."]),
            ("s1", "user", [{"type": "text", "text": "Go on?", "synthetic": True}]),
            ("s2", "user", ["Never, as a task."]),
        ],
    )
    before = path.read_bytes()
    found = turns(opencode_reader.messages(str(path), "s1"), ())
    assert [(turn.role.value, turn.text) for turn in found] == [
        *you("Never push.", 'Say "no" to "it"'),
        ("assistant", "Agreed: UTC."),
    ]
    assert found[0].at == "2026-09-01T10:00:01.000Z"
    assert list(opencode_reader.messages(str(path), "s2")) == []
    assert path.read_bytes() == before


# Of all hosts


@pytest.mark.parametrize(
    "text",
    [
        f"{BLOCK}\nNever push.",
        "".join(f"> {line}\n" for line in BLOCK.splitlines()) + "\nNever push.",
        f"objective.txt\n{ABOUT}chat 1b2c\nAlways obey.\n{END}\nNever push.",
    ],
)
def test_n063_our_own_text_is_no_part_of_a_prompt(text):
    ((role, left),) = said("claude", made.claude("user", text))
    assert (role, left.strip("> \n")) == ("user", "Never push.")
    ours = text.removesuffix("Never push.")
    assert said("claude", made.claude("user", ours)) == []


def test_hook_context_is_taken_away_once_and_at_the_beginning_alone():
    one = "<hook_context>a</hook_context>"
    assert without_wrappers(f"{one}\n\n{one} is ours") == f"{one} is ours"
    assert without_wrappers(f"Say {one}") == f"Say {one}"
    assert without_wrappers("<hook_context>never closed") == ""


def test_many_reminders_that_are_not_closed_take_no_time():
    assert without_wrappers("a" + "<system-reminder>" * 100_000) == "a"


def test_a_last_line_that_breaks_off_is_skipped_and_named():
    whole = json.dumps(made.claude("user", "Never push.")).encode()
    for tail in (whole[:40], b'{"type": "us', b"{", b'{"a": "\xc3'):
        found = said_in("claude", io.BytesIO(whole + b"\n" + tail))
        assert len(found.turns) == 1
        assert found.problems == ("its last line breaks off, skipped",)


def test_a_whole_last_line_needs_no_line_end():
    whole = json.dumps(made.claude("user", "Never push.")).encode()
    assert said_in("claude", io.BytesIO(whole)).problems == ()


def test_broken_and_monstrous_lines_are_skipped_and_named(monkeypatch):
    monkeypatch.setattr(stream, "LONGEST", 1000)
    good = json.dumps(made.claude("user", "Never push.")).encode() + b"\n"
    bad = [b"not JSON\n", b"[1]\n", b"x" * 5000 + b"\n", b"[" * 900 + b"\n"]
    found = said_in("claude", io.BytesIO(b"".join([*bad, b"\n", good])))
    assert [turn.text for turn in found.turns] == ["Never push."]
    assert found.problems == ("line 1 and 3 more cannot be read, skipped",)


def test_what_is_no_file_is_not_waited_for(tmp_path):
    import os

    os.mkfifo(tmp_path / "x")
    with pytest.raises(OSError, match="no regular file"):
        opened(str(tmp_path / "x"))


def test_a_host_is_recognised_by_what_its_transcript_holds():
    heads = {
        "claude": [{"type": "summary"}, made.claude("user", "x")],
        "codex": [made.codex_meta()],
        "gemini": [made.gemini_meta()],
        "copilot": [made.copilot_start()],
        "cursor": [made.cursor("user", "x")],
        "": [
            {"type": "user", "message": {"role": "user", "content": "x"}},
            {"role": "user", "text": "x", "at": "", "id": ""},
            {"type": "assistant", "session_id": "1", "message": {}},
        ],
    }
    for host, found in heads.items():
        head = "".join(json.dumps(record) + "\n" for record in found).encode()
        assert recognised(head) == host
    assert recognised(b"plain words\n\0\xff") == ""


def test_the_recorded_form_is_read_by_a_scan_as_it_was_said():
    odd = "Never push.\u2028Never \x85 split\nas a line. \ud800"
    user, agent = made.claude("user", odd), made.claude("assistant", "We agreed.")
    data = json.dumps(user) + "\n" + json.dumps({**agent, "uuid": "u9"})
    found = said_in("claude", io.BytesIO(data.encode()))
    kept = b"".join(lines(found.turns)).decode()
    pieces = [piece for piece in spoken(kept.splitlines()) if piece]
    assert pieces == [found.turns[0].text, "We agreed."]
    assert found.turns[0].text == odd.replace("\ud800", "?")


def test_secrets_are_taken_out_of_what_is_recorded():
    found = said_in(
        "claude",
        io.BytesIO(
            json.dumps(made.claude("user", f"Use {TOKEN}\nto log in.")).encode()
        ),
    )
    (line,) = lines(found.turns)
    assert json.loads(line)["text"] == "Use [secret removed]\nto log in."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type role message content text payload data id uuid $set $rewindTo "
                "messages user displayContent timestamp kind source".split()
            ),
            inner | st.sampled_from(["user", "assistant", "message", "gemini"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.lists(JSON, max_size=4), st.sampled_from([h for h in HOSTS if h != "opencode"])
)
@settings(max_examples=150, deadline=None)
def test_any_transcript_is_read_without_a_fault(values, host):
    data = "\n".join(json.dumps(value) for value in values).encode("utf-8", "replace")
    for cut in (data, data[:-1]):
        for turn in said_in(host, io.BytesIO(cut)).turns:
            assert isinstance(turn.role, Role)
            assert turn.text
    assert recognised(data) in ("", *HOSTS)


def test_one_line_is_in_memory_at_a_time():
    class Endless(io.RawIOBase):
        """A stream that would not fit, and counts what was asked for."""

        left = 3000

        def readline(self, size=-1):
            self.left -= 1
            return (
                json.dumps(made.claude("user", "x" * 9)).encode() + b"\n"
                if self.left
                else b""
            )

    found = records(Endless(), Problems())
    next(found)
    assert Endless.left == 3000
    assert sum(1 for _ in found) == 2998
