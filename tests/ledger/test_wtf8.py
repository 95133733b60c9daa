"""Prompts with halves of surrogate pairs, kept as bytes without loss."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.ledger.wtf8 import UTF8, WTF8, decode, encode, encoding_of

any_text = st.text(st.characters(exclude_categories=()))


@given(any_text)
def test_l120_each_text_comes_back_as_the_same_escapes(text):
    data, encoding = encode(text)
    joined = json.loads(json.dumps(text))  # as a payload would have given it
    assert decode(data) == joined
    assert json.dumps(decode(data)) == json.dumps(text)
    assert encoding_of(data) == encoding


@given(st.text())
def test_l120_text_without_halves_is_plain_utf8(text):
    assert encode(text) == (text.encode(), UTF8)


@pytest.mark.parametrize(
    ("text", "data", "encoding"),
    [
        ("\ud83d", b"\xed\xa0\xbd", WTF8),
        ("a\ude00b", b"a\xed\xb8\x80b", WTF8),
        ("\ude00\ud83d", b"\xed\xb8\x80\xed\xa0\xbd", WTF8),
        ("\ud83d\ude00", "😀".encode(), UTF8),
        ("\ud83d\ud83d\ude00", b"\xed\xa0\xbd" + "😀".encode(), WTF8),
    ],
)
def test_l120_one_spelling_of_each(text, data, encoding):
    assert encode(text) == (data, encoding)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", UTF8),
        ("Grüße".encode(), UTF8),
        (b"\xed\xa0\xbd", WTF8),
        (b"\xed\xa0\xbd\xed\xb8\x80", ""),  # a pair that should be one character
        (b"\xff", ""),
        (b"\xc0\x80", ""),
        (b"\xed\xa0", ""),
    ],
)
def test_bytes_that_are_neither_are_told(data, encoding):
    assert encoding_of(data) == encoding
