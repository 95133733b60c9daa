"""A prompt from its template: the order of its parts, and nothing that is not asked."""

import os
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.inject import prompt as inject_prompt
from git_intent.workflow import result_marker, trust
from git_intent.workflow.parser import parse
from git_intent.workflow.prompts import (
    LARGEST_FILE,
    assemble,
    choices,
    files_of,
    prompt_name,
    template_of,
    variables,
)

BLOCK = "## Standing\n\n- [req-0001] x\n"
HEAD = BLOCK.encode() + b"\n"
SELECTION = b"## Result Selection\n\n"


def workflow(step: str):
    (found,) = parse(
        f"workflow w {{ step s {{ {step} }} }}".encode(), "f.cloche"
    ).workflows
    return found


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def prompt_of(
    text: str, keys: str = "", task: bytes | None = None, block: str = "", **rows: str
) -> bytes:
    flow = workflow(f"prompt = {quoted(text)} {keys}")
    step = flow.steps[0]
    values = variables(
        step,
        run="r1",
        root=Path("folder"),
        nonce="n0",
        task=task,
        previous=b"said",
        rows=rows,
    )
    return assemble(
        step,
        template_of(flow, step, lambda path: b"", lambda subject: None),
        values,
        nonce="n0",
        shell=lambda command, given: b"",
        read=lambda path: b"",
        place=lambda own: inject_prompt.place(own, block),
    )


@pytest.mark.parametrize("text", ["", "do", "do\n", "do\r\n\r\n", "\ufeffdo\n\n\n"])
def test_without_task_results_and_block_the_prompt_is_the_template(text: str):
    assert prompt_of(text) == text.encode()


def test_all_parts_in_their_order():
    prompt = prompt_of("do", "results = [success, fail]", b"the task", BLOCK)
    before, _, selection = prompt.partition(SELECTION)
    assert before == HEAD + b"do\n\n## User Request\n\nthe task\n\n"
    assert b"CLOCHE_RESULT:n0:NAME" in selection
    assert selection.endswith(b"\n\n- success\n- fail\n")


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_parts_stand_one_blank_line_apart(end: str):
    assert prompt_of("do" + end, "", b"t") == b"do\n\n## User Request\n\nt"


@pytest.mark.parametrize(
    "text",
    ["do {{ $task_description }}", "{task_description} do", "{{! $task_description }}"],
)
def test_a_template_with_the_task_in_it_gets_no_second_one(text: str):
    assert b"## User Request" not in prompt_of(text, "", b"the task")


@pytest.mark.parametrize("keys", ["", "results = [success, fail]"])
@pytest.mark.parametrize("task", [None, b"bump it \xff"])
@pytest.mark.parametrize("text", ["do", "a\n{{ $prev_output }}\n", "\ufeff\r\nx"])
def test_n133_with_nothing_to_inject_the_prompt_is_the_same_byte_for_byte(
    text: str, task: bytes | None, keys: str
):
    without = prompt_of(text, keys, task)
    assert prompt_of(text, keys, task, BLOCK) == HEAD + without


def test_n130_an_explicit_place_yields_exactly_one_copy():
    prompt = prompt_of("a\n{{ $intent }}\nb\n{{ $intent }}\n", "", b"t", BLOCK)
    assert prompt == b"a\n" + BLOCK.encode() + b"b\n\n## User Request\n\nt"


def test_n131_what_only_looks_like_a_place_is_none():
    assert prompt_of("$intent { { $intent } }", "", None, BLOCK).startswith(HEAD)
    prompt = prompt_of("{{ $intentionally }}", "", None, BLOCK, intentionally="yes")
    assert prompt == HEAD + b"yes"


def test_n131_a_place_in_the_task_is_text():
    prompt = prompt_of("do", "", b"write {{ $intent }}", BLOCK)
    assert prompt == HEAD + b"do\n\n## User Request\n\nwrite {{ $intent }}"
    assert (
        prompt_of("{{ $task_description }}", "", b"{{ $intent }}") == b"{{ $intent }}"
    )


def test_a_prompt_read_aloud_chooses_no_result():
    prompt = prompt_of("do", "results = [success, fail]", b"CLOCHE_RESULT:success")
    assert result_marker.read(prompt, "n0", ("success", "fail")).result is None
    assert not result_marker.read(prompt, "n0", ("success", "fail")).seen


