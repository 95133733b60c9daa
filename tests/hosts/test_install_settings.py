"""Hooks in JSON files of any form: put in, found again, taken out byte for byte."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.hosts.install import settings_file
from git_intent.hosts.install.agent_host import HOSTS

WITH_FILE = [host for host in HOSTS.values() if host.hooks]
FORMS = ("claude", "gemini", "cursor")
EVENTS = {"claude": "UserPromptSubmit", "gemini": "BeforeAgent", "cursor": "stop"}


def put(data, host, *, preflight=True):
    natives = list(host.events(preflight=preflight))
    return settings_file.written(data, host, natives, "f.json")


def take(data, host):
    return settings_file.removed(data, host, "f.json")


# Files of any form

BLANKS = st.text(" \t\n", max_size=3)
WORDS = st.text(st.sampled_from('ab"\\{}[],:/*# \u00e9\U0001f40d\u2028'), max_size=6)
SCALARS = st.none() | st.booleans() | st.integers() | WORDS
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def rendered(draw, value, comments):
    """A value as JSON with blanks, and comments where they may stand, anywhere."""

    def gap():
        found = draw(BLANKS)
        if comments and draw(st.booleans()):
            found += draw(st.sampled_from(['// x, "y" {\n', "/* ]} */", "/**/"]))
        return found

    def text(value):
        if isinstance(value, dict):
            items = [
                f"{gap()}{json.dumps(k)}{gap()}:{gap()}{text(v)}{gap()}"
                for k, v in value.items()
            ]
            return "{" + (",".join(items) or gap()) + "}"
        if isinstance(value, list):
            items = [f"{gap()}{text(v)}{gap()}" for v in value]
            return "[" + (",".join(items) or gap()) + "]"
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    found = f"{gap()}{text(value)}{gap()}"
    return found.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@st.composite
def files(draw):
    """A host, the content of its file without hooks of ours, and the file's bytes."""
    host = HOSTS[draw(st.sampled_from(FORMS))]
    content = draw(st.dictionaries(WORDS, VALUES, max_size=3))
    handler = {"type": "command", "command": "other --host claude"}
    entry = {"hooks": [handler], "matcher": "*"} if host.nested else handler
    lists = st.lists(st.just(entry), max_size=2)
    hooks = st.dictionaries(
        st.sampled_from([EVENTS[host.name], "SessionStart", "sessionStart", "Else"]),
        lists,
        max_size=3,
    )
    if draw(st.booleans()):
        content["hooks"] = draw(hooks)
        if draw(st.booleans()):  # not always the last one
            content = {"hooks": content.pop("hooks"), **content}
    text = draw(rendered(content, host.comments))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return host, content, (mark + text).encode()


def bare(data, host):
    """The content, as the host sees it."""
    text = data.decode("utf-8-sig")
    if host.comments:
        string = r'"(?:\\.|[^"\\])*"'
        text = re.sub(
            rf"({string})|//[^\n]*|/\*.*?\*/", lambda m: m[1] or "", text, flags=re.S
        )
    return json.loads(text, strict=False)


@settings(max_examples=80, deadline=None)
@given(files())
def test_n179_what_is_put_in_comes_out_byte_for_byte(case):
    host, content, data = case
    installed = put(data, host)
    found = bare(installed, host)
    for native in host.events(preflight=True):
        before = content.get("hooks", {}).get(native, [])
        assert found["hooks"][native] == [*before, host.entry(native)]
    rest = {key: value for key, value in found.items() if key != "hooks"}
    assert rest == {key: value for key, value in content.items() if key != "hooks"}
    assert put(installed, host) == installed
    assert take(installed, host) == data
    assert take(data, host) == data


@settings(max_examples=30, deadline=None)
@given(files())
def test_a_hook_more_later_comes_out_as_well(case):
    host, _, data = case
    once = put(data, host, preflight=False)
    assert take(put(once, host), host) == data


@pytest.mark.parametrize("host", WITH_FILE, ids=lambda host: host.name)
def test_a_file_that_was_not_there_goes_again(host):
    data = put(None, host)
    assert list(json.loads(data)["hooks"]) == list(host.events(preflight=True))
    assert put(data, host) == data
    assert take(data, host) is None


@pytest.mark.parametrize("host", WITH_FILE, ids=lambda host: host.name)
@pytest.mark.parametrize(
    "data",
    [b"{}", b"{ }\n", b'{"version": 1}', b'{\n  "version": 1\n}\n', b'{"hooks":{}}'],
)
def test_a_file_that_was_nearly_empty_stays(host, data):
    assert take(put(data, host), host) == data


@pytest.mark.parametrize("host", WITH_FILE, ids=lambda host: host.name)
def test_what_the_user_added_since_stays(host):
    value = json.loads(put(None, host))
    first, *_ = value["hooks"]
    theirs = dict(host.entry(first))
    theirs = json.loads(json.dumps(theirs).replace("git-intent hook", "mine"))
    value["hooks"][first].insert(0, theirs)
    value["more"] = 1
    left = json.loads(take(json.dumps(value, indent=4).encode(), host))
    assert left["hooks"] == {first: [theirs]}
    assert left["more"] == 1


