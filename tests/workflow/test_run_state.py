"""What a run did: as it is kept, and as it is read back."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.files import canonical_json
from git_intent.workflow.run_state import (
    Level,
    RunState,
    Seen,
    Visited,
    from_json,
    to_json,
)

TEXT = st.text(max_size=8)
VISITS = st.builds(
    Visited,
    level=TEXT,
    workflow=TEXT,
    step=TEXT,
    number=st.integers(1, 9),
    kind=TEXT,
    state=st.sampled_from([s.value for s in Seen]),
    result=TEXT,
    code=st.none() | st.integers(-15, 255),
    reason=TEXT,
    started_at=TEXT,
    ended_at=TEXT,
    mark=TEXT,
    logs=st.lists(TEXT, max_size=2).map(tuple),
)
STATES = st.builds(
    RunState,
    workflow=TEXT,
    attempt=TEXT,
    definitions=st.dictionaries(TEXT, TEXT, max_size=2),
    levels=st.dictionaries(
        TEXT, st.builds(Level, TEXT, st.dictionaries(TEXT, TEXT), TEXT), max_size=2
    ),
    visits=st.lists(VISITS, max_size=3).map(lambda vs: {v.key: v for v in vs}),
    outcome=TEXT,
    reason=TEXT,
)


@given(STATES)
def test_what_is_written_is_read_back(state):
    assert from_json(to_json(state)) == state


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = ("workflow", "attempt", "outcome", "reason", "definitions", "levels", "visits")


@given(STATES, st.sampled_from(KEYS), JSON)
def test_any_other_value_is_refused_with_its_place(state, key, value):
    data = canonical_json({**json.loads(to_json(state)), key: value})
    with suppress(IntentError):
        found = from_json(data)
        assert from_json(to_json(found)) == found
        return
    with pytest.raises(IntentError, match=f"run.json: /{key}"):
        from_json(data)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"[" * 100_000, b'{"version": 2}'])
def test_what_is_no_record_is_refused(data):
    with pytest.raises(IntentError, match=r"run\.json: /"):
        from_json(data)


def level(*running: tuple[str, int]) -> Level:
    rows = [{"step": step, "number": number, "result": ""} for step, number in running]
    return Level("w", {"running": rows})


def test_unfinished_are_visits_that_run_and_what_runs_below_them():
    visits = [
        Visited("", "w", "a", 1, "workflow_name"),
        Visited("", "w", "b", 1, "run", Seen.FINISHED),
        Visited("a#1", "x", "c", 2, "run"),
        Visited("old#1", "x", "c", 1, "run"),
    ]
    state = RunState(
        "w",
        "k3f9",
        {},
        {"": level(("a", 1)), "a#1": level(("c", 2)), "old#1": level(("c", 1))},
        {visit.key: visit for visit in visits},
    )
    assert state.unfinished() == [visits[0], visits[2]]


@pytest.mark.parametrize("running", [None, 3, [None], [["a", 1]], [{"step": "zz"}]])
def test_a_level_that_makes_no_sense_has_nothing_unfinished(running):
    state = RunState("w", "k3f9", {}, {"": Level("w", {"running": running})})
    assert state.unfinished() == []
