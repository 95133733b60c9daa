"""`git intent mcp`: the real server, spoken to by the SDK's own client."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, MCPError, StdioServerParameters

from git_intent.cli import mcp_call
from git_intent.cli.mcp_call import answer
from git_intent.cli.mcp_tool import LONGEST, Call, Kind, Tool
from git_intent.cli.mcp_tools import EXAMPLES, TOOLS, called
from git_intent.errors import IntentError
from git_intent.scan import queue
from tests.support.repo import _SOURCE
from tests.support.session import Session, listing
from tests.support.snapshots import requirement, store

READING = [tool for tool in TOOLS if not tool.writes]
WHO = {"host": "claude", "session": "s-1"}
#: What nobody may be able to do harm with.
HOSTILE = [
    *("", "--help", "--exec=touch pwned", "; touch pwned", "$(touch pwned)"),
    *("../../etc/passwd", "a\0b", "x" * (LONGEST + 1), "☃" * 1000),
    *(7, None, True, [], {}, ["--help"], {"a": 1}, 1e308),
]


@pytest.fixture
def project(repo, home, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    repo.commit()
    repo.commit_files(store(requirement(), domains="  - name: api\n    paths: [a]\n"))
    return repo


@pytest.fixture
def chat(project):
    chat = Session(project).configure()
    chat.prompt("Never push. Write a parser.")
    return chat


@asynccontextmanager
async def connected(repo):
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "git_intent", "mcp"],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
    )
    async with Client(server) as client:
        yield client


def speak(repo, talk):
    """Let `talk(client)` run; give what it gives."""

    async def run():
        async with connected(repo) as client:
            return await talk(client)

    return anyio.run(run)


def texts(result):
    return [one.text for one in result.content]


def cli(repo, *words, **more):
    done = repo.intent(*words, **more)
    assert done.code == 0, done.err
    return done.out


# What is offered


def test_the_tools_are_listed_with_schema_and_hints(project):
    async def talk(client):
        return (await client.list_tools()).tools, client.server_info

    tools, server = speak(project, talk)
    assert server.name == "git-intent"
    assert [one.name for one in tools] == [one.name for one in (*TOOLS, EXAMPLES)]
    for one in tools:
        assert one.title
        assert one.description
        assert one.input_schema["additionalProperties"] is False
        known = next(t for t in (*TOOLS, EXAMPLES) if t.name == one.name)
        assert one.annotations.read_only_hint is not known.writes
        assert one.annotations.destructive_hint is False
        assert one.annotations.open_world_hint is False


def test_tools_answer_what_the_commands_print(project, chat):
    wanted = {
        "requirements_list": ({"status": "active"}, ["list", "-s", "active", "--json"]),
        "requirement_show": ({"id": "req-0001"}, ["show", "req-0001", "--json"]),
        "requirements_for_task": (
            {"task": "bump the version", "paths": ["a"]},
            ["preview", "--task", "bump the version", "--path", "a"],
        ),
        "status": ({}, ["status", "--json"]),
        "check": ({}, ["check", "--format", "json"]),
        "ledger_owner_view": (WHO, ["ledger", "owner-view"]),
        "ledger_objective": (WHO, ["ledger", "show"]),
        "ledger_show": (WHO, ["ledger", "show", "--json"]),
        "ledger_sources": (
            {**WHO, "pending": True},
            ["ledger", "sources", "--pending"],
        ),
        "ledger_preflight": (
            {**WHO, "tool": "Edit"},
            ["ledger", "preflight", "--tool", "Edit"],
        ),
    }
    who = ["--host", "claude", "--session", "s-1"]

    async def talk(client):
        return {
            name: await client.call_tool(name, arguments)
            for name, (arguments, _) in wanted.items()
        }

    said = speak(project, talk)
    for name, (_, words) in wanted.items():
        words = [*words, *(who if words[0] == "ledger" else [])]
        words += ["--json"] if name == "ledger_sources" else []
        printed = cli(project, *words)
        assert not said[name].is_error, texts(said[name])
        assert texts(said[name])[0] == printed
        if printed.startswith("{"):
            assert said[name].structured_content == json.loads(printed)
    assert said["ledger_objective"].structured_content is None


def test_an_owner_writes_the_ledger_as_by_the_commands(project, chat):
    async def talk(client):
        async def call(name, **more):
            result = await client.call_tool(name, {**WHO, **more})
            assert not result.is_error, texts(result)
            return result.structured_content

        listed = await call("ledger_sources", pending=True)
        source = listed["sources"][0]["id"]
        found = await call("ledger_read_source", source=source, find="Never push.")
        assert found["bindings"][0]["span"] == [0, 11]
        said = await call("ledger_read_source", source=source)
        assert said["text"] == "Never push. Write a parser."
        steps = ("classify_source", "action_start", "action_finish", "progress")
        recorded = []
        for step in steps:
            tool = f"ledger_{step}"
            document = await call("ledger_example", tool=tool)
            recorded.append(await call(tool, document=document))
        return recorded

    recorded = speak(project, talk)
    assert all(one["recorded"] for one in recorded)
    assert [one["seq"] for one in recorded] == [3, 4, 5, 6]
    assert chat.pending() == []


def test_a_refusal_is_an_error_with_the_commands_own_answer(project, chat):
    project.git("config", "intent.ledger.tools.claude.mutation", "Edit")

    async def talk(client):
        return (
            await client.call_tool("ledger_progress", {**WHO, "document": {"a": 1}}),
            await client.call_tool(
                "ledger_classify_source",
                {"host": "claude", "session": "another", "document": {}},
            ),
            await client.call_tool("ledger_preflight", {**WHO, "tool": "Edit"}),
        )

    tip = chat.tip()
    bad, foreign, held = speak(project, talk)
    for one in (bad, foreign):
        assert one.is_error
        assert one.structured_content["recorded"] is False
        code = one.structured_content["refusal"]["code"]
        assert texts(one)[0].startswith(f"{code}: ")
    assert chat.tip() == tip
    assert held.is_error is False  # a hold is an answer
    assert held.structured_content["decision"] == "HOLD"


def test_resources_are_what_the_tools_say(project, chat):
    async def talk(client):
        listed = [one.uri for one in (await client.list_resources()).resources]
        templates = (await client.list_resource_templates()).resource_templates
        listed += [one.uri_template for one in templates]
        read = {}
        for uri in (
            "intent://requirements",
            "intent://block",
            "intent://requirement/req-0001",
            "intent://objective/claude/s-1",
        ):
            (found,) = (await client.read_resource(uri)).contents
            read[uri] = (found.mime_type, found.text)
        return listed, read

    listed, read = speak(project, talk)
    assert listed == [
        "intent://requirements",
        "intent://block",
        "intent://requirement/{id}",
        "intent://objective/{host}/{session}",
    ]
    assert [kind for kind, _ in read.values()] == [
        "application/json",
        "text/markdown",
        "application/json",
        "text/plain",
    ]
    said = [text for _, text in read.values()]
    assert said == [
        cli(project, "list", "--json"),
        cli(project, "preview"),
        cli(project, "show", "req-0001", "--json"),
        cli(project, "ledger", "show", "--host", "claude", "--session", "s-1"),
    ]


def test_an_unknown_resource_or_tool_is_an_error_of_the_protocol(project):
    async def talk(client):
        said = []
        for uri in (
            *("intent://nope", "file:///etc/passwd", "intent://requirement"),
            *("intent://requirement/a/b", "intent://requirement/..%2F..", "x"),
            *("intent://objective/claude/a%00b", "intent://objective/claude/"),
        ):
            with pytest.raises(MCPError) as raised:
                await client.read_resource(uri)
            said.append(raised.value.message)
        with pytest.raises(MCPError):
            await client.call_tool("no-such-tool", {})
        return said

    said = speak(project, talk)
    assert all("Traceback" not in one and one for one in said)


# What goes wrong


def test_hostile_arguments_are_errors_and_harm_nothing(project, chat):
    before = listing(project.path / ".cloche/intent")

    async def talk(client):
        said = []
        for value in HOSTILE:
            said += [
                await client.call_tool("requirement_show", {"id": value}),
                await client.call_tool("requirements_list", {"domain": value, "x": 1}),
                await client.call_tool("ledger_progress", {**WHO, "document": value}),
                await client.call_tool("ledger_example", {**WHO, "tool": value}),
            ]
        last = await client.call_tool("requirements_list", {})
        return said, last

    said, last = speak(project, talk)
    for one in said:
        assert one.is_error
        assert "Traceback" not in texts(one)[0]
        assert "bug in git-intent" not in texts(one)[0]
    assert not last.is_error
    assert not list(project.path.rglob("pwned"))
    assert listing(project.path / ".cloche/intent") == before


def test_outside_of_a_repository_every_tool_says_so(repo, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    project = type(repo)(plain)

    async def talk(client):
        return await client.call_tool("requirements_list", {})

    result = speak(project, talk)
    assert result.is_error
    assert "repository" in texts(result)[0]


def test_a_broken_file_is_told_beside_the_answer(project):
    project.write(".cloche/intent/requirements/req-0002.md", "---\nid: [\n")

    async def talk(client):
        return (
            await client.call_tool("requirements_list", {}),
            await client.call_tool("check", {}),
        )

    listed, checked = speak(project, talk)
    assert not listed.is_error
    assert "req-0002.md" in texts(listed)[1]
    assert not checked.is_error  # findings are the answer
    assert checked.structured_content["errors"] == 1


def test_tools_that_read_write_nothing_and_start_no_scan(project, chat):
    """A run waits: `git intent list` would have it scanned."""
    here = project.path
    one = queue.entry("R", here, "", queue.datetime.now(queue.UTC))
    queue.put(here / ".git", one)
    cli(project, "--no-queue", "preview", "--task", "words")  # the index is there

    def state():
        kept = listing(here)
        derived = ("/.git/intent/cache", "/.cloche/intent-index", "/.git/index")
        return {k: v for k, v in kept.items() if not any(d in k for d in derived)}

    before = state()
    arguments = {
        "requirement_show": {"id": "req-0001"},
        "ledger_read_source": {"source": chat.pending()[0], **WHO},
        "ledger_preflight": {"tool": "Edit", **WHO},
    }

    async def talk(client):
        for tool in READING:
            given = arguments.get(tool.name)
            if given is None:
                given = WHO if tool.name.startswith("ledger") else {}
            result = await client.call_tool(tool.name, given)
            assert not result.is_error, (tool.name, texts(result))

    speak(project, talk)
    assert state() == before
    assert not (here / ".git/intent/queue.start").exists()


def raw(repo, data):
    return subprocess.run(
        [sys.executable, "-m", "git_intent", "mcp"],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        input=data,
        capture_output=True,
        timeout=60,
        check=False,
    )


def request(id, method, **params):
    value = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    return json.dumps(value).encode() + b"\n"


def test_garbage_on_standard_input_ends_nothing(project):
    """Half a surrogate pair too, which no client of the SDK can send."""
    server = subprocess.Popen(
        [sys.executable, "-m", "git_intent", "mcp"],
        cwd=project.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    }
    lone = b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"status",'
    lone += b'"arguments":{"a":"\\ud800"}}}\n'
    garbage = b"\xff\xfe{not json\n[1]\n\n{}\n" + lone
    for number, data in enumerate([request(1, "initialize", **hello), garbage], 1):
        server.stdin.write(data + request(9, "ping"))
        server.stdin.flush()
        while (line := json.loads(server.stdout.readline())).get("id") != 9:
            assert "error" in line or number == 1
    server.stdin.close()
    assert server.wait(60) == 0
    server.stdout.close()


def test_the_end_of_standard_input_ends_it(project):
    done = raw(project, b"")
    assert (done.returncode, done.stdout) == (0, b"")


def without(module, repo, *words):
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from git_intent.__main__ import main\nsys.exit(main())"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_the_extra_it_names_what_to_install(project):
    done = without("mcp", project, "mcp")
    assert done.returncode == 1
    assert "pip install 'git-intent[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["mcp", "--help"], ["list"], ["--help"]])
def test_n150_the_sdk_is_loaded_by_a_server_alone(project, words):
    code = (
        "import sys\nfrom git_intent.__main__ import main\ncode = main()\n"
        "assert not {'mcp', 'mcp_types', 'pydantic', 'anyio'} & set(sys.modules)\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=project.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# One call


def test_a_command_that_takes_too_long_is_ended(project, monkeypatch):
    monkeypatch.setattr(mcp_call, "PATIENCE", 0.001)
    with pytest.raises(IntentError, match="no answer within"):
        answer(TOOLS[0], Call(("list", "--json")), str(project.path))


def test_a_command_that_says_nothing_is_an_error_all_the_same(project, tmp_path):
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\ncat > /dev/null\nexit 3\n")
    script.chmod(0o755)
    before, sys.executable = sys.executable, str(script)
    try:
        found = answer(TOOLS[0], Call(("list",)), str(project.path))
    finally:
        sys.executable = before
    assert (found.failed, found.notes) == (True, "ended with 3")


def test_a_folder_that_is_gone_is_an_error(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    shutil.rmtree(folder)
    with pytest.raises(IntentError):
        answer(TOOLS[0], Call(("list",)), str(folder))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def right(parameter):
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    word = st.text(max_size=20).filter(lambda t: "\0" not in t)
    return {
        Kind.WORD: word,
        Kind.WORDS: st.lists(word, max_size=3),
        Kind.FLAG: st.booleans(),
        Kind.TEXT: st.text(max_size=20),
        Kind.DOCUMENT: st.dictionaries(st.text(), JSON, max_size=3),
    }[parameter.kind]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@given(data=st.data())
def test_no_argument_becomes_another_option(tool: Tool, data):
    given_ = {one.name: data.draw(right(one)) for one in tool.parameters}
    call = tool.call(given_)
    words = call.words[len(tool.command) :]
    cut = words.index("--") if "--" in words else len(words)
    named = {one.option.partition("=")[0] for one in tool.parameters if one.option}
    assert {word.partition("=")[0] for word in words[:cut]} <= named
    operands = [
        g
        for o, g in zip(tool.parameters, given_.values(), strict=True)
        if not o.option and o.kind is Kind.WORD
    ]
    assert list(words[cut + 1 :]) == operands


@given(st.sampled_from([*TOOLS, EXAMPLES]), st.dictionaries(st.text(), JSON))
def test_wrong_arguments_are_refused_in_words(tool, arguments):
    assert refusal(tool.name, arguments).startswith("/")


def refusal(name, arguments):
    try:
        called(name, arguments)
    except IntentError as error:
        return error.message
    return "/"


def test_the_page_names_every_tool_and_resource():
    page = (Path(_SOURCE) / "docs/mcp.md").read_text(encoding="utf-8")
    for tool in (*TOOLS, EXAMPLES):
        assert f"`{tool.name}`" in page
        assert all(f"`{one.name}`" in page for one in tool.parameters)
    assert all(f"intent://{name}" in page for name in ("requirements", "block"))
