"""JSON without loading `json`."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.files import canonical_json
from git_intent.ledger.light_json import canonical, loads

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_both_ways_as_json_does(value):
    assert canonical(value) == canonical_json(value)
    assert loads(canonical(value)) == value


@pytest.mark.parametrize("data", [b' {"a": "\xc3\xa9"}\r\n', b"[]", b"0", b'"x"'])
def test_blanks_around_it_and_utf8(data):
    assert loads(data) == json.loads(data)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b" ", b"{", b"[1", b'{"a":', b"tru", b'{"a":1} x', b"\xff", b"'a'"),
        *(b'{"a": "\\q"}', b'"unclosed', b"[1,]", b"\0", b'{"a" 1}', b"\xc2\xa01"),
    ],
)
def test_what_is_wrong_is_a_value_error(data):
    with pytest.raises(ValueError):
        loads(data)


def test_nothing_nests_for_ever():
    with pytest.raises(RecursionError):
        loads(b"[" * 100_000)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": {1}}, b"x"])
def test_what_has_no_json_is_refused(value):
    with pytest.raises((ValueError, TypeError)):
        canonical(value)
