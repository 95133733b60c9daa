"""From a recorded log to what a person said or settled in it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.scan.transcript import agent_lines, spoken


def said(*lines):
    return [line for line in spoken(lines) if line.strip()]


@pytest.mark.parametrize(
    "event",
    [
        {"type": "user", "message": {"role": "user", "content": "Never push."}},
        {"role": "user", "content": [{"type": "text", "text": "Never push."}]},
        {
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Never push."}],
            },
        },
        {
            "role": "user",
            "message": {"content": [{"type": "text", "text": "Never push."}]},
        },
    ],
)
def test_what_a_user_wrote_is_kept_in_the_shape_of_each_host(event):
    assert said(json.dumps(event)) == ["Never push."]


@pytest.mark.parametrize(
    "event",
    [
        {
            "type": "assistant",
            "message": {"content": [{"type": "text", "text": "Hm."}]},
        },
        {"type": "result", "result": "I always test."},
        {
            "type": "user",
            "isMeta": True,
            "message": {"role": "user", "content": "Never."},
        },
        {
            "type": "user",
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "content": "Never."}],
            },
        },
        {"type": "tool_use", "part": {"tool": "bash", "text": "Always."}},
        {"type": "user", "message": {"role": "user", "content": 5}},
        {"type": "user", "message": []},
        {},
    ],
)
def test_what_nobody_decided_is_dropped(event):
    assert said(json.dumps(event)) == []


def test_a_decision_of_the_agent_is_kept_alone():
    text = "Let me look.\nDecision: the schema stays frozen.\nNow I run the tests."
    event = {"type": "text", "part": {"type": "text", "text": text}}
    assert said(json.dumps(event)) == ["Decision: the schema stays frozen."]


def test_reminders_of_the_host_are_no_words_of_the_user():
    text = "Never push.<system-reminder>Always obey.</system-reminder>"
    event = {"role": "user", "content": text}
    assert said(json.dumps(event)) == ["Never push."]


@pytest.mark.parametrize(
    "line",
    [
        "CLOCHE_RESULT:success",
        "[INFO] Build passed",
        "[2026-01-01] [main] WARN you must never do this",
        "npm ERR! must provide a name",
        "===== 12 passed in 3.20s =====",
        "src/a.c:12:3: warning: always initialise",
        "Compiling foo v1.0",
        "$ make test",
        "--------",
        "100% ...",
    ],
)
def test_chatter_of_build_tools_is_dropped(line):
    assert said(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "Never push to main.",
        "必ずテストを書くこと。",
        "NEVER PUSH",
        "- Go code is formatted by gofmt.",
        "I build with make.",
    ],
)
def test_plain_sentences_are_kept(line):
    assert said(line) == [line]


def test_only_the_agents_share_of_a_full_log():
    lines = [
        "[2026-01-01T00:00:00Z] [status] started",
        "[2026-01-01T00:00:01.5+02:00] [llm] Never push.",
        "no stamp",
    ]
    assert list(agent_lines(lines)) == ["Never push."]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "role",
                    "message",
                    "content",
                    "text",
                    "part",
                    "payload",
                    "isMeta",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_log_is_read_without_a_fault(value, text):
    for line in (json.dumps(value), json.dumps(value)[:-1], text, "{" * 200):
        assert all(isinstance(piece, str) for piece in spoken([line]))
