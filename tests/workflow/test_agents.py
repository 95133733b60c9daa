"""Which command an agent step gets, and when the next one of a chain is tried."""

import pytest

from git_intent.errors import IntentError
from git_intent.workflow import result_marker
from git_intent.workflow.agent_output import Said
from git_intent.workflow.agents import chain, judge, token_limit
from git_intent.workflow.parser import parse

CLAUDE = ("-p", "--output-format", "stream-json", "--verbose")
ALONE = ("--dangerously-skip-permissions", "--model", "sonnet")


def workflow(body: str):
    (found,) = parse(f"workflow w {{ {body} }}".encode(), "f.cloche").workflows
    return found


def commands(step: str, around: str = "", variable: str = "") -> list[tuple[str, ...]]:
    flow = workflow(f'{around} step s {{ prompt = "p" {step} }}')
    return [command.words for command in chain(flow, flow.steps[0], variable)]


NAMED = 'agent q { command = "named" args = "-n 1" }'
HOST = 'host { agent_command = "hosted" agent_args = "-h" }'


@pytest.mark.parametrize(
    ("step", "around", "variable", "words"),
    [
        ('agent_command = "own" agent = q', NAMED + HOST, "env", ("own",)),
        ("agent = q", NAMED + HOST, "env", ("named", "-n", "1")),
        ('host { agent_command = "mine" }', HOST, "env", ("mine",)),
        ("", NAMED + HOST, "env", ("hosted", "-h")),
        ("", 'container { agent_command = "c" }', "env", ("c",)),
        ("", "host { }", "env -e", ("env", "-e")),
        ("", "", " ", ("claude", *ALONE, *CLAUDE)),
        ('agent_args = "-x"', NAMED + HOST, "env", ("hosted", "-x")),
        ('agent_args = "-x" agent = q', NAMED, "", ("named", "-x")),
        ('agent_args = "-x"', "", "", ("claude", "-x", *CLAUDE)),
        ('agent_args = ""', "", "", ("claude", *CLAUDE)),
        ('agent_args = "-p --output-format json"', "", "", None),
    ],
)
def test_the_first_place_that_names_a_command(step, around, variable, words):
    expected = words or ("claude", "-p", "--output-format", "json")
    assert commands(step, around, variable) == [expected]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("/opt/x/claude", [("/opt/x/claude", *ALONE, *CLAUDE)]),
        ("claude --model opus", [("claude", "--model", "opus", *CLAUDE)]),
        ("opencode", [("opencode", "run", "--format", "json", ALONE[0])]),
        ("opencode run", [("opencode", "run")]),
        ("codex, gemini,aider", [("codex",), ("gemini",), ("aider",)]),
        ("a,,b,", [("a",), ("b",)]),
        ("a 'x,y' z", [("a", "x,y", "z")]),
        ('./agents/my\\ own "b c"', [("./agents/my own", "b c")]),
        ("claude#x", [("claude#x",)]),
    ],
)
def test_a_chain_of_commands_and_their_arguments(written, words):
    assert commands(f"agent_command = {quoted(written)}") == words
    assert commands("", "", written) == words


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def test_a_list_of_commands_is_a_chain():
    assert commands("agent_command = [codex, gemini]") == [("codex",), ("gemini",)]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ('agent_command = "a \'b"', "f.cloche:1: step 's': the agent's command"),
        ('agent_args = "\\"" agent_command = "a"', "f.cloche:1: step 's'"),
        ('agent_command = ", ,"', "f.cloche:1: step 's': names no agent"),
    ],
)
def test_what_is_no_command_is_refused_with_its_place(step: str, message: str):
    with pytest.raises(IntentError) as caught:
        commands(step)
    assert caught.value.message.startswith(message)


def judged(text: str, code: int = 0, error: str = "", results: str = "ok, fail"):
    declared = f"results = [{results}]" if results else ""
    step = workflow(f'step s {{ prompt = "p" {declared} }}').steps[0]
    marked = result_marker.read(text.encode(), "n", ("ok", "fail"))
    return judge(step, Said(text.encode(), text.encode(), error), marked, code)


@pytest.mark.parametrize(
    ("text", "code", "error", "result", "reason"),
    [
        ("done\nCLOCHE_RESULT:n:ok", 0, "", "ok", ""),
        ("CLOCHE_RESULT:n:ok", 3, "overloaded", "ok", ""),
        ("CLOCHE_RESULT:n:fail", 0, "", "fail", ""),
        ("CLOCHE_RESULT:n:oops", 0, "", "fail", "is not one of ok, fail"),
    ],
)
def test_any_result_is_final(text, code, error, result, reason):
    found = judged(text, code, error)
    assert (found.result, found.final) == (result, True)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("text", "code", "error", "reason"),
    [
        ("half an answer", 1, "no credit", "reported an error: no credit"),
        ("", 0, "", "said nothing (exit code 0)"),
        (" \n", 127, "", "said nothing (exit code 127)"),
        ("done", 0, "", "gave no result (exit code 0)"),
        ("CLOCHE_RESULT:ok", 0, "", "counts with the run's nonce only"),
    ],
)
def test_without_a_result_the_next_one_is_tried(text, code, error, reason):
    found = judged(text, code, error)
    assert (found.result, found.final) == ("fail", False)
    assert reason in found.reason


def test_the_reason_of_a_step_that_opted_out_has_no_words_of_it():
    step = workflow('step s { prompt = "p" }').steps[0]
    said = Said(b"words", b"words", "words")
    found = judge(step, said, result_marker.read(b"words", "n", ()), 0, quiet=True)
    assert found.reason == "reported an error"


def test_a_step_that_declares_no_results_needs_none():
    assert judged("done", results="").result == "success"
    assert judged("done", 1, results="").reason == "failed (exit code 1)"
    assert judged("", results="").final is False
    assert judged("CLOCHE_RESULT:n:fail", results="").result == "fail"


@pytest.mark.parametrize(
    ("written", "limit"),
    [("", None), ("token-limit = 5", 5), ("token-limit = -1", -1)],
)
def test_token_limits(written: str, limit):
    flow = workflow(f'{written} step s {{ prompt = "p" {written} }}')
    assert token_limit(flow) == (2_000_000 if limit is None else limit)
    assert token_limit(flow.steps[0]) == (500_000 if limit is None else limit)


def test_a_token_limit_beyond_all_numbers_is_none():
    assert token_limit(workflow(f"token-limit = {'9' * 5000}")) == -1
