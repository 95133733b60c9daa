"""Lines: one spelling of each event, and nothing else is taken for one."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.files import canonical_json
from git_intent.ledger.event import ZERO, decode, encode, line_hash
from git_intent.ledger.fold import replay
from git_intent.ledger.refusal import Corrupt, Newer
from tests.support.chat import Chat, fresh, replayed, settled

FIELDS = {
    "seq": 7,
    "type": "progress",
    "at": "2026-01-02T03:04:05.678Z",
    "actor": {"kind": "owner", "host": "claude", "session": "s-1"},
    "namespace": "team",
    "chat": "s-1",
    "prev": "ab" * 32,
    "body": {"text": "Grüße\u2028 \x00 🙂", "list": [1, None, True, -2.5]},
}

names = st.text(min_size=1, max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner)
    ),
    max_leaves=8,
)


def test_a_line_is_canonical_ascii_with_these_fields():
    line = encode(FIELDS)
    assert line.isascii()
    assert line.endswith(b"}\n")
    assert b'": ' not in line
    assert b'", ' not in line
    event = json.loads(line)
    assert list(event) == sorted(event)
    assert set(event) == {"v", "id", *FIELDS}
    assert (event["v"], event["id"]) == (1, "ev-7")


@given(names, names, st.dictionaries(names, json_values, max_size=4))
def test_what_is_encoded_is_decoded(namespace, chat, body):
    fields = {**FIELDS, "namespace": namespace, "chat": chat, "body": body}
    event = decode(encode(fields), 7)
    assert {name: getattr(event, name) for name in FIELDS} == fields
    assert event.line == encode(fields)


def test_a_host_may_name_a_session_with_half_a_surrogate_pair():
    actor = {"kind": "hook", "host": "claude", "session": "\ud83d"}
    line = encode({**FIELDS, "actor": actor, "chat": "\udc00"})
    assert decode(line, 7).actor == actor


@pytest.mark.parametrize(
    "changed",
    [
        {"seq": 8},
        {"seq": True},
        {"seq": 7.0},
        {"type": "Progress"},
        {"type": ""},
        {"type": 3},
        {"at": "2026-01-02 03:04:05Z"},
        {"at": "2026-01-02T03:04:05+01:00"},
        {"at": "2026-01-02T03:04:05Z\n"},
        {"at": None},
        {"actor": {"kind": "owner", "host": "claude"}},
        {"actor": {"kind": "agent", "host": "claude", "session": "s"}},
        {"actor": {"kind": "owner", "host": 1, "session": "s"}},
        {"actor": "owner"},
        {"namespace": ""},
        {"chat": 7},
        {"prev": "AB" * 32},
        {"prev": "ab"},
        {"body": []},
        {"extra": 1},
    ],
)
def test_a_field_that_is_not_right_is_corruption_with_its_number(changed):
    with pytest.raises(Corrupt, match="event 7: ") as caught:
        decode(encode({**FIELDS, **changed}), 7)
    assert caught.value.seq == 7
    assert caught.value.code == "ledger-corrupt"
    assert next(iter(changed)) in caught.value.reason


def test_l103_only_the_canonical_spelling_counts():
    line = encode(FIELDS)
    event = json.loads(line)
    unsorted = {"v": 1, **event}
    other = [
        json.dumps(event).encode() + b"\n",
        json.dumps(unsorted, separators=(",", ":")).encode() + b"\n",
        json.dumps(
            event, sort_keys=True, separators=(",", ":"), ensure_ascii=False
        ).encode()
        + b"\n",
        line.replace(b"\\u00fc", b"\\u00FC"),
        line.replace(b'"seq":7', b'"seq":7,"seq":7'),
        line.replace(b"-2.5", b"NaN"),
        line.replace(b"-2.5", b"-2.50"),
        line.replace(b"-2.5", b"1" * 5000),
        line.replace(b"-2.5", b"[" * 100_000 + b"]" * 100_000),
        line[:-1],
        line[:-1] + b"\r\n",
        line + b"\n",
        b" " + line,
        b"\xef\xbb\xbf" + line,
        b"[]\n",
        b"7\n",
        b"\n",
        b"",
    ]
    for wrong in other:
        with pytest.raises(Corrupt):
            decode(wrong, 7)


def test_l108_a_later_version_is_told_apart_from_damage():
    for version, error in ((2, Newer), (0, Corrupt), ("2", Corrupt), (True, Corrupt)):
        line = canonical_json({**json.loads(encode(FIELDS)), "v": version, "new": 1})
        with pytest.raises(error) as caught:
            decode(line, 7)
        assert type(caught.value) is error
    with pytest.raises(Newer, match="written by a newer version") as newer:
        decode(canonical_json({**json.loads(encode(FIELDS)), "v": 2}), 7)
    assert newer.value.code == "newer-version"
    assert newer.value.hint


@pytest.mark.parametrize("where", ["middle", "end"])
def test_l108_an_unknown_type_stops_the_reading(where):
    """Nothing is skipped, not even in the middle."""
    chat = settled()
    lines = list(chat.lines)
    at = 1 if where == "middle" else len(lines)
    prev = line_hash(lines[at - 1])
    future = {**json.loads(lines[0]), "seq": at + 1, "prev": prev, "type": "vision"}
    lines.insert(at, encode(future))
    state = replayed(lines[:at])
    with pytest.raises(Newer, match=f"event {at + 1}: event type 'vision'"):
        replay(state, lines[at])
    assert state.seq == at


def test_l107_the_clock_is_told_and_never_compared():
    chat = Chat()
    chat.world.at = "2026-06-01T00:00:00Z"
    first = chat.say("one")
    chat.world.at = "2025-06-01T00:00:00Z"
    second = chat.say("two")
    third = chat.say("three")  # in the same moment
    assert list(chat.state.sources) == [first, second, third]
    assert [record["seq"] for record in chat.state.sources.values()] == [2, 3, 4]
    assert not any(record["late"] for record in chat.state.sources.values())
    assert replayed(chat.lines).head == chat.state.head


@pytest.mark.parametrize(
    "order", [[1, 2, 3], [0, 1, 3], [0, 1, 1, 2, 3], [0, 2, 1, 3], [0, 1, 2, 2]]
)
def test_l103_lines_out_of_order_are_named(order):
    chat = Chat()
    for text in ("one", "two", "three"):
        chat.say(text)
    state = fresh()
    with pytest.raises(Corrupt) as caught:
        replayed([chat.lines[place] for place in order], state)
    assert caught.value.seq == state.seq + 1


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"prev": ZERO}, "not the hash of the line before"),
        ({"chat": "s-2"}, "belongs to team/s-2"),
        ({"namespace": "other"}, "belongs to other/s-1"),
        ({"type": "ledger-created"}, "cannot stand there"),
        ({"actor": {"kind": "hook", "host": "h", "session": "s"}}, "kind hook"),
    ],
)
def test_l103_a_line_of_another_place_is_refused(changed, reason):
    chat = Chat()
    source = chat.say("one")
    chat.do("dispose-source", {"source": source, "reason": "CHILD", "note": "a child"})
    state = replayed(chat.lines[:2])
    with pytest.raises(Corrupt, match=reason) as caught:
        replay(state, encode({**json.loads(chat.lines[2]), **changed}))
    assert caught.value.seq == 3


def test_l028_an_altered_capture_is_refused_at_its_number():
    chat = settled()
    altered = chat.lines[1].replace(b'"bytes":', b'"bytes":1')
    assert altered != chat.lines[1]
    with pytest.raises(Corrupt, match="event 3: `prev`"):
        replayed([chat.lines[0], altered, *chat.lines[2:]])


def test_l103_a_line_that_breaks_a_rule_is_refused_with_the_rule():
    chat = Chat()
    source = chat.say("one")
    chat.do("dispose-source", {"source": source, "reason": "CHILD", "note": "a child"})
    body = {**json.loads(chat.lines[2])["body"], "reason": "BORING"}
    state = replayed(chat.lines[:2])
    with pytest.raises(Corrupt, match="invalid-document at /reason: must be one of"):
        replay(state, encode({**json.loads(chat.lines[2]), "body": body}))


def test_every_flipped_byte_of_a_line_is_found():
    chat = Chat()
    chat.say("one")
    chat.say("two")
    line, following = chat.lines[1], chat.lines[2]
    for place in range(len(line)):
        flipped = bytearray(line)
        flipped[place] ^= 1 << (place % 8)
        with pytest.raises(Corrupt) as caught:
            replayed([chat.lines[0], bytes(flipped), following])
        assert caught.value.seq in (2, 3)


@settings(max_examples=25)
@given(st.data())
def test_any_damage_to_a_journal_is_found(data):
    """But for the last line, which the anchor covers."""
    chat = settled()
    number = data.draw(st.integers(0, len(chat.lines) - 2))
    line = chat.lines[number]
    place = data.draw(st.integers(0, len(line) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != line[place]))
    lines = list(chat.lines)
    lines[number] = line[:place] + bytes([byte]) + line[place + 1 :]
    with pytest.raises(Corrupt):
        replayed(lines)