def test_a_group_that_holds_others_loses_only_ours():
    ours = HOSTS["claude"].entry("UserPromptSubmit")["hooks"]
    theirs = {"type": "command", "command": "say"}
    group = {"matcher": "x", "hooks": [theirs, *ours, theirs]}
    data = json.dumps({"hooks": {"UserPromptSubmit": [group]}}).encode()
    assert put(data, HOSTS["claude"]).count(b"--event UserPromptSubmit") == 1
    left = json.loads(take(data, HOSTS["claude"]))
    assert left["hooks"]["UserPromptSubmit"] == [
        {"matcher": "x", "hooks": [theirs, theirs]}
    ]


@pytest.mark.parametrize(
    "command",
    [
        "git-intent hook --host claude --event UserPromptSubmit",
        "git intent hook --host=claude --event UserPromptSubmit",
        "/opt/bin/git-intent hook --event UserPromptSubmit --host claude",
    ],
)
def test_a_hook_that_was_put_in_by_hand_is_ours_too(command):
    group = {"hooks": [{"type": "command", "command": command}]}
    data = json.dumps({"hooks": {"UserPromptSubmit": [group]}}).encode()
    host = HOSTS["claude"]
    assert settings_file.registered(data, host, "f") == ["UserPromptSubmit"]
    assert len(json.loads(put(data, host))["hooks"]["UserPromptSubmit"]) == 1


@pytest.mark.parametrize(
    "command",
    [
        "git-intent hook --host codex --event UserPromptSubmit",
        "git-intent hook --host claude-like --event UserPromptSubmit".replace(
            "-like", "x"
        ),
        "echo git-intent hook --host claude",
        "git-intent check",
    ],
)
def test_another_command_is_not_ours(command):
    group = {"hooks": [{"type": "command", "command": command}]}
    data = json.dumps({"hooks": {"UserPromptSubmit": [group]}}).encode()
    host = HOSTS["claude"]
    assert settings_file.registered(data, host, "f") == []
    assert take(data, host) == data


# Files that cannot be written into

BROKEN = {
    b"": "1:1: not JSON: expected a value",
    b"{": "1:2: not JSON: expected a key in quotes",
    b'{"a": 1,}': "1:9: not JSON: expected a key in quotes",
    b'{"a": [1,]}': "1:10: not JSON: expected a value",
    b'{"a": 1\n "b": 2}': "2:2: not JSON: expected `,` or `}`",
    b'{"a" 1}': "1:6: not JSON: expected `:`",
    b'{"a": "x\n"}': "1:9: not JSON: Invalid control character at",
    b'{"a": NaN}': "1:7: not JSON: expected a value",
    b'{"a": 01}': "1:8: not JSON: expected `,` or `}`",
    b"{} {}": "1:4: not JSON: expected the end of the file",
    b'{"a": 1, "a": 2}': "1:10: not JSON: 'a' stands here twice",
    b'{\n// no\n"a": 1}': "2:1: not JSON: this host takes no comments",
    b'{\n"a": "\xff"}': "2:7: not UTF-8",
    b"[]": "1:1: expected an object",
    b'{"hooks": []}': "1:11: expected hooks to be an object",
    b'{"hooks": {"Stop": {}}}': "1:20: expected hooks.Stop to be a list",
    b"[" * 5000: "1:101: not JSON: more than 100 levels deep",
    b'{"a": "' + b"x" * 10: "1:7: not JSON: Unterminated string starting at",
}


@pytest.mark.parametrize("data", BROKEN)
def test_a_file_that_is_broken_is_named_with_the_place(data):
    for act in (put, take):
        with pytest.raises(IntentError) as caught:
            act(data, HOSTS["claude"])
        assert caught.value.message == f"f.json:{BROKEN[data]}"


def test_comments_stay_where_they_are():
    data = b'{\n  // mine\n  "model": "x" // why\n  /* end */\n}\n'
    installed = put(data, HOSTS["gemini"])
    assert installed.startswith(
        b'{\n  // mine\n  "model": "x", // why\n  /* end */\n  "h'
    )
    assert take(installed, HOSTS["gemini"]) == data


# What is registered


def test_timeouts_are_in_the_units_of_the_host():
    found = {host.name: json.loads(put(None, host))["hooks"] for host in WITH_FILE}
    assert found["claude"]["UserPromptSubmit"][0]["hooks"][0]["timeout"] == 30
    assert found["codex"]["UserPromptSubmit"][0]["hooks"][0]["timeout"] == 30
    assert found["gemini"]["BeforeAgent"][0]["hooks"][0]["timeout"] == 30_000
    assert found["copilot"]["userPromptSubmitted"][0]["timeoutSec"] == 30
    assert found["cursor"]["beforeSubmitPrompt"][0]["timeout"] == 30


@pytest.mark.parametrize("host", HOSTS.values(), ids=lambda host: host.name)
def test_only_events_that_do_something_are_registered(host):
    from git_intent.hosts.handle import needed

    natives = list(host.events(preflight=True))
    assert natives
    assert all(needed(host.name, native, {}) for native in natives)
    without = list(host.events(preflight=False))
    (before_tool,) = set(natives) - set(without)
    assert "tool" in before_tool.lower()


def test_a_hook_before_a_tool_cannot_fail_where_that_would_deny_all_tools():
    assert HOSTS["copilot"].command("preToolUse").endswith(" || true")
    assert HOSTS["claude"].command("PreToolUse").endswith(" || true")  # Copilot's too
