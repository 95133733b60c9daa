"""Records of runs: names that survive as refs, and writers that lose nothing."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_intent import files
from git_intent.errors import IntentError
from git_intent.git.make_objects import write_snapshot
from git_intent.git.repository import Repository
from git_intent.workflow import runs
from git_intent.workflow.run_names import (
    LONGEST,
    PREFIX,
    escape,
    ref_of,
    run_of,
    unescape,
)
from git_intent.workflow.runs import Change, Meta
from tests.support.repo import _SOURCE, Repo

NASTY = [
    "x",
    "x/y",
    "x/y/z",
    "a.lock",
    "a",
    "A",
    "a:b",
    "..",
    ".",
    "a..b",
    ".git",
    "@",
    "@{1}",
    "-x",
    "HEAD",
    "%41",
    "+",
    "a+/b",
    " ",
    "tab\there",
    "line\nbreak",
    "\x7f\x01",
    "r\u00f6",
    "ro\u0308",
    "\u540d\U0001f600",
    "\udcff",
    "~^:?*[\\",
    "x" * 240,
    "x" * 241,
    "x" * 80,
    "x" * LONGEST,
    "/" * LONGEST,
    "X" * LONGEST,
]
BEGIN = Meta(started_at="2026-09-13T10:00:00Z")


@pytest.fixture
def project(repo):
    repo.commit("first", **{"README.md": "x\n"})
    return Repository.discover(repo.path)


def keep(repo, run="R", step=("develop", "plan"), text=b"block\n", ids=("req-0001",)):
    return runs.keep_block(repo, run, step, text, ids, BEGIN)


def put(repo, run, found, begin=BEGIN):
    return runs.update(repo, run, lambda record: Change(record.meta, found), begin)


# Names


def valid(*refs):
    return [
        not subprocess.run(["git", "check-ref-format", ref], check=False).returncode
        for ref in refs
    ]


def test_n136_git_takes_the_ref_of_every_name(repo):
    refs = [ref_of(run) for run in NASTY]
    assert all(valid(*refs))
    assert [run_of(ref) for ref in refs] == NASTY
    assert len({ref.lower() for ref in refs}) == len(NASTY)
    assert all(len(part) <= 250 for ref in refs for part in ref.split("/"))


def test_n136_no_ref_lies_in_the_way_of_another():
    refs = {ref_of(run) for run in NASTY}
    for ref in refs:
        parts = ref.split("/")
        assert not {"/".join(parts[:n]) for n in range(4, len(parts))} & refs


@settings(max_examples=150)
@given(st.text(min_size=1, max_size=400))
def test_any_text_comes_back_from_its_ref(text):
    if any("\ud800" <= c <= "\udfff" for c in text) or len(text.encode()) > LONGEST:
        return
    ref = ref_of(text)
    assert run_of(ref) == text
    assert set(ref.removeprefix(PREFIX)) <= set(
        "abcdefghijklmnopqrstuvwxyz0123456789-_%+/"
    )
    assert unescape(escape(text)) == text
    assert escape(text).lower() == escape(text)


def test_the_names_of_everyday_runs_can_be_read_in_their_refs():
    assert ref_of("k3x9-develop") == "refs/intent/runs/k3x9-develop"
    assert ref_of("TASK-1/a") == "refs/intent/runs/%54%41%53%4b-1%2fa"
    assert run_of("refs/intent/runs/r%C3%B6%2F1") == "r\u00f6/1"
    assert unescape(escape("")) == ""


@pytest.mark.parametrize("run", ["", "x" * (LONGEST + 1)])
def test_what_can_be_no_name_is_refused(run):
    with pytest.raises(IntentError):
        ref_of(run)


def test_n136_every_nasty_name_keeps_a_record_of_its_own(repo, project):
    for run in NASTY:
        keep(project, run, text=f"{len(run)}".encode())
    assert sorted(runs.run_refs(project)) == sorted(NASTY)
    for run in NASTY:
        record = runs.read(project, run)
        assert runs.block(project, record, "develop", "plan") == f"{len(run)}".encode()
        meta = json.loads(repo.git("show", f"{ref_of(run)}:meta.json"))
        assert meta["run"] == run


# What a record holds


def test_n136_a_record_holds_the_ids_under_workflow_and_step(repo, project):
    assert keep(project, "R", ids=("req-0001", "req-00ff")) == b"block\n"
    keep(project, "R", ("develop", "build"), b"", ())
    kv = json.loads(repo.git("show", "refs/intent/runs/%52:kv.json"))
    assert kv == {
        "develop:plan:intent": "req-0001,req-00ff",
        "develop:build:intent": "",
    }
    assert repo.git("show", "refs/intent/runs/%52:blocks/develop/plan") == "block"
    assert json.loads(repo.git("show", "refs/intent/runs/%52:meta.json")) == {
        "version": 1,
        "run": "R",
        "state": "running",
        "start": "",
        "end": "",
        "started_at": "2026-09-13T10:00:00Z",
        "ended_at": "",
        "opted_out": False,
    }
    assert repo.git("rev-list", "--count", "refs/intent/runs/%52") == "2"
    assert repo.git("fsck", "--strict") == ""


def test_a_block_is_written_once(project):
    assert keep(project, text=b"first\n") == b"first\n"
    before = runs.read(project, "R").oid
    assert keep(project, text=b"second\n", ids=("req-0002",)) == b"first\n"
    record = runs.read(project, "R")
    assert record.oid == before
    rows = runs.kv(project, record)
    assert runs.ids_of(rows, "develop", "plan") == runs.all_ids(rows) == ("req-0001",)


def test_block_bytes_stay_what_they_are(project):
    text = b"\xff\r\n\0 no end"
    keep(project, text=text)
    assert runs.block(project, runs.read(project, "R"), "develop", "plan") == text


@pytest.mark.parametrize(
    "step", [("a:b", "c"), ("a", "b:c"), ("..", ".git"), ("A/", "a")]
)
def test_odd_names_of_steps(repo, project, step):
    keep(project, step=step)
    keep(project, step=("a", "b"), ids=())
    record = runs.read(project, "R")
    assert record.steps == sorted([step, ("a", "b")])
    assert runs.ids_of(runs.kv(project, record), *step) == ("req-0001",)
    assert repo.git("fsck", "--strict") == ""


def test_a_workflow_called_like_a_transcript(project):
    first = f"{runs.transcript_folder()}000"
    inner = f"{runs.transcript_folder('000', 'plan')}000"
    record = put(project, "R", {first: b"a\n", inner: b"b\n"})
    assert runs.read(project, "R").transcripts.keys() == {first, inner}
    assert runs.step_of(inner) == ("000", "plan")
    assert runs.step_of(first) == ("", "")
    assert next(runs.free_paths(record, "transcript/")) == "transcript/001"


def test_keys_of_others_and_foreign_files_survive(repo, project):
    begin = replace(BEGIN, others={"host": "x"})
    put(project, "R", {"notes/a b\u00e9": b"n"}, begin)
    keep(project)
    assert json.loads(repo.git("show", "refs/intent/runs/%52:meta.json"))["host"] == "x"
    assert "notes/a b\u00e9" in runs.read(project, "R").files


def test_nothing_new_writes_nothing(project):
    put(project, "R", {"prompt": b"p\n"})
    before = runs.read(project, "R").oid
    put(project, "R", {"prompt": b"p\n"})
    assert runs.read(project, "R").oid == before


def test_what_is_opted_out_is_gone_with_its_history(repo, project):
    put(project, "R", {"prompt": b"canary\n", "transcript/000": b"canary\n"})
    keep(project)
    record = runs.update(project, "R", runs.opt_out, BEGIN)
    assert record.meta.opted_out
    assert sorted(record.files) == ["blocks/develop/plan", "kv.json", "meta.json"]
    assert repo.git("rev-list", "--count", record.oid) == "1"
    keep(project, step=("develop", "build"))
    record = runs.update(project, "R", runs.opt_out, BEGIN)
    assert repo.git("rev-list", "--count", record.oid) == "2"
    assert "canary" not in repo.git("log", "-p", "--all")


@pytest.mark.parametrize(
    ("meta", "words"),
    [
        (b"{", "cannot be read"),
        (b"[]", "no object"),
        (b'{"version": 2}', "version 2"),
        (b"[" * 100_000, "cannot be read"),
    ],
)
def test_a_broken_record_is_named_and_not_written_over(repo, project, meta, words):
    keep(project)
    commit, _ = write_snapshot(project, {"meta.json": meta}, [], "x")
    repo.git("update-ref", "refs/intent/runs/%52", commit)
    assert words in runs.read(project, "R").broken
    with pytest.raises(IntentError, match="refs/intent/runs/%52"):
        keep(project)
    assert runs.read(project, "R").oid == commit
    assert next(iter(runs.summaries(project)))[0] == "R"


def test_summaries_tell_of_every_run(project):
    keep(project, "a")
    keep(project, "B", ids=("req-0002",))
    found = {
        run: (meta, broken, rows) for run, meta, broken, rows in runs.summaries(project)
    }
    assert found == {
        "B": (BEGIN, "", {"develop:plan:intent": "req-0002"}),
        "a": (BEGIN, "", {"develop:plan:intent": "req-0001"}),
    }


# Many writers, and where they may stand

CHILD = """
import sys
from pathlib import Path
from git_intent.git.repository import Repository
from git_intent.workflow import runs
repo = Repository.discover(Path.cwd())
name = sys.argv[1]
if len(sys.argv) > 2:
    runs.fcntl.flock = lambda *_: None
