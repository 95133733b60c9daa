"""The rows that a run keeps, and what a step may set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.workflow.kv import (
    LARGEST_ROW,
    MOST_ROWS,
    begun,
    ended,
    merged,
    step_key,
)
from git_intent.workflow.template import parse, resolve


def test_rows_of_the_runner():
    assert begun("r1", "main") == {
        "task_id": "r1",
        "attempt_id": "r1",
        "run_id": "r1",
        "workflow": "main",
    }
    assert ended("main", "build", "fail", 3) == {
        "prev_step": "build",
        "prev_step_exit": "3",
        "main:build:result": "fail",
    }
    assert ended("main", "build", "timeout", None)["prev_step_exit"] == ""


def test_no_two_steps_share_a_row():
    assert step_key("a:b", "c", "result") != step_key("a", "b:c", "result")
    assert step_key("a%3ab", "c", "result") != step_key("a:b", "c", "result")


def test_a_step_sets_rows_and_the_last_line_of_a_key_counts():
    rows, problems = merged({"a": "1", "b": "2"}, b"a=3\n\n c = x=y \r\na=4")
    assert rows == {"a": "4", "b": "2", "c": " x=y "}
    assert problems == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"words", "line 1: expected KEY=VALUE"),
        (b"=1", "line 1: '' is no key"),
        (b"a b=1", "line 1: 'a b' is no key"),
        (b"\xff=1", "line 1: '\\ufffd' is no key"),
        (b"k" * 300 + b"=1", f"line 1: '{'k' * 40}' is no key"),
        (b"task_id=1", "line 1: 'task_id' is set by the runner"),
        (b"intent=1", "line 1: 'intent' is set by the runner"),
        (b"main:build:result=success", "line 1: 'main:build:result' is set by the"),
        (b"main:build:intent=req-0000", "line 1: 'main:build:intent' is set by the"),
        (b"a=" + b"x" * (LARGEST_ROW + 1), "line 1: 'a' is longer than 1024 bytes"),
        (b"a=\0", "line 1: 'a' holds a NUL byte"),
        (b"a=\xff", "line 1: 'a' is not UTF-8"),
    ],
)
def test_a_wrong_line_is_passed_over_and_named(line: bytes, problem: str):
    rows, problems = merged({"a": "before"}, line + b"\nnext=1")
    assert rows == {"a": "before", "next": "1"}
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_a_row_of_just_the_largest_size_is_kept():
    rows, problems = merged({}, b"a=" + b"x" * LARGEST_ROW)
    assert (len(rows["a"]), problems) == (LARGEST_ROW, [])


def test_there_is_an_end_to_rows():
    lines = b"\n".join(b"k%d=1" % n for n in range(MOST_ROWS + 1)) + b"\nk1=2"
    rows, problems = merged({}, lines)
    assert (len(rows), len(problems), rows["k1"]) == (MOST_ROWS, 1, "2")


@given(st.binary(max_size=300))
def test_any_bytes_give_rows_that_a_template_can_name(data: bytes):
    rows, _ = merged({}, data)
    for key, value in rows.items():
        text = parse(f"{{{{ ${key} }}}}".encode())
        values = {key: value.encode()}
        done = resolve(text, values, shell=lambda *_: b"", read=lambda _: b"")
        assert done == value.encode()
