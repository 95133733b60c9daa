"""Cursors stay behind material whose decision was put off, and lose nothing else."""

from git_intent.scan.artifacts import Candidate, Reach, Sources
from git_intent.scan.deferral import History, hold_back
from git_intent.store.requirement import Kind, Provenance
from git_intent.store.scan_state import ScanState, ScanStates

# r - a - b - c - d   and a side branch  r - x, merged into d
PARENTS = {"a": "r", "b": "a", "c": "b", "d": "c", "x": "r", "r": ""}
ABOVE = {
    "r": "r",
    "a": "ra",
    "b": "rab",
    "c": "rabc",
    "x": "rx",
    "d": "rabcxd",
}
HISTORY = {"": History(PARENTS.__getitem__, lambda old, new: old in ABOVE[new])}


def commit(oid):
    return Candidate("Use tabs.", Provenance(Kind.COMMIT, oid), path=oid)


def document(path):
    return Candidate("Use tabs.", Provenance(Kind.DOC, f"{path}#style"), path=path)


def cursor(*oids, start="r"):
    sources = Sources("d", start, next_cursor="d")
    held = hold_back(sources, map(commit, oids), ScanStates(), HISTORY)
    return held.next_cursor


def test_the_cursor_stops_before_the_oldest_deferred_commit():
    assert cursor("c") == "b"
    assert cursor("c", "b") == "a"
    assert cursor("b", "c") == "a"


def test_it_never_goes_back_behind_what_was_read():
    assert cursor("b", start="a") == "a"
    assert cursor("x", start="a") == "a"
    assert cursor("b", "x", start="r") == "a"


def test_on_a_first_scan_it_stops_at_the_parent_or_does_not_move():
    assert cursor("b", start="") == "a"
    assert cursor("r", start="") == ""


def test_a_document_counts_as_it_was_read_last():
    sources = Sources("d", "r", documents={"a.md": "new", "b.md": "new", "c.md": "n"})
    states = ScanStates().put(ScanState(scanned_docs={"a.md": "old"}), "")
    held = hold_back(
        sources, [document("a.md"), document("b.md")], states, HISTORY
    ).documents
    assert held == {"a.md": "old", "c.md": "n"}


def test_a_run_stays_unread():
    sources = Sources("d", "r", runs=("r1", "r2"))
    said = Candidate("Use tabs.", Provenance(Kind.TRANSCRIPT, "r1"), path="x.log")
    assert hold_back(sources, [said], ScanStates(), HISTORY).runs == ("r2",)


def test_a_listed_repository_has_cursors_of_its_own():
    reach = Reach("d", "r", "d", {"a.md": "new"})
    sources = Sources("d", "r", next_cursor="d", others={"api": reach})
    waiting = [
        Candidate("A.", Provenance(Kind.COMMIT, "repos/api@c")),
        Candidate("B.", Provenance(Kind.DOC, "repos/api/a.md"), path="repos/api/a.md"),
    ]
    history = {**HISTORY, "api": HISTORY[""]}
    held = hold_back(sources, waiting, ScanStates(), history)
    assert held.next_cursor == "d"
    assert held.others["api"] == Reach("d", "r", "b", {})
