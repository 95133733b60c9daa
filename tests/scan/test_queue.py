"""The queue of completed runs, as it lies on disk."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_intent.errors import IntentError
from git_intent.scan import queue
from git_intent.scan.queue import Entry

NOW = datetime(2026, 9, 13, 10, 0, 0, 250000, tzinfo=UTC)


@pytest.fixture
def common(tmp_path):
    return tmp_path / "git"


def put(common, run, now=NOW):
    return queue.put(common, queue.entry(run, common / "tree", "", now))


def test_runs_come_out_in_the_order_in_which_they_were_completed(common):
    for number, run in enumerate(("z", "A", "a/b", "a", "x" * 300, "é.lock")):
        put(common, run, NOW + timedelta(microseconds=number))
    found = [one.run for one in queue.entries(common)]
    assert found == ["z", "A", "a/b", "a", "x" * 300, "é.lock"]
    for one in queue.entries(common):
        queue.remove(common, one)
    assert queue.entries(common) == []


def test_there_is_no_queue_where_nothing_was_ever_queued(common):
    assert queue.entries(common) == []


def test_a_run_waits_once_however_often_it_is_completed(common):
    put(common, "R")
    put(common, "R", NOW + timedelta(seconds=1))
    (found,) = queue.entries(common)
    assert found.queued_at == "2026-09-13T10:00:01.250000Z"


def test_one_that_was_completed_again_meanwhile_is_not_removed(common):
    old = put(common, "R")
    put(common, "R", NOW + timedelta(seconds=1))
    queue.remove(common, old)
    assert len(queue.entries(common)) == 1
    assert not queue.waits(common, old)


@pytest.mark.parametrize(
    "data", [b"", b"x", b"[]", b"{}", b'{"version":2,"run":"y"}', b"[" * 9999]
)
def test_a_file_of_which_nothing_can_be_read_names_its_run(common, data):
    put(common, "Run/1")
    (path,) = queue.folder(common).iterdir()
    path.write_bytes(data)
    (found,) = queue.entries(common)
    assert (found.run, found.root, found.due(NOW)) == ("Run/1", "", True)
    queue.remove(common, found)
    assert queue.entries(common) == []


def test_what_is_no_file_is_an_error_that_names_it(common):
    (queue.folder(common) / "strange").mkdir(parents=True)
    with pytest.raises(IntentError, match="strange"):
        queue.entries(common)


def test_files_written_aside_are_no_runs(common):
    put(common, "R")
    (queue.folder(common) / ".R.tmp-1").write_bytes(b"")
    assert [one.run for one in queue.entries(common)] == ["R"]


def test_tries_get_rarer_and_never_end():
    one = Entry("R")
    minutes = []
    for _ in range(9):
        one = one.begun(NOW)
        minutes.append(
            next(m for m in range(2000) if one.due(NOW + timedelta(minutes=m)))
        )
    assert minutes == [0, 1, 4, 16, 64, 256, 1024, 1440, 1440]


@given(st.text(min_size=1, max_size=400))
def test_every_name_of_a_run_has_a_file_of_its_own(tmp_path_factory, run):
    common = tmp_path_factory.mktemp("git")
    put(common, run)
    put(common, f"{run}x")
    assert {one.run for one in queue.entries(common)} == {run, f"{run}x"}
    queue.forget(common, run)
    assert [one.run for one in queue.entries(common)] == [f"{run}x"]
