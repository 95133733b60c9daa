"""The sources artifact as a whole: the same bytes everywhere, cursors that follow."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from git_intent.files import canonical_json
from git_intent.git.repository import Repository
from git_intent.scan import run as runs
from git_intent.scan.artifacts import sources_from_json, sources_to_json
from git_intent.scan.bookkeeping import advance
from git_intent.scan.collect import Limit, Options, collect, collect_limited
from git_intent.store.intent_dir import SCAN_STATE
from git_intent.store.scan_state import (
    ScanStates,
    parse_scan_state,
    render_scan_state,
)

NOW = datetime(2026, 9, 13, 10, tzinfo=UTC)


def collected(repo, states=None, **options):
    opened = Repository.discover(repo.path)
    return collect(opened, states or ScanStates(), Options(**options))


def manifest(sources):
    return canonical_json(sources_to_json(sources))


def used(repo, states=None, **options):
    """The cursors once everything that is new was used."""
    states = states or ScanStates()
    return advance(states, collected(repo, states, **options), NOW)


def refs(sources):
    return [item.ref for item in sources.items]


def record(repo, states):
    """Commit the cursors, as a scan does."""
    repo.write(SCAN_STATE, render_scan_state(states))
    repo.git("add", SCAN_STATE)
    repo.git("commit", "-q", "-m", "intent scan: created 1\n\nIntent-Scan: x")


@pytest.fixture
def project(repo):
    repo.commit_files(
        {
            "CLAUDE.md": "Never push.\n",
            "docs/b.md": "# B\n",
            "docs/a.md": "# A\n",
            "docs/NUL.md": b"\0",
        },
        "Write it down",
    )
    return repo


def test_n058_two_clones_give_the_same_bytes(project, tmp_path, monkeypatch):
    project.git("clone", "-q", project.path, tmp_path / "twin")
    twin = type(project)(tmp_path / "twin")
    here = manifest(collected(project))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    assert manifest(collected(twin)) == here
    states = used(project)
    for one in (project, twin):
        one.commit("More\n\nAlways more.", c="x")
    assert manifest(collected(project, states)) == manifest(collected(twin, states))


def test_n058_the_artifact_reads_back_as_it_was(project):
    sources = collected(project)
    assert sources_from_json(sources_to_json(sources)) == sources


def test_n030_cursors_move_with_material_and_not_without(project):
    states = used(project)
    own = states.get()
    assert own.last_commit == project.head()
    assert sorted(own.scanned_docs) == ["CLAUDE.md", "docs/a.md", "docs/b.md"]
    assert own.last_scan_at == "2026-09-13T10:00:00Z"
    later = datetime(2027, 1, 1, tzinfo=UTC)
    sources = collected(project, states)
    assert sources.nothing_new
    assert advance(states, sources, later) is states


@pytest.mark.parametrize("form", [1, 2])
def test_n030_the_form_of_the_file_is_kept(project, form):
    text = "last_commit: ''\nx-team: blue\n"
    if form == 2:
        text = 'repos:\n  "":\n    last_commit: ""\nx-team: blue\n'
    states = parse_scan_state(text.encode(), SCAN_STATE)
    moved = used(project, states)
    assert moved.form == form
    assert b"x-team: blue\n" in render_scan_state(moved)
    again = parse_scan_state(render_scan_state(moved), SCAN_STATE)
    assert collected(project, again).nothing_new


def test_n064_the_scan_after_its_own_commit_has_nothing_new(project):
    states = used(project)
    record(project, states)
    for path in ("CLAUDE.md", "docs/a.md"):
        os.utime(project.path / path, (1, 1))
    sources = collected(project, states)
    assert sources.nothing_new
    assert sources.next_cursor == states.get().last_commit


def test_n065_commits_without_a_rule_move_the_cursor_once(project):
    states = used(project)
    record(project, states)
    head = project.commit("Fix a typo", d="x")
    states = used(project, states)
    assert states.get().last_commit == head
    record(project, states)
    assert collected(project, states).nothing_new


def test_n065_noise_alone_moves_nothing(project):
    states = used(project)
    project.commit("v1.2.3", d="x")
    sources = collected(project, states)
    assert sources.nothing_new
    assert sources.next_cursor == states.get().last_commit


def test_n090_full_reads_everything_and_leaves_a_quiet_project_as_it_is(project):
    states = used(project)
    record(project, states)
    sources = collected(project, states, full=True)
    assert len(sources.items) == len(collected(project).items)
    assert advance(states, sources, NOW) == states
    assert collected(project, states).nothing_new


def test_n090_full_after_new_commits_moves_the_cursor(project):
    states = used(project)
    head = project.commit("Always more", d="x")
    assert used(project, states, full=True).get().last_commit == head


def test_n093_what_lies_beyond_the_bound_counts_as_read(project):
    for number in range(5):
        project.commit(f"Rule {number}")
    states = used(project, max_commits=2)
    assert states.get().last_commit == project.head()
    assert collected(project, states).nothing_new
    everything = collected(project, states, full=True, max_commits=0)
    assert len([i for i in everything.items if i.kind == "commit"]) == 6


def test_n066_a_lost_cursor_alone_moves_nothing(project):
    states = used(project)
    record(project, states)
    project.git("commit", "-q", "--amend", "--no-edit", "--reset-author")
    sources = collected(project, states)
    assert sources.nothing_new
    first = project.git("rev-parse", "HEAD~1")
    assert sources.next_cursor == first


def test_n067_neither_side_is_mined_twice_after_a_merge(project):
    base = used(project)
    record(project, base)
    project.git("checkout", "-q", "-b", "topic")
    project.commit_files({"docs/topic.md": "# Topic\n"}, "Topic rule")
    theirs = used(project, base)
    record(project, theirs)
    project.git("checkout", "-q", "main")
    project.commit_files({"docs/main.md": "# Main\n"}, "Main rule")
    ours = used(project, base)
    record(project, ours)
    project.git("merge", "-q", "-s", "ours", "topic", "-m", "Merge branch 'topic'")
    project.git("checkout", "-q", "topic", "--", "docs/topic.md")
    project.git("commit", "-q", "--amend", "--no-edit")
    docs = {**ours.get().scanned_docs, **theirs.get().scanned_docs}
    from dataclasses import replace

    merged = ours.put(replace(ours.get(), scanned_docs=docs))
    assert collected(project, merged).nothing_new


def limited(repo, states, start, end):
    opened = Repository.discover(repo.path)
    return collect_limited(opened, states, Limit("r1", start, end), Options())


def test_n068_a_limited_scan_leaves_foreign_commits_unread(project):
    states = used(project)
    foreign = project.commit("Foreign rule", f="x")
    end = project.commit("Task rule", t="x")
    sources = limited(project, states, foreign, end)
    assert refs(sources) == [end]
    moved = advance(states, sources, NOW)
    assert moved.get().last_commit == states.get().last_commit
    assert refs(collected(project, moved)) == [foreign, end]


def test_n068_a_limited_scan_moves_on_if_nothing_foreign_lies_between(project):
    states = used(project)
    record(project, states)
    start = project.head()
    end = project.commit("Task rule", t="x")
    moved = advance(states, limited(project, states, start, end), NOW)
    assert moved.get().last_commit == end
    assert collected(project, moved).nothing_new


def test_n068_a_task_merged_by_squash_hides_nothing(project):
    states = used(project)
    project.git("checkout", "-q", "-b", "task")
    start = project.git("rev-parse", "main")
    end = project.commit("Task rule", t="x")
    project.git("checkout", "-q", "main")
    foreign = project.commit("Foreign rule", f="x")
    project.git("merge", "-q", "--squash", "task")
    project.git("commit", "-q", "-m", "Squashed")
    states = advance(states, limited(project, states, start, end), NOW)
    found = collected(project, states)
    assert refs(found) == [foreign, project.head()]


def test_a_limited_scan_does_not_read_what_a_plain_one_has_read(project):
    start = project.head()
    project.commit("Read", a="x")
    states = used(project)
    end = project.commit("Unread", b="x")
    sources = limited(project, states, start, end)
    assert refs(sources) == [end]
    assert sources.next_cursor == end


def test_n095_listed_repositories_have_their_own_cursors(project, tmp_path):
    api = type(project).init(tmp_path / "api")
    first = api.commit_files({"README.md": "# API\n"}, "Always version the API")
    listed = {"api": api.path, "gone": tmp_path / "gone", "here": project.path / "docs"}
    sources = collected(project, repositories=listed)
    assert f"repos/api@{first}" in refs(sources)
    assert "repos/api/README.md" in refs(sources)
    assert {n.path for n in sources.skipped} == {
        "docs/NUL.md",
        "repos/gone",
        "repos/here",
    }
    states = advance(ScanStates(), sources, NOW)
    assert states.form == 2
    assert states.get("api").last_commit == first
    assert list(states.get("api").scanned_docs) == ["README.md"]
    again = parse_scan_state(render_scan_state(states), SCAN_STATE)
    assert collected(project, again, repositories=listed).nothing_new
    second = api.commit("Never break it", x="x")
    found = collected(project, again, repositories=listed)
    assert refs(found) == [f"repos/api@{second}"]
    moved = advance(again, found, NOW)
    assert moved.get() == again.get()
    assert sources_from_json(sources_to_json(found)) == found


def test_n098_no_secret_gets_into_the_run_directory(project, tmp_path):
    token = "ghp_" + "aB3dE5fG7hJ9" * 3
    project.commit_files(
        {
            "CLAUDE.md": f"Always log in with {token}.\n",
            ".cloche/runs/r1/prompt.txt": f"Use {token}.\n",
        },
        f"Always use {token}",
    )
    sources = collected(project)
    state = runs.State(str(project.path), sources.head)
    run = runs.start(tmp_path / "common", state, NOW)
    run.write(runs.SOURCES, sources_to_json(sources))
    written = (run.folder / runs.SOURCES).read_text("utf-8")
    assert token not in written
    assert "Always log in with" in written


def test_many_runs_are_forgotten_once_they_are_gone(project):
    old = tuple(f"r{number:04}" for number in range(600))
    states = ScanStates().put(parse_scan_state(b"last_commit: x\n", SCAN_STATE).get())
    from dataclasses import replace

    states = states.put(replace(states.get(), scanned_runs=old))
    project.write(".cloche/runs/r0001/prompt.txt", "Old.\n")
    project.write(".cloche/runs/r9999/prompt.txt", "New.\n")
    assert used(project, states).get().scanned_runs == ("r0001", "r9999")


def test_nothing_is_written_anywhere(project):
    project.write(".cloche/runs/r1/prompt.txt", "Do.\n")
    before = snapshot(project.path)
    collected(project)
    assert snapshot(project.path) == before


def snapshot(root: Path):
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
