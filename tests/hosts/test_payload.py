"""What a host writes to standard input."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.hosts.payload import read

SOUND = {
    "session_id": "s-1",
    "turn_id": "t",
    "n": 12,
    "prompt": "Grüße 😀",
    "x": [None],
}


def test_an_object_is_read():
    found = read(json.dumps(SOUND, ensure_ascii=False).encode())
    assert (found.members, found.problem, found.broken_off) == (SOUND, "", False)
    assert found.text("nothing", "n", "turn_id", "session_id") == "t"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'{"prompt": "\xff"}', "not UTF-8"),
        (b'\xef\xbb\xbf{"prompt": "x"}', "byte order mark"),
        (b'{"prompt": "x", "prompt": "y"}', "twice"),
        (b'{"a": {"b": 1, "b": 2}}', "twice"),
        (b'{"prompt": NaN}', "byte"),
        (b"[" * 100_000, "nested"),
        (b'{"a":' * 100_000, "nested"),
        (b"[1]", "not an object"),
        (b"null", "not an object"),
        (b"hello", "byte"),
        (b'{"a": tru, "b": 1}', "byte"),
        (b'{"a": "\\q"}', "byte"),
        (b'{"a": 1} {"b": 2}', "behind"),
        (b"\0", "byte"),
    ],
)
def test_l121_what_is_malformed_is_told_and_nothing_of_it_believed(raw, words):
    found = read(raw)
    assert words in found.problem
    assert found.members == {}
    assert not found.broken_off
    assert found.raw == raw


WHOLE = json.dumps(SOUND, ensure_ascii=False).encode()


@pytest.mark.parametrize("at", range(1, len(WHOLE)))
def test_l118_a_payload_cut_at_any_byte_keeps_the_members_before_the_cut(at):
    found = read(WHOLE[:at])
    assert found.broken_off
    assert found.members == {k: SOUND[k] for k in list(SOUND)[: len(found.members)]}
    if at > WHOLE.index(b'"turn_id"'):
        assert found.members["session_id"] == "s-1"
    assert "x" not in found.members


def test_l118_what_stands_twice_before_the_cut_is_not_believed():
    assert read(b'{"session_id": "a", "session_id": "b", "prompt": "x').members == {}


@given(st.binary(max_size=60))
def test_l121_any_bytes_are_told_something_about(raw):
    found = read(raw)
    assert found.problem or isinstance(found.members, dict)


@given(
    st.dictionaries(
        st.text(max_size=4),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=6),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=5,
        ),
        max_size=4,
    ),
    st.data(),
)
def test_l118_no_cut_makes_anything_up(value, data):
    whole = json.dumps(value, ensure_ascii=data.draw(st.booleans())).encode()
    cut = data.draw(st.integers(1, len(whole) - 1))
    found = read(whole[:cut])
    assert found.broken_off
    assert found.members.items() <= value.items()
