"""The run directory: ids, artifacts, secrets, pruning."""

import json
import stat
from datetime import UTC, datetime, timedelta

import pytest

from git_intent.errors import IntentError
from git_intent.scan import run as runs
from git_intent.scan.run import Stage, State

NOW = datetime(2026, 9, 13, 10, 0, 0, tzinfo=UTC)


def begin(common, now=NOW, stage=Stage.OPEN, project="/p"):
    return runs.start(common, State(project, "", stage=stage), now)


def test_run_ids_sort_by_the_time_they_began(tmp_path):
    ids = [begin(tmp_path, NOW + timedelta(seconds=s)).id for s in (0, 0, 0, 1, 60)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 5
    assert [r.id for r in runs.all_runs(tmp_path)] == ids


def test_a_run_directory_is_for_its_owner_alone(tmp_path):
    run = begin(tmp_path)
    for folder in (run.folder, run.folder.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_secrets_are_removed_from_every_artifact(tmp_path):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[:36]
    run = begin(tmp_path)
    run.write("sources.json", {"items": [{"text": f"use {token}", token: 1}]})
    assert token not in (run.folder / "sources.json").read_text()


def test_n056_a_missing_artifact_is_named_with_the_step_that_writes_it(tmp_path):
    run = begin(tmp_path)
    with pytest.raises(IntentError) as caught:
        run.read(runs.CANDIDATES)
    assert "candidates.json" in caught.value.message
    assert "scan-step extract" in caught.value.hint


def test_a_broken_artifact_is_an_error_with_its_path(tmp_path):
    run = begin(tmp_path)
    (run.folder / "sources.json").write_text("{")
    with pytest.raises(IntentError, match=r"sources\.json"):
        run.read(runs.SOURCES)
    (run.folder / "state.json").write_text("[]")
    with pytest.raises(IntentError, match=r"state\.json"):
        run.state()


def test_runs_are_pruned_to_twenty_and_to_fourteen_days(tmp_path):
    old = begin(tmp_path, NOW - timedelta(days=15), Stage.DONE)
    for minute in range(24):
        begin(tmp_path, NOW - timedelta(minutes=60 - minute), Stage.DONE)
    newest = begin(tmp_path)
    runs.prune(tmp_path, NOW, newest)
    left = runs.all_runs(tmp_path)
    assert len(left) == 20
    assert old.id not in [r.id for r in left]
    assert left[-1].id == newest.id


def test_a_run_whose_store_files_are_not_committed_yet_is_never_pruned(tmp_path):
    held = begin(tmp_path, NOW - timedelta(days=30), Stage.APPLIED)
    runs.prune(tmp_path, NOW, begin(tmp_path))
    assert held.id in [r.id for r in runs.all_runs(tmp_path)]


def test_foreign_folders_among_the_runs_are_left_alone(tmp_path):
    run = begin(tmp_path)
    (run.folder.parent / "notes").mkdir()
    runs.prune(tmp_path, NOW + timedelta(days=99), run)
    assert (run.folder.parent / "notes").is_dir()
    assert [r.id for r in runs.all_runs(tmp_path)] == [run.id]


def test_a_step_goes_on_with_the_newest_open_run_of_its_own_project(tmp_path):
    with pytest.raises(IntentError, match=r"domains\.json"):
        runs.newest_open(tmp_path, "/p")
    begin(tmp_path, stage=Stage.DONE)
    mine = begin(tmp_path)
    begin(tmp_path, project="/other")
    assert runs.newest_open(tmp_path, "/p").id == mine.id
    begin(tmp_path, stage=Stage.DONE)
    with pytest.raises(IntentError, match="no run under way"):
        runs.newest_open(tmp_path, "/p")


def test_a_state_survives_being_written_and_read(tmp_path):
    run = begin(tmp_path)
    state = State(
        "/p",
        "abc",
        "refs/heads/x",
        True,
        Stage.FAILED,
        (("extract", "fail"),),
        "",
        "why",
    )
    assert run.save(state) == run.state() == state
    again = state.with_step("extract", "success").with_step("reconcile", "none")
    assert again.steps == (("extract", "success"), ("reconcile", "none"))
    assert json.loads((run.folder / "state.json").read_text())["version"] == 1
