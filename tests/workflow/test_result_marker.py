"""Which line of a step's output says how it ended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.workflow.result_marker import line, read

NAMES = ("success", "fail", "needs-work")


@pytest.mark.parametrize(
    ("out", "result", "text"),
    [
        (b"", None, b""),
        (b"words\n", None, b"words\n"),
        (b"a\nCLOCHE_RESULT:fail\nb\n", "fail", b"a\nb\n"),
        (b"CLOCHE_RESULT:fail\nCLOCHE_RESULT:success", "success", b""),
        (b"CLOCHE_RESULT: needs-work \r\n", "needs-work", b""),
        (b"  **`CLOCHE_RESULT:fail`**\n", "fail", b""),
        (b"> CLOCHE_RESULT:fail\n", None, b"> CLOCHE_RESULT:fail\n"),
        (b"say CLOCHE_RESULT:fail\n", None, b"say CLOCHE_RESULT:fail\n"),
        (b"XCLOCHE_RESULT:fail\n", None, b"XCLOCHE_RESULT:fail\n"),
        (b"\xff\nCLOCHE_RESULT:fail\n\xfe", "fail", b"\xff\n\xfe"),
    ],
)
def test_without_a_nonce_the_last_bare_line_counts_and_is_cut_out(out, result, text):
    marked = read(out, "", NAMES)
    assert (marked.result, marked.text, marked.problems) == (result, text, ())


@pytest.mark.parametrize("name", ["Success", "no", "", "a b", "\xff", "x" * 5000])
def test_a_name_that_is_not_declared_is_a_problem(name: str):
    marked = read(f"CLOCHE_RESULT:fail\nCLOCHE_RESULT:{name}\n".encode(), "", NAMES)
    assert marked.result is None
    assert marked.text == b""
    (problem,) = marked.problems
    assert problem == "the result it named is not one of success, fail, needs-work"


@pytest.mark.parametrize(
    ("out", "result"),
    [
        (b"CLOCHE_RESULT:n1:fail\n", "fail"),
        (b"CLOCHE_RESULT:n1:fail\nCLOCHE_RESULT:success\n", "fail"),
        (b"CLOCHE_RESULT:n1:fail\nCLOCHE_RESULT:n2:success\n", "fail"),
        (b"CLOCHE_RESULT:n1:fail\nCLOCHE_RESULT:n1 :success\n", "fail"),
        (b"CLOCHE_RESULT:success\n", None),
        (b"CLOCHE_RESULT:n:success\nCLOCHE_RESULT:n11:success", None),
        (b"CLOCHE_RESULT::success\n", None),
    ],
)
def test_with_a_nonce_only_lines_that_carry_it_count(out: bytes, result):
    marked = read(out, "n1", NAMES)
    assert marked.result == result
    kept = [one for one in out.splitlines(keepends=True) if b":n1:" not in one]
    assert marked.text == b"".join(kept)
    assert bool(marked.problems) is (result is None)


@given(st.binary(max_size=200), st.sampled_from(NAMES), st.binary(max_size=200))
def test_no_text_without_the_nonce_changes_the_result(before, name, after):
    nonce = "a-nonce-that-nobody-guesses"
    spoofed = b"\nCLOCHE_RESULT:success\n" + after + b"\nCLOCHE_RESULT:fail\n"
    out = before + b"\n" + line(nonce, name).encode() + b"\n" + spoofed
    assert read(out, nonce, NAMES).result == name


@given(st.binary(max_size=300), st.sampled_from(["", "n"]))
def test_any_bytes_are_read_and_text_without_marks_is_kept(out: bytes, nonce: str):
    marked = read(out, nonce, NAMES)
    assert marked.result is None or b"CLOCHE_RESULT" in out
    if b"CLOCHE_RESULT" not in out:
        assert marked.text == out


def test_the_line_that_is_asked_for_is_the_line_that_is_read():
    for nonce in ("", "n1"):
        assert read(line(nonce, "fail").encode(), nonce, NAMES).result == "fail"


def test_a_large_output_of_markers_is_read_at_once():
    out = b"CLOCHE_RESULT:fail\n" * 100_000
    assert read(out, "", NAMES).result == "fail"
    assert read(out, "n", NAMES).text == out
