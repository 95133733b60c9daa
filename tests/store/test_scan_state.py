"""scan-state.yaml in both forms."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.store.malformed import MalformedFile
from git_intent.store.scan_state import (
    ScanState,
    ScanStates,
    parse_scan_state,
    render_scan_state,
)

ONE = b"""last_commit: 3f2a0c
scanned_runs: [no, 0777, '1e10', 12:30]
scanned_docs:
    CLAUDE.md: 5e88
    "docs/a: b.md": "0123456"
last_scan_at: 2026-09-13T10:00:00.123456789Z
x-mine: {a: [b, {c: no}], d: {}, e: []}
"""
TWO = b"""repos:
    "":
        last_commit: 3f2a0c
        scanned_docs:
            README.md: aa
    api:
        scanned_runs:
            - r-1
last_scan_at: 2026-09-13T10:00:00Z
last_scan_stats:
    repos:
        - name: ""
          docs_new: 1
          bytes: 0777
        - name: api
"""


def test_n015_n030_form_1_is_read_as_text():
    states = parse_scan_state(ONE, "s.yaml")
    assert states.form == 1
    assert states.get() == ScanState(
        "3f2a0c",
        ("no", "0777", "1e10", "12:30"),
        {"CLAUDE.md": "5e88", "docs/a: b.md": "0123456"},
        "2026-09-13T10:00:00.123456789Z",
    )
    assert states.extra == {"x-mine": {"a": ["b", {"c": "no"}], "d": {}, "e": []}}


def test_n030_form_1_is_written_in_form_1_with_unknown_keys():
    states = parse_scan_state(ONE, "s.yaml")
    written = render_scan_state(states)
    assert written == (
        b"last_commit: 3f2a0c\n"
        b"scanned_runs:\n"
        b'  - "0777"\n  - "12:30"\n  - "1e10"\n  - "no"\n'
        b"scanned_docs:\n"
        b'  CLAUDE.md: "5e88"\n  "docs/a: b.md": "0123456"\n'
        b"last_scan_at: 2026-09-13T10:00:00.123456789Z\n"
        b'x-mine:\n  a:\n    - b\n    - c: "no"\n  d: {}\n  e: []\n'
    )
    assert render_scan_state(parse_scan_state(written, "s")) == written


def test_n030_form_2_is_read_and_kept():
    states = parse_scan_state(TWO, "s.yaml")
    assert states.form == 2
    assert set(states.repositories) == {"", "api"}
    assert states.get("api").scanned_runs == ("r-1",)
    assert states.get("api").last_scan_at == "2026-09-13T10:00:00Z"
    written = render_scan_state(states)
    assert written == (
        b'repos:\n  "":\n    last_commit: 3f2a0c\n    scanned_docs:\n'
        b"      README.md: aa\n  api:\n    scanned_runs:\n      - r-1\n"
        b"last_scan_at: 2026-09-13T10:00:00Z\n"
        b'last_scan_stats:\n  repos:\n    - name: ""\n      docs_new: "1"\n'
        b'      bytes: "0777"\n    - name: api\n'
    )
    assert parse_scan_state(written, "s") == states


def test_n030_a_stamp_of_one_repository_leaves_those_of_others():
    states = parse_scan_state(TWO, "s.yaml")
    later = replace(states.get("api"), last_scan_at="2026-10-01T00:00:00Z")
    written = render_scan_state(states.put(later, "api"))
    assert b"\nlast_scan_at: 2026-10-01T00:00:00Z\n" in written
    read = parse_scan_state(written, "s")
    assert read.get("api").last_scan_at == "2026-10-01T00:00:00Z"
    assert read.get("").last_scan_at == "2026-09-13T10:00:00Z"


def test_a_second_repository_brings_form_2():
    states = parse_scan_state(b"last_commit: aa\n", "s").put(ScanState("bb"), "api")
    assert states.form == 2
    assert parse_scan_state(render_scan_state(states), "s") == states
    with pytest.raises(IntentError, match="need form 2"):
        render_scan_state(replace(states, form=1))


def test_nothing_is_an_empty_state():
    for data in (b"", b"# nothing\n", b"{}\n"):
        assert parse_scan_state(data, "s") == ScanStates()
    assert ScanStates().get() == ScanState()
    assert render_scan_state(ScanStates()) == b""
    empty = ScanStates(2, {"": ScanState()})
    assert parse_scan_state(render_scan_state(empty), "s") == empty


def test_unknown_keys_of_an_entry_survive_a_new_state():
    states = parse_scan_state(b"repos: {api: {x-mine: 1, last_commit: a}}\n", "s")
    written = render_scan_state(states.put(ScanState("b"), "api"))
    assert written == b'repos:\n  api:\n    last_commit: b\n    x-mine: "1"\n'


def test_equal_states_are_equal_bytes_whatever_their_order():
    one = ScanState("a", ("r-2", "r-1"), {"b": "1", "a": "2"})
    two = ScanState("a", ("r-1", "r-2", "r-1"), {"a": "2", "b": "1"})
    assert render_scan_state(ScanStates().put(one)) == (
        render_scan_state(ScanStates().put(two))
    )


@pytest.mark.parametrize(
    "name", ["d/" * 2000 + "a.md", "a\nb.md", "ü\u0308: #.md", "? a"]
)
def test_n034_any_name_of_a_document_is_read_back(name):
    states = ScanStates().put(ScanState("a", (), {name: "1e1", "z.md": "aa"}))
    assert parse_scan_state(render_scan_state(states), "s") == states


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"- a\n", "1:1: I008"),
        (b"last_commit: [a]\n", "1:14: I008"),
        (b"scanned_runs: x\n", "1:15: I008"),
        (b"scanned_docs: [x]\n", "1:15: I008"),
        (b"scanned_docs: {x: [y]}\n", "1:19: I008"),
        (b"last_scan_at: soon\n", "1:15: I008"),
        (b"repos: [x]\n", "1:8: I008"),
        (b"repos: {x: y}\n", "1:12: I008"),
        (b"a: 1\na: 2\n", "2:1: I004"),
        (b"a: 1\n<<<<<<< ours\n", "2:1: I006"),
        (b"\xff", "1:1: I001"),
    ],
)
def test_n024_what_is_broken_is_named(data, found):
    with pytest.raises(MalformedFile) as caught:
        parse_scan_state(data, "s.yaml")
    assert str(caught.value).startswith(f"s.yaml:{found}")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
STATE = st.builds(
    ScanState,
    st.from_regex(r"[0-9a-f]{0,40}", fullmatch=True),
    st.lists(TEXT, unique=True, max_size=4).map(lambda runs: tuple(sorted(runs))),
    st.dictionaries(TEXT, TEXT, max_size=4),
    st.sampled_from(["", "2026-09-13T10:00:00Z", "2026-09-13T10:00:00.5+02:00"]),
    st.dictionaries(
        TEXT.map("x-{}".format),
        st.recursive(
            TEXT,
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=3,
    ),
)


@settings(derandomize=True, deadline=None, max_examples=200, database=None)
@given(STATE, st.dictionaries(TEXT, STATE, max_size=3))
def test_what_is_written_is_read_back(state, repositories):
    one = ScanStates(1, {"": replace(state, extra={})}, {"x-": "a", **state.extra})
    assert parse_scan_state(render_scan_state(one), "s") == one
    two = ScanStates(2, repositories)
    written = render_scan_state(two)
    read = parse_scan_state(written, "s")
    assert render_scan_state(read) == written
    for name, held in repositories.items():
        assert replace(read.get(name), last_scan_at="") == replace(
            held, last_scan_at=""
        )