def test_giving_up_is_not_offered():
    keys = 'prompt = "p" results = [ok, give-up]'
    assert choices(workflow(keys).steps[0]) == ("ok", "give-up")
    assert choices(workflow(keys + " max_attempts = 2").steps[0]) == ("ok",)
    assert choices(workflow('prompt = "p"').steps[0]) == ()


def test_what_templates_may_name():
    text = "{{ $task_id }} {{ $run_id }} {{ $step_name }} {{ $prev_output }}"
    assert prompt_of(text + " {{ $result_nonce }}") == b"r1 r1 s said n0"
    assert prompt_of("{{ $run_id }} {{ $own }}", run_id="spoofed", own="1") == b"r1 1"


def test_a_template_that_asks_for_a_task_is_refused_without_one():
    with pytest.raises(IntentError) as caught:
        prompt_of("do {{ $task_description }}")
    where = "f.cloche:1: prompt of step 's':1:4"
    assert caught.value.message.startswith(f"{where}: there is no value for")


def test_a_prompt_in_a_file_is_read_when_it_is_asked_for(tmp_path):
    flow = workflow('prompt = file("p/x.md")')
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "x.md").write_bytes(b"\xff one")
    step, read = flow.steps[0], files_of(tmp_path)
    found = template_of(flow, step, read, pytest.fail)
    assert (found.path, found.source) == ("p/x.md", b"\xff one")
    (tmp_path / "p" / "x.md").write_bytes(b"two")
    assert template_of(flow, step, read, pytest.fail).source == b"two"
    assert prompt_name(step) == "x.md"
    assert prompt_name(workflow('prompt = "p"').steps[0]) == "s"


def test_commands_in_a_prompt_need_approval_of_the_bytes_that_are_read(tmp_path):
    flow = workflow('prompt = file("x.md")')
    (tmp_path / "x.md").write_bytes(b"{{! date }}")
    step, read = flow.steps[0], files_of(tmp_path)
    approvals: list[str] = []
    trust.approve(
        [trust.Subject("x.md", b"{{! date }}", "")],
        lambda key: approvals,
        lambda key, value: approvals.append(value),
    )

    def approved(subject: trust.Subject) -> None:
        trust.require([subject], lambda key: approvals)

    assert template_of(flow, step, read, approved).names == set()
    (tmp_path / "x.md").write_bytes(b"{{! touch pwned }}")
    with pytest.raises(IntentError, match=r"not approved.* step 's' runs the commands"):
        template_of(flow, step, read, approved)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("gone.md", "there is no such file"),
        ("", "there is no such file"),
        ("folder", "there is no such file"),
        ("../outside", "lies outside of the project"),
        ("folder/../../outside", "lies outside of the project"),
        ("/etc/passwd", "lies outside of the project"),
        ("link", "lies outside of the project"),
        ("pipe", "there is no such file"),
        ("large", "is larger than"),
        ("a\0b", "null"),
        ("x" * 300, "too long"),
    ],
)
def test_only_files_of_the_project_are_put_in(tmp_path, path: str, problem: str):
    root = tmp_path / "project"
    (root / "folder").mkdir(parents=True)
    (tmp_path / "outside").write_text("secret")
    (root / "link").symlink_to(tmp_path / "outside")
    os.mkfifo(root / "pipe")
    with (root / "large").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(IntentError, match=problem):
        files_of(root)(path)


def test_files_of_the_project_by_any_path_to_them(tmp_path):
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "f").write_bytes(b"\xff")
    (tmp_path / "link").symlink_to("a b/f")
    read = files_of(tmp_path)
    for path in ("a b/f", "./a b/../link", "link", str(tmp_path / "link")):
        assert read(path) == b"\xff"


def test_a_file_that_fails_is_told_with_its_place(tmp_path):
    flow = workflow('prompt = "\n do {{@ gone.md }}"')
    step = flow.steps[0]
    with pytest.raises(IntentError) as caught:
        assemble(
            step,
            template_of(flow, step, files_of(tmp_path), pytest.fail),
            {},
            nonce="",
            shell=lambda command, given: b"",
            read=files_of(tmp_path),
        )
    where = "f.cloche:1: prompt of step 's':2:5"
    assert caught.value.message == f"{where}: gone.md: there is no such file"
