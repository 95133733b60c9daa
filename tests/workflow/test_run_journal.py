"""The journal of a run under way: one owner, nothing forgotten, nothing left."""

import os
import threading

import pytest

from git_intent.errors import IntentError
from git_intent.workflow.run_journal import OUTPUT_CAP, RunJournal
from git_intent.workflow.run_state import Level, RunState, Seen, Visited

FRESH = RunState("main", "k3f9", {})


def visit(step="a", state=Seen.STARTED, number=1, **more):
    return Visited("", "main", step, number, "run", state.value, **more)


def noted(tmp_path, *visits):
    journal = RunJournal(tmp_path, "r1")
    with journal.held():
        for at, one in enumerate(visits):
            journal.note("", Level("main", {"at": at}, one.name), one, {"n": str(at)})
    return journal


def test_what_was_noted_is_read_back_in_order(tmp_path):
    done = visit(state=Seen.FINISHED, result="success", code=0, logs=("x.log",))
    journal = noted(tmp_path, visit(), done, visit("b"))
    state = journal.replayed(FRESH)
    assert state.visits == {done.key: done, visit("b").key: visit("b")}
    assert state.levels == {"": Level("main", {"at": 2}, "b#1")}
    assert state.rows == {"n": "2"}


def test_a_line_that_was_cut_short_was_not_noted(tmp_path):
    journal = noted(tmp_path, visit(), visit("b"))
    path = journal.folder / "journal"
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    for size in range(start, len(whole)):
        path.write_bytes(whole[:size])
        assert len(journal.replayed(FRESH).visits) == 1
    with journal.held():  # and what is noted behind it counts
        journal.note("", Level("main", {}), visit("c"))
    assert set(journal.replayed(FRESH).visits) == {visit().key, visit("c").key}


def test_a_damaged_line_is_named(tmp_path):
    journal = noted(tmp_path, visit(), visit("b"))
    path = journal.folder / "journal"
    path.write_bytes(path.read_bytes().replace(b'"visit"', b"visit", 1))
    with pytest.raises(IntentError, match="journal:1: is damaged"):
        journal.replayed(FRESH)


def test_without_a_journal_the_record_is_all_there_is(tmp_path):
    assert RunJournal(tmp_path, "r1").replayed(FRESH) == FRESH


def test_one_process_runs_a_run(tmp_path):
    journal = RunJournal(tmp_path, "r1")
    assert not journal.is_held()
    with journal.held():
        assert journal.is_held()
        assert RunJournal(tmp_path, "r1").is_held()
        with (
            pytest.raises(IntentError, match="under way in another process"),
            RunJournal(tmp_path, "r1").held(),
        ):
            pass
        assert not RunJournal(tmp_path, "r2").is_held()
    assert not journal.folder.exists()


def test_of_many_who_want_a_run_one_at_a_time_has_it(tmp_path):
    inside, most, refused = 0, 0, 0
    turn = threading.Lock()

    def work():
        nonlocal inside, most, refused
        for _ in range(50):
            try:
                with RunJournal(tmp_path, "r1").held():
                    with turn:
                        inside += 1
                        most = max(most, inside)
                    with turn:
                        inside -= 1
            except IntentError:
                refused += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert refused < 200


def test_the_folder_stays_as_long_as_the_run_has_not_ended(tmp_path):
    journal = noted(tmp_path, visit())
    assert (journal.folder.stat().st_mode & 0o777) == 0o700
    assert journal.folder.exists()
    with journal.held():
        journal.keep_output("", "a#1", b"said")
        journal.end()
    assert not journal.folder.exists()


def test_the_last_words_of_a_level_are_kept_to_a_bound(tmp_path):
    journal = noted(tmp_path, visit())
    journal.keep_output("", "a#1", b"x" * OUTPUT_CAP + b"END")
    journal.keep_output("a#1", "b#1", b"below")
    journal.keep_output("", "c#1", b"")
    assert journal.output("", "a#1").endswith(b"END")
    assert len(journal.output("", "a#1")) == OUTPUT_CAP
    assert journal.output("a#1", "b#1") == b"below"
    assert journal.output("", "c#1") == journal.output("", "") == b""
    journal.drop_output("", "a#1")
    assert journal.output("", "a#1") == b""


def test_rows_of_a_step_are_taken_once_and_are_a_file(tmp_path):
    journal = noted(tmp_path, visit())
    one = visit(mark="1-2")
    assert journal.take_rows(one) == b""
    journal.rows_file(one).write_bytes(b"a=b\n")
    assert journal.take_rows(one) == b"a=b\n"
    assert journal.take_rows(one) == b""
    os.mkfifo(journal.rows_file(one))
    assert journal.take_rows(one) == b""
    journal.rows_file(one).symlink_to("/etc/passwd")
    assert journal.take_rows(one) == b""


def test_long_and_odd_names_have_folders_of_their_own(tmp_path):
    names = ["..", "a/b", "a%2fb", "n" * 1000, "n" * 1001, "É", "é"]
    folders = {RunJournal(tmp_path, name).folder for name in names}
    assert len(folders) == len(names)
    assert {folder.parent for folder in folders} == {tmp_path / "intent/running"}
    for name in names:
        with RunJournal(tmp_path, name).held():
            pass
