"""The fold of the journal of bindings."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.ledger import bindings
from git_intent.ledger.archive import Archive
from git_intent.ledger.bindings import Bindings
from git_intent.ledger.refusal import Corrupt, Newer, Refusal

ACTOR = {"kind": "owner", "host": "claude", "session": "s-1"}
AT = "2026-01-02T03:04:05Z"
CHAT = ("team", "s-1")


def body(session="s-2", role="owner", **more):
    return {
        "host": "claude",
        "session": session,
        "role": role,
        "note": "why",
        "target": None,
        "previous": None,
        "absorbs": [],
        **more,
    }


def bind(state, chat=CHAT, **members):
    event = bindings.propose(state, chat, body(**members), ACTOR, AT)
    bindings.apply(state, event)
    return event.line


def test_a_new_owner_takes_the_place_of_the_one_before():
    state = Bindings(Archive())
    bind(state, previous={"host": "claude", "session": "s-1"})
    assert state.of("claude", "s-1")["role"] == "reader"
    assert state.owner_of(*CHAT)["session"] == "s-2"
    assert state.owner_of("team", "s-2") is None
    with pytest.raises(Refusal) as refused:
        bind(state, session="s-3")
    assert refused.value.pointer == "/previous"
    bind(state, session="s-3", previous={"host": "claude", "session": "s-2"})
    assert state.owner_of(*CHAT)["session"] == "s-3"


def test_the_last_binding_of_a_session_counts():
    state = Bindings(Archive())
    for role in ("reader", "child", "excluded", "reader"):
        bind(state, role=role)
        assert state.of("claude", "s-2")["role"] == role
    assert state.of("codex", "s-2") is None


@pytest.mark.parametrize(
    "members",
    [
        {"role": "admin"},
        {"note": " "},
        {"session": ""},
        {"extra": 1},
        {"role": "reader", "previous": {"host": "claude", "session": "s-1"}},
        {"previous": {"host": "claude"}},
        {"target": {"seq": 1}},
        {"absorbs": [{"namespace": "team"}]},
    ],
)
def test_a_body_that_breaks_a_rule_is_refused_and_changes_nothing(members):
    state = Bindings(Archive())
    before = bindings.document(state)
    with pytest.raises(Refusal):
        bind(state, **members)
    assert bindings.document(state) == before


@pytest.mark.parametrize("chat", [("team", "x" * 201), ("x" * 201, "s-1")])
def test_a_chat_that_no_ref_can_name_is_refused(chat):
    with pytest.raises(Refusal):
        bind(Bindings(Archive()), chat=chat)


def test_a_line_out_of_place_or_of_a_later_version_stops_the_reading():
    state = Bindings(Archive())
    first = bind(state, role="reader")
    second = bind(state, session="s-3", role="reader")
    with pytest.raises(Corrupt):
        bindings.replay(Bindings(Archive()), second)
    other = Bindings(Archive())
    bindings.replay(other, first)
    with pytest.raises(Corrupt):
        bindings.replay(other, second.replace(b'"why"', b'"wHy"')[:-1])
    later = json.loads(first) | {"type": "session-unbound"}
    line = json.dumps(later, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    with pytest.raises(Newer):
        bindings.replay(Bindings(Archive()), line)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["s-1", "s-2", "s-3"]),
            st.sampled_from(["a", "b"]),
            st.sampled_from(bindings.ROLES),
        ),
        max_size=12,
    )
)
def test_a_replay_through_any_checkpoint_gives_the_same(wishes):
    state, lines = Bindings(Archive()), []
    for session, chat, role in wishes:
        owner = state.owner_of("team", chat)
        takes = role == "owner" and owner and owner["session"] != session
        previous = {key: owner[key] for key in ("host", "session")} if takes else None
        lines.append(
            bind(
                state,
                ("team", chat),
                session=session,
                role=role,
                previous=previous,
            )
        )
    for cut in range(len(lines) + 1):
        again = Bindings(Archive())
        for number, line in enumerate(lines):
            if number == cut:
                again = bindings.load(bindings.dump(again), Archive())
            bindings.replay(again, line)
        assert bindings.document(again) == bindings.document(state)
    owners = [r for r in state.sessions.values() if r["role"] == "owner"]
    assert len({bindings.place(record) for record in owners}) == len(owners)