step = ("develop", name)
runs.keep_block(repo, "R", step, name.encode(), [f"req-{name}"], runs.Meta())
"""


@pytest.mark.parametrize(("lock", "steps"), [("locked", 20), ("unlocked", 6)])
def test_n136_steps_in_parallel_are_all_recorded(repo, project, lock, steps):
    """Without the lock, as on two machines that share a repository, the swap holds."""
    names = [f"{n:04}" for n in range(steps)]

    def run(name):
        extra = [] if lock == "locked" else ["unlocked"]
        return subprocess.run(
            [sys.executable, "-c", CHILD, name, *extra],
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            capture_output=True,
            text=True,
            check=False,
        )

    with ThreadPoolExecutor(steps) as pool:
        done = list(pool.map(run, names))
    assert [d.stderr for d in done if d.returncode] == []
    record = runs.read(project, "R")
    assert record.steps == [("develop", name) for name in names]
    rows = runs.kv(project, record)
    assert runs.all_ids(rows) == tuple(f"req-{name}" for name in names)
    assert repo.git("rev-list", "--count", record.oid) == str(steps)


def test_a_writer_that_was_overtaken_asks_again(project):
    asked = []

    def change(record):
        asked.append(record.oid)
        if len(asked) == 1:
            _overtake(project)
        return Change(record.meta, {"prompt": b"mine\n"})

    record = runs.update(project, "R", change, BEGIN)
    assert len(asked) == 2
    assert {"prompt", "transcript/000"} <= record.files.keys()


def _overtake(repo):
    """As a writer on another machine would, who does not see the lock."""
    made = {"transcript/000": b"theirs\n", "meta.json": b'{"state": "running"}'}
    commit, _ = write_snapshot(repo, made, [], "x")
    runs.refs.swap_ref(repo, ref_of("R"), commit, "")


def test_a_ref_that_cannot_move_is_an_error_and_no_endless_loop(repo, project):
    keep(project)
    (repo.path / ".git/refs/intent/runs/%52.lock").write_text("")
    with pytest.raises(IntentError, match="refs/intent/runs/%52"):
        keep(project, step=("develop", "other"))


def test_a_writer_that_hangs_is_not_waited_for_without_end(project, monkeypatch):
    naps = []
    monkeypatch.setattr(runs.time, "sleep", naps.append)
    with runs._turn(project):
        keep(project)
    assert 0 < sum(naps) <= 10
    assert runs.read(project, "R").steps == [("develop", "plan")]


def test_a_kill_leaves_the_record_as_it_was(project, monkeypatch):
    keep(project)
    before = runs.read(project, "R")

    def killed(name):
        raise SystemExit(name)

    monkeypatch.setattr(files, "on_effect", killed)
    with pytest.raises(SystemExit):
        keep(project, step=("develop", "other"))
    monkeypatch.undo()
    assert runs.read(project, "R") == before
    keep(project, step=("develop", "other"))
    assert len(runs.read(project, "R").steps) == 2


def places(repo, kind, tmp_path):
    if kind == "worktree":
        repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
        return tmp_path / "linked"
    if kind == "detached":
        repo.git("checkout", "-q", "--detach")
        return repo.path
    if kind == "bare":
        repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
        return tmp_path / "bare.git"
    if kind == "sha256":
        return Repo.init(tmp_path / "other", "--object-format=sha256").path
    return Repo.init(tmp_path / "unborn").path


@pytest.mark.parametrize("kind", ["worktree", "detached", "bare", "sha256", "unborn"])
def test_records_are_kept_wherever_a_repository_stands(repo, kind, tmp_path):
    repo.commit("first", **{"README.md": "x\n"})
    there = Repository.discover(places(repo, kind, tmp_path))
    keep(there)
    keep(there, step=("develop", "build"))
    record = runs.read(there, "R")
    assert len(record.steps) == 2
    if kind in ("worktree", "detached"):
        assert runs.read(Repository.discover(repo.path), "R") == record


def test_without_an_identity_a_record_is_by_cloche(repo, home):
    (home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    there = Repository.discover(repo.path)
    keep(there)
    assert repo.git("log", "-1", "--format=%an <%ae>", "refs/intent/runs/%52") == (
        "cloche <cloche@local>"
    )


def test_nothing_that_git_shows_changes(repo, project):
    repo.write("dirty", "x")
    before = repo.status(), repo.git("log", "--oneline"), repo.git("branch", "-a")
    keep(project)
    assert (
        repo.status(),
        repo.git("log", "--oneline"),
        repo.git("branch", "-a"),
    ) == before


def test_n137_a_record_is_read_where_it_was_fetched(repo, project, tmp_path):
    keep(project)
    repo.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    there = Repository.discover(clone.path)
    assert runs.run_refs(there) == {}
    spec = "refs/intent/runs/*:refs/intent/runs/*"
    clone.git("fetch", "-q", "origin", spec)
    assert runs.read(there, "R") == runs.read(project, "R")
    keep(project, step=("develop", "later"))
    clone.git("fetch", "-q", "origin", spec)  # without a `+`
    assert len(runs.read(there, "R").steps) == 2
