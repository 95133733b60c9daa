"""Evidence is bounded, counted where it was dropped, and never the only copy lost."""

import errno
import json
import os
from pathlib import Path

import pytest

from git_intent.errors import IntentError
from git_intent.ledger.faults import Evidence, fault_of


@pytest.fixture
def evidence(memory):
    (memory / "chat").mkdir()
    return Evidence(str(memory / "chat"))


def size(evidence, kind):
    paths = [Path(evidence.folder, name) for name in evidence.names(kind)]
    return sum(path.stat().st_size for path in paths)


def refuse(evidence, first, count):
    for n in range(first, first + count):
        failed = evidence.record("rejection", {"n": n, "message": "no" * 2000})
        assert failed is None


def test_l080_refusals_keep_their_bounds_and_drop_nothing_else(evidence):
    evidence.record("fault", {"message": "an append failed"})
    tail = evidence.keep_tail(b"torn", elsewhere=False)
    refuse(evidence, 0, 300)
    names = evidence.names("rejection")
    assert len(names) == 256
    assert size(evidence, "rejection") <= 1 << 20
    assert evidence.dropped()["rejection"] == 44
    kept = [json.loads(Path(evidence.folder, n).read_bytes())["n"] for n in names]
    assert kept == list(range(44, 300))
    assert len(evidence.names("fault")) == 1
    assert evidence.names("tail") == [tail]


@pytest.mark.parametrize("each", [45, pytest.param(1250, marks=pytest.mark.soak)])
def test_l080_eight_processes_at_once(evidence, each):
    children = []
    for n in range(8):
        child = os.fork()
        if not child:
            code = 1
            try:
                refuse(evidence, n * each, each)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    assert len(evidence.names("rejection")) == 256
    assert evidence.dropped()["rejection"] == 8 * each - 256


def test_a_record_never_takes_more_than_its_bound(evidence):
    evidence.record(
        "fault",
        {
            "message": "\u2028" * 100_000,
            "ids": [f"src-{n:032x}" for n in range(10_000)],
            "deep": {"text": "x" * 10_000},
            "path": "/" + "p" * 5000,
        },
    )
    (name,) = evidence.names("fault")
    assert Path(evidence.folder, name).stat().st_size <= 4096


def test_tails_that_are_elsewhere_go_first_and_the_others_stay(evidence):
    only = [evidence.keep_tail(b"only %d" % n, elsewhere=False) for n in range(40)]
    for n in range(60):
        evidence.keep_tail(b"copy %d" % n, elsewhere=True)
    names = evidence.names("tail")
    assert len(names) == 64
    assert set(only) <= set(names)
    assert evidence.dropped()["tail"] == 36


def test_tails_that_exist_nowhere_else_are_never_dropped(evidence):
    only = [evidence.keep_tail(b"only %d" % n, elsewhere=False) for n in range(70)]
    large = evidence.keep_tail(b"x" * (5 << 20), elsewhere=False)
    assert evidence.names("tail") == [*only, large]
    assert evidence.dropped()["tail"] == 0


def test_large_copies_are_dropped_by_their_bytes(evidence):
    for n in range(6):
        evidence.keep_tail(bytes([n]) * (1 << 20), elsewhere=True)
    assert len(evidence.names("tail")) == 4
    assert size(evidence, "tail") <= 4 << 20


def test_a_tail_is_kept_once(evidence):
    first = evidence.keep_tail(b"torn", elsewhere=True)
    assert evidence.keep_tail(b"torn", elsewhere=True) == first
    only = evidence.keep_tail(b"torn", elsewhere=False)
    assert only != first  # now it is the only copy
    assert evidence.keep_tail(b"torn", elsewhere=True) in (first, only)


def test_without_a_ledger_there_is_no_evidence(memory):
    assert Evidence(f"{memory}/none").record("rejection", {}) is None
    assert not (memory / "none").exists()


def test_l081_a_record_that_cannot_be_kept_is_a_fault(evidence):
    Path(evidence.folder).write_bytes(b"")
    failed = evidence.record("rejection", {})
    assert failed is not None
    assert (failed.kind, failed.errno) == ("evidence", errno.EEXIST) or failed.errno


def test_a_count_that_cannot_be_read_starts_again(evidence):
    refuse(evidence, 0, 257)
    Path(evidence.folder, "dropped").write_bytes(b"[")
    refuse(evidence, 257, 1)
    assert evidence.dropped()["rejection"] == 1


def test_an_error_becomes_a_fault_with_errno_and_path():
    cause = OSError(errno.EROFS, "Read-only file system", "/home/x")
    wrapped = IntentError("x: Read-only file system")
    wrapped.__cause__ = cause
    for error in (cause, wrapped):
        fault = fault_of("append", error, ("ev-1",))
        assert (fault.errno, fault.path, fault.ids) == (30, "/home/x", ("ev-1",))
        assert "Read-only" in fault.message
    assert fault_of("append", IntentError("words")).as_json() == {
        "kind": "append",
        "message": "words",
        "errno": None,
        "path": None,
        "ids": [],
    }
