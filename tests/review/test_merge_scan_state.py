"""Two versions of the cursors become one, and nothing that was read is forgotten."""

from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent.review.merge_markers import sides
from git_intent.review.merge_scan_state import merge_scan_state
from git_intent.store.intent_dir import SCAN_STATE
from git_intent.store.scan_state import (
    ScanState,
    ScanStates,
    parse_scan_state,
    render_scan_state,
)
from tests.support.snapshots import T0, T1, T2

OLD, NEW, SIDE = (letter * 40 for letter in "abc")
A, B, C = (letter * 64 for letter in "abc")


def ancestor(old, new):
    return (old, new) == (OLD, NEW)


def form1(state, **extra):
    return render_scan_state(ScanStates(1, {"": state}, extra))


def merged(base, ours, theirs, **more):
    files = [
        one if isinstance(one, bytes | None) else form1(one)
        for one in (base, ours, theirs)
    ]
    done = merge_scan_state(SCAN_STATE, *files, ancestor=ancestor, **more)
    assert done.conflicts == ()
    return parse_scan_state(done.data, SCAN_STATE)


def test_the_cursor_is_the_descendant_else_ours():
    old, new, side = (ScanState(last_commit=oid) for oid in (OLD, NEW, SIDE))
    for pair in ((old, new), (new, old)):
        assert merged(None, *pair).get().last_commit == NEW
    assert merged(None, new, side).get().last_commit == NEW
    assert merged(None, side, new).get().last_commit == SIDE
    assert merged(None, ScanState(), side).get().last_commit == SIDE


def test_runs_of_both_and_the_latest_time():
    ours = ScanState(scanned_runs=("0777", "r-1"), last_scan_at=T2)
    theirs = ScanState(scanned_runs=("12:30", "r-1"), last_scan_at=T1)
    for pair in ((ours, theirs), (theirs, ours)):
        found = merged(form1(ScanState(last_scan_at=T0)), *pair).get()
        assert found.scanned_runs == ("0777", "12:30", "r-1")
        assert found.last_scan_at == T2


def docs(**digests):
    named = {f"{name}.md": digest for name, digest in digests.items()}
    return ScanState(scanned_docs=named)


def test_a_document_has_the_entry_of_the_side_that_read_it_anew():
    base = docs(both=A, ours=A, theirs=A, gone=A, none=A)
    ours = docs(both=B, ours=B, theirs=A, none=B, added=B)
    theirs = docs(both=B, ours=A, theirs=C, gone=A, none=C, new=C)
    wanted = docs(both=B, ours=B, theirs=C, added=B, new=C)
    assert merged(base, ours, theirs).get() == wanted
    known = {"none.md": C, "ours.md": A, "both.md": C}
    found = merged(base, ours, theirs, documents=known).get().scanned_docs
    assert found == wanted.scanned_docs | {"none.md": C, "ours.md": A}


def test_a_document_that_both_added_differently_is_read_again():
    assert merged(None, docs(a=A, b=A), docs(a=B, b=A)).get() == docs(b=A)


def test_forms_meet_in_the_second_one():
    ours = ScanStates(1, {"": ScanState(OLD, ("r",))}, {"x-note": "kept"})
    theirs = ScanStates(
        2,
        {
            "": ScanState(NEW, last_scan_at=T1),
            "api": ScanState(SIDE, scanned_docs={"a.md": A}, last_scan_at=T1),
        },
    )
    for pair in ((ours, theirs), (theirs, ours)):
        found = merged(None, *map(render_scan_state, pair))
        assert found.form == 2
        assert found.get().last_commit == NEW
        assert found.get().scanned_runs == ("r",)
        assert found.get("api").scanned_docs == {"a.md": A}
        assert found.extra == {"x-note": "kept"}


def test_cursors_of_other_repositories_go_by_who_moved_them():
    def state(oid):
        return render_scan_state(ScanStates(2, {"api": ScanState(oid)}))

    assert merged(state(SIDE), state(SIDE), state(OLD)).get("api").last_commit == OLD
    assert merged(state(SIDE), state(OLD), state(NEW)).get("api").last_commit == OLD


def test_a_state_that_cannot_be_read_stands_beside_the_other():
    done = merge_scan_state(
        SCAN_STATE, None, b"- x\n", form1(docs(a=A)), ancestor=ancestor
    )
    assert "ours cannot be read" in done.conflicts[0].message
    assert sides(done.data).ours == b"- x\n"
    broken = b"<<<<<<<<< base\n"
    assert merged(broken, docs(a=A), docs(b=B)).get() == docs(a=A, b=B)


states = st.builds(
    ScanState,
    st.sampled_from(["", OLD, NEW, SIDE]),
    st.lists(st.sampled_from("pqr"), unique=True).map(lambda x: tuple(sorted(x))),
    st.dictionaries(st.sampled_from(["a.md", "b.md"]), st.sampled_from([A, B, C])),
    st.sampled_from(["", T0, T1]),
)


@settings(max_examples=100, deadline=None)
@given(states, states, states)
def test_any_merge_reads_and_forgets_no_run(base, ours, theirs):
    one, two = (merged(base, *pair).get() for pair in ((ours, theirs), (theirs, ours)))
    if base not in (ours, theirs):
        assert set(one.scanned_runs) == {*ours.scanned_runs, *theirs.scanned_runs}
    assert one.scanned_docs == two.scanned_docs
    for path, digest in one.scanned_docs.items():
        assert digest in (ours.scanned_docs.get(path), theirs.scanned_docs.get(path))
    assert merged(base, ours, ours).get() == ours
