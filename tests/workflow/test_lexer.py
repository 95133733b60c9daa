"""Tokens and their places."""

import pytest

from git_intent.errors import IntentError
from git_intent.workflow.lexer import (
    ARROW,
    END,
    NAME,
    NUMBER,
    TEXT,
    is_bare_name,
    quote,
    tokens,
)


def read(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.text) for t in list(tokens(text.encode(), "x.cloche"))[:-1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\r\n", []),
        ("// only a comment", []),
        ("a // to the end\nb", [(NAME, "a"), (NAME, "b")]),
        ("a->b", [(NAME, "a"), (ARROW, "->"), (NAME, "b")]),
        ("a-b->c-1", [(NAME, "a-b"), (ARROW, "->"), (NAME, "c-1")]),
        ("_x9 true false", [(NAME, "_x9"), (NAME, "true"), (NAME, "false")]),
        ("étape", [(NAME, "étape")]),
        ("042 7", [(NUMBER, "042"), (NUMBER, "7")]),
        ("-1", [(NUMBER, "-1")]),
        ("10m", [(NUMBER, "10"), (NAME, "m")]),
        (
            "{}[](),=:.",
            [(mark, mark) for mark in "{}[](),=:."],
        ),
        ('"a // b"', [(TEXT, "a // b")]),
        (r'"\"\\\n\t"', [(TEXT, '"\\\n\t')]),
        (r'"\d\r\u0041"', [(TEXT, r"\d\r\u0041")]),
        (r'"\\n"', [(TEXT, r"\n")]),
        ('"two\nlines"', [(TEXT, "two\nlines")]),
        ('""', [(TEXT, "")]),
        ("\ufeffa", [(NAME, "a")]),
    ],
)
def test_text_is_cut_into_tokens(text: str, expected: list[tuple[str, str]]):
    assert read(text) == expected


def test_places_count_characters_and_lines_from_one():
    found = list(tokens('é "x\ny" // c\r\n  z'.encode(), "x"))
    assert [(t.at.line, t.at.col) for t in found] == [(1, 1), (1, 3), (3, 3), (3, 4)]


def test_end_token_stands_behind_the_last_sign():
    *_, last = tokens(b"a\n", "x")
    assert (last.kind, last.at.line) == (END, 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'a\n  "never closed', "f.cloche:2:3: this string is never closed"),
        (b'"ends with an escaped quote\\"', "f.cloche:1:1: this string is never"),
        (b'"ends with a backslash\\', "f.cloche:1:1: this string is never closed"),
        (b"a - b", "f.cloche:1:3: a '-' stands alone"),
        (b"a- b", "f.cloche:1:2: a '-' stands alone"),
        (b"# no", "f.cloche:1:1: expected a comment to start with '//'"),
        (b"x /* no */", "f.cloche:1:3: expected a comment to start with '//'"),
        (b"a / b", "f.cloche:1:3: expected a name, a string, a number"),
        (b"a\n\0", "f.cloche:2:1: expected a name"),
        (b"a \xc3\xa9\n\xc3\xa9 \xff", "f.cloche:2:3: expected UTF-8 text"),
        (b"\xc3", "f.cloche:1:1: expected UTF-8 text"),
    ],
)
def test_what_is_no_token_is_named_with_its_place(data: bytes, message: str):
    with pytest.raises(IntentError) as raised:
        list(tokens(data, "f.cloche"))
    assert raised.value.message.startswith(message)


def test_long_unclosed_strings_are_read_in_one_pass():
    with pytest.raises(IntentError, match="1:1"):
        list(tokens(b'"' + b"\\x" * 500_000, "x"))
    with pytest.raises(IntentError, match="1:1"):
        list(tokens(b'"' + b"a" * 1_000_000, "x"))


@pytest.mark.parametrize("text", ["", 'a"b', "\\", "\\n", "line\nline\t", "\\\\", "\r"])
def test_quoting_is_undone_by_reading(text: str):
    assert read(quote(text)) == [(TEXT, text)]


def test_bare_names():
    assert is_bare_name("intent-scan")
    assert not any(map(is_bare_name, ["", "1a", "a-", "a b", "a.b", "-a", "a--b"]))
