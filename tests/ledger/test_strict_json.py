"""JSON of hosts and owners: one meaning, or a refusal with its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.ledger.refusal import Refusal
from git_intent.ledger.strict_json import DOCUMENT_BYTES, document, payload

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(exclude_categories=()))
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=20,
)


@given(values, st.sampled_from([None, 0, "\t"]))
def test_it_reads_what_json_reads(value, indent):
    data = json.dumps(value, indent=indent).encode()
    assert payload(data) == json.loads(data)


@given(st.binary(max_size=40) | st.text("[]{}:,\"'\\u0d8a1e-.+ tfn").map(str.encode))
def test_what_it_reads_json_reads_too(data):
    try:
        value = payload(data)
    except Refusal:
        return
    assert json.loads(data) == value


@pytest.mark.parametrize(
    ("data", "pointer", "message"),
    [
        (b"", "", "byte 0: expected a value"),
        (b"  ", "", "byte 2: expected a value"),
        (b"\xef\xbb\xbf{}", "", "begins with a byte order mark"),
        (b'{"p": "\xff"}', "", "byte 7: not UTF-8"),
        (b'{"p": "\xed\xa0\xbd"}', "", "byte 7: not UTF-8"),
        (b'{"p": 1, "q": {"a": 1, "p": 2, "a": 1}}', "/q/a", "the key stands twice"),
        (b'{"p": 1, "\\u0070": 2}', "/p", "byte 9: the key stands twice"),
        (b'{"a": [1, {"b/~": NaN}]}', "/a/1/b~1~0", "expected a value"),
        (b"[Infinity]", "/0", "expected a value"),
        (b"[-Infinity]", "/0", "not a number"),
        (b"[1e999]", "/0", "not a number"),
        (b"[01]", "/0", "not a number"),
        (b"[1.]", "/0", "not a number"),
        (b"[.5]", "/0", "not a number"),
        (b"[1e]", "/0", "not a number"),
        (b"[+1]", "/0", "not a number"),
        (b"[" + b"1" * 5000 + b"]", "/0", "not a number"),
        (b"[1,]", "/1", "byte 3: expected a value"),
        (b"[1 2]", "/1", "byte 3: expected a comma or the end"),
        (b'{"a" 1}', "/a", "byte 5: expected a colon"),
        (b"{1: 2}", "", "byte 1: expected a key"),
        (b'{"a": 1,}', "", "byte 8: expected a key"),
        (b'{"a": 1', "", "byte 7: expected a comma or the end"),
        (b'{"a": "x', "/a", "unterminated string"),
        (b'{"a": "x\n"}', "/a", "byte 8: invalid control character"),
        (b'{"a": "\\x"}', "/a", "invalid \\escape"),
        ("ä[] x".encode(), "", "byte 0: expected a value"),
        ('"ä" x'.encode(), "", "byte 5: something stands behind the value"),
        (b"{} {}", "", "byte 3: something stands behind the value"),
        (b"nul", "", "byte 0: expected a value"),
    ],
)
def test_l142_what_has_no_single_meaning_is_refused_at_its_place(
    data, pointer, message
):
    for read in (document, payload):
        with pytest.raises(Refusal) as caught:
            read(data)
        assert caught.value.code == "invalid-document"
        assert caught.value.pointer == pointer
        assert message in caught.value.message


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000,
        b'[{"a":' * 5_000,
    ],
)
def test_l121_a_hundred_thousand_brackets_are_no_trouble(data):
    with pytest.raises(Refusal, match="nested deeper than 200"):
        payload(data)


def test_some_nesting_is_fine():
    assert payload(b"[" * 200 + b"]" * 200) == json.loads("[" * 200 + "]" * 200)


def test_l142_a_document_is_bounded_and_a_payload_is_not():
    exact = b'"' + b"x" * (DOCUMENT_BYTES - 2) + b'"'
    assert len(document(exact)) == DOCUMENT_BYTES - 2
    with pytest.raises(Refusal, match="has 1048577 bytes, 1048576 are allowed"):
        document(exact + b" ")
    assert (
        len(payload(b'{"prompt": "' + b"x" * (20 << 20) + b'"}')["prompt"]) == 20 << 20
    )


def test_l120_halves_of_a_pair_are_for_payloads_only():
    for half in (b'"\\ud83d"', b'"\\ude00"', b'"\\ude00\\ud83d"'):
        data = b'{"a": [' + half + b"]}"
        assert payload(data) == json.loads(data)
        with pytest.raises(Refusal, match="half a surrogate pair") as caught:
            document(data)
        assert caught.value.pointer == "/a/0"
    assert document(b'"\\ud83d\\ude00"') == "🙂".replace("🙂", "\U0001f600")
    with pytest.raises(Refusal, match="half a surrogate pair"):
        document(b'{"\\ud83d": 1}')
