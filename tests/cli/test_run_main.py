"""A `main` run that ends in `done` is scanned; no other is."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from git_intent.lock import ProjectLock
from git_intent.scan import queue
from tests.support.flows import flow, line, record, recorded, step, workflow
from tests.support.repo import _SOURCE

WISH = "From now on, never rename the file number7.txt without asking.\n"
CI = {"CI": "true"}  # there a run stays in the queue


@pytest.fixture
def project(repo):
    repo.commit("begin", **{"CLAUDE.md": "# Rules\n\nAlways write tests first.\n"})
    return repo


def waiting(repo):
    return [one.run for one in queue.entries(repo.path / ".git")]


def test_n099_a_main_run_that_is_done_is_queued(project, intent):
    flow(project, workflow("main", step("one", "true"), line("one")))
    done = intent("run", "main", "--run", "r1", env=CI)
    assert done.code == 0
    assert waiting(project) == ["r1"]
    assert "r1 waits to be scanned: this is a CI job" in done.err


@pytest.mark.parametrize("end", ["fail -> abort", "fail -> done"])
def test_n099_an_aborted_run_is_not(project, intent, end):
    text = workflow("main", step("one", "false"), f"one:success -> abort\none:{end}\n")
    flow(project, text)
    done = intent("run", "main", "--run", "r1", env=CI)
    assert done.code == int(end.endswith("abort"))
    assert waiting(project) == ([] if done.code else ["r1"])


def test_n099_another_workflow_is_not_nor_a_main_that_is_a_part(project, intent):
    flow(
        project,
        workflow(
            "develop",
            'step inner { workflow_name = "main" results = [success, fail] }\n',
            line("inner"),
        )
        + workflow("main", step("one", "true"), line("one"))
        + workflow("Main", step("one", "true"), line("one")),
    )
    for name in ("develop", "Main"):
        assert intent("run", name, env=CI).code == 0
    assert waiting(project) == []


def test_n099_an_interrupted_run_is_not_until_it_is_done(project, intent):
    say = "touch begun; [ -e go ] || sleep 600"
    flow(project, workflow("main", step("one", say), line("one")))
    child = subprocess.Popen(
        [sys.executable, "-m", "git_intent", "run", "main", "--run", "r1"],
        cwd=project.path,
        env={**os.environ, **CI, "PYTHONPATH": _SOURCE},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    while not (project.path / "begun").exists():
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    assert child.wait(60) == 130
    assert waiting(project) == []
    project.write("go", "")
    assert intent("run", "--resume", "r1", "--retry", env=CI).code == 0
    assert waiting(project) == ["r1"]


def test_n100_with_the_setting_off_or_opted_out_nothing_is_queued(project, intent):
    flow(project, workflow("main", step("one", "true"), line("one")))
    project.git("config", "intent.scanAfterTasks", "false")
    assert intent("run", "main", env=CI).code == 0
    project.git("config", "--unset", "intent.scanAfterTasks")
    out = workflow(
        "main", "intent_tracking = false\n", step("one", "true"), line("one")
    )
    flow(project, out)
    assert intent("run", "main", env=CI).code == 0
    assert waiting(project) == []


def test_n102_what_a_run_of_ours_starts_queues_nothing(project, intent):
    flow(project, workflow("main", step("one", "true"), line("one")))
    assert intent("run", "main", env={**CI, "GIT_INTENT_CHILD": "1-2:"}).code == 0
    assert waiting(project) == []


def settled(repo):
    """Wait until what was started in the background is done."""
    guard = repo.path / ".git/intent/queue.start"
    if guard.exists():
        with guard.open("r+") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
    end = time.monotonic() + 120
    while ProjectLock(repo.path / ".git").holder() or waiting(repo):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_n099_one_scan_of_the_runs_own_words_and_commits_follows(project):
    commit = "git commit -q --allow-empty -m 'Always sign the tags of releases.'"
    flow(project, workflow("main", step("one", commit), line("one")))
    project.commit("flow")
    done = project.intent("run", "main", "--task", WISH)
    assert done.code == 0, done.err
    settled(project)
    log = project.git("log", "--format=%h", "--grep=^Intent-Scan: ")
    assert len(log.splitlines()) == 1
    (run,) = recorded(project)
    meta = json.loads(record(project, run)["meta.json"])
    assert meta["start"] != meta["end"]
    folder = max((project.path / ".git/intent/runs").iterdir())
    items = json.loads((folder / "sources.json").read_text())["items"]
    mined = {(item["kind"], item["ref"]) for item in items}
    assert mined == {("prompt", run), ("commit", meta["end"])}
    listed = json.loads(project.intent("list", "--json").out)["requirements"]
    statements = [row["statement"] for row in listed]
    assert [s for s in statements if "number7" in s]
    assert not [s for s in statements if "tests first" in s]
    assert project.status() == ""
