"""What counts as an answer, and how a wrong one is complained about."""

import json
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.scan.agent_reply import MOST_COMPLAINTS, Complaints, Part, read

NONCE = "n0nce"


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def whole(value: Any, complaints: Complaints) -> Any:
    return value


def complaints_about(answer: str | bytes, shape=whole) -> list[str]:
    data = answer if isinstance(answer, bytes) else answer.encode()
    found, complaints = read(data, NONCE, shape)
    assert (found is None) == bool(complaints)
    return complaints


@pytest.mark.parametrize(
    "answer",
    [
        'answer n0nce\n{"a": 1}',
        'answer n0nce\n{"a": 1}\n\n',
        'answer n0nce\n```json\n{"a": 1}\n```\n',
        'Here it is.\nanswer n0nce\nI chose {this}: {"a": 1} Hope it helps {name}!',
        'Thinking about {"b": 2} ...\nanswer n0nce\n{"a": 1}',
        'answer n0nce\n{"b": 2}\nNo, better:\nanswer n0nce\n{"a": 1}',
        'answer n0nce {\n\t"a":\r\n 1}',
    ],
)
def test_one_object_behind_the_nonce_is_the_answer(answer: str):
    assert read(answer.encode(), NONCE, whole) == ({"a": 1}, [])


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("", "/: the answer is empty"),
        (" \n\t\n", "/: the answer is empty"),
        ('{"a": 1}', "/: the line `answer n0nce` is missing"),
        ('answer other\n{"a": 1}', "/: the line `answer n0nce` is missing"),
        ("answer n0nce\nDone!", "/: expected exactly one JSON object, found 0"),
        ("answer n0nce\n[1, 2]", "/: expected exactly one JSON object, found 0"),
        (
            'answer n0nce\n{"a":1}{"a":2}',
            "/: expected exactly one JSON object, found 2",
        ),
        ('answer n0nce\n{"a": 1, "b', "/: the JSON object is broken or cut off: "),
        ('answer n0nce\n{"a": {"b": 1}', "/: the JSON object is broken or cut off: "),
        ('answer n0nce\n{"a": 1,}', "/: the JSON object is broken or cut off: "),
        (
            'answer n0nce\n{"a": 1, "a": 2}',
            "/: the JSON object is broken or cut off: a k",
        ),
        ('answer n0nce\n{"a": NaN}', "/: the JSON object is broken or cut off: NaN is"),
        ('answer n0nce\n{"a": 1' + "0" * 5000 + "}", "/: the JSON object is broken or"),
        (
            "answer n0nce\n" + '{"a":' * 100_000,
            "/: the JSON object is broken or cut off",
        ),
        ("answer n0nce\n" + "{ " * 100_000, "/: expected exactly one JSON object"),
        ("answer n0nce\n" + "{}" * 1000, "/: expected exactly one JSON object"),
    ],
)
def test_n072_anything_else_is_no_answer(answer: str, complaint: str):
    (found,) = complaints_about(answer)
    assert found.startswith(complaint)


def test_n072_bytes_that_are_no_text_spoil_the_object_but_not_the_prose():
    def shape(value: Any, complaints: Complaints) -> str:
        return Part(value, "", ("a",), complaints).text("a", 10)

    prose = b'\xff\xfe\nanswer n0nce\n{"a": "x"}\n\xff'
    assert read(prose, NONCE, shape) == ("x", [])
    spoiled = b'answer n0nce\n{"a": "x\xff"}'
    assert complaints_about(spoiled, shape) == ["/a: holds what is not Unicode text"]
    escaped = b'answer n0nce\n{"a": "\\ud800"}'
    assert complaints_about(escaped, shape) == ["/a: holds what is not Unicode text"]


def shaped(value: Any, complaints: Complaints) -> Any:
    part = Part(value, "", ("text", "texts", "word", "number", "list"), complaints)
    return (
        part.text("text", 5, required=True),
        part.texts("texts", 3, 2),
        part.word("word", Colour),
        part.number("number", 1, 9),
        part.items("list", 2),
    )


GOOD = {"text": " a\n b ", "texts": ["x"], "word": "blue", "number": 3, "list": [1]}


def test_a_right_object_is_read_with_white_space_collapsed():
    answer = f"answer {NONCE}\n{json.dumps(GOOD)}".encode()
    expected = ("a b", ("x",), Colour.BLUE, 3, [1])
    assert read(answer, NONCE, shaped) == (expected, [])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"text": ""}, "/text: expected a text that is not empty"),
        ({"text": 7}, "/text: expected a text"),
        ({"text": None}, "/text: expected a text"),
        ({"text": "too long"}, "/text: expected at most 5 characters"),
        ({"text": "a\u0000b"}, "/text: holds a control character"),
        ({"text": "a\u001bb"}, "/text: holds a control character"),
        ({"texts": "x"}, "/texts: expected a list"),
        ({"texts": ["x", 1]}, "/texts/1: expected a text"),
        ({"texts": ["", "y"]}, "/texts/0: expected a text that is not empty"),
        ({"texts": ["a", "b", "c"]}, "/texts: expected at most 2, found 3"),
        ({"word": "green"}, "/word: expected one of red, blue"),
        ({"word": ["red"]}, "/word: expected one of red, blue"),
        ({"number": 0}, "/number: expected a number from 1 to 9"),
        ({"number": True}, "/number: expected a whole number"),
        ({"number": 1.5}, "/number: expected a whole number"),
        ({"number": "1"}, "/number: expected a whole number"),
        ({"list": {}}, "/list: expected a list"),
        ({"more": 1}, "/: unknown key 'more'; known: text, texts, word, number, list"),
    ],
)
def test_each_wrong_value_is_named_by_its_pointer(change: dict, complaint: str):
    answer = f"answer {NONCE}\n{json.dumps({**GOOD, **change})}"
    assert complaints_about(answer, shaped) == [complaint]


def test_missing_keys_are_all_named():
    assert complaints_about("answer n0nce {}", shaped) == [
        "/text: expected a text that is not empty",
        "/word: expected one of red, blue",
        "/number: expected a whole number",
        "/list: expected a list",
    ]


def test_complaints_are_bounded():
    keys = json.dumps({f"k{i}": i for i in range(500)})
    assert len(complaints_about(f"answer n0nce {keys}", shaped)) == MOST_COMPLAINTS


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner, max_size=5)
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(json_values)
def test_any_json_is_read_or_complained_about(value: Any):
    complaints_about(f"answer {NONCE}\n{json.dumps(value)}", shaped)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_complained_about(data: bytes):
    complaints_about(b"answer n0nce\n" + data, shaped)
