"""Runs that are killed or interrupted, and what becomes of them."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from git_intent import files
from git_intent.git.repository import Repository
from git_intent.workflow import run_record, runs
from git_intent.workflow.run_journal import RunJournal
from tests.support import kill_run
from tests.support.flows import flow, line, run_json, step, visits, workflow
from tests.support.repo import _SOURCE, Repo

STUBBORN = "trap '' TERM; echo $$ > pid.new; mv pid.new pid; while :; do sleep 1; done"
FLOW = workflow(
    "flow",
    step("one", "echo one >> seen"),
    'step inner { workflow_name = "part" results = [success, fail] }\n',
    step("three", 'echo three >> seen; printf %s "$CLOCHE_PREV_OUTPUT" > said'),
    line("one", "inner", "three"),
) + workflow("part", step("two", "echo two >> seen; echo from two"), line("two"))


@pytest.fixture
def project(repo):
    repo.git("config", "intent.scanAfterTasks", "false")
    repo.commit("begin", **{"a.txt": "a\n"})
    return repo


def seen(repo: Repo) -> list[str]:
    try:
        return repo.read("seen").decode().split()
    except FileNotFoundError:
        return []


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def finish(project: Repo, intent) -> set[str]:
    """Go on with run r1 until it is done; the steps that were reported unknown."""
    done = intent("run", "--resume", "r1")
    if done.code == 1 and "no run 'r1' of a workflow is on record" in done.err:
        assert seen(project) == []
        assert intent("run", "flow", "--run", "r1").code == 0
        return set()
    if done.code == 1 and "is over: done" in done.err:
        return set()
    if done.code == 0:
        return set()
    assert "nobody saw the end of these steps" in done.err
    asked = {w for w in ("one", "two", "three") if f":{w} (" in done.err}
    assert len(asked) == 1, done.err
    before = seen(project)
    again = intent("run", "--resume", "r1", "--retry")
    assert again.code == 0, again.err
    (step,) = asked
    assert seen(project).count(step) == before.count(step) + 1
    assert before.count(step) in (0, 1)
    return asked


def killed_everywhere(project: Repo, intent, numbers) -> None:
    fresh = project.path.parent / "fresh"
    shutil.copytree(project.path, fresh, symlinks=True)
    for number in numbers:
        shutil.rmtree(project.path)
        shutil.copytree(fresh, project.path, symlinks=True)
        died = kill_run.run(number, project.path, "run", "flow", "--run", "r1")
        assert died.returncode == -signal.SIGKILL, (number, died.stderr)
        unknown = finish(project, intent)
        for name in ("one", "two", "three"):
            if name not in unknown:
                assert seen(project).count(name) == 1, (number, name)
        assert project.read("said") == b"from two\n"
        states = {(v[0], v[2]) for v in visits(project, "r1")}
        assert {(name, "unknown") for name in unknown} <= states
        assert run_json(project, "r1")["outcome"] == "done"
        assert not [*(project.path / ".git/intent/running").iterdir()]
        assert project.status().count("?") <= 3


@pytest.fixture
def names(project, tmp_path):
    """All effects of a run of the flow, found out in a copy."""
    flow(project, FLOW)
    copy = tmp_path / "copy"
    shutil.copytree(project.path, copy, symlinks=True)
    return kill_run.effects(copy, "run", "flow", "--run", "r1")


def test_killed_at_a_share_of_all_effects_each_step_happens_once_or_is_reported(
    project, intent, names
):
    about_steps = [
        number
        for number, name in enumerate(names)
        if "two" in name or "inner" in name or "end journal" in name
    ]
    killed_everywhere(project, intent, about_steps[::2])


@pytest.mark.soak
def test_killed_at_any_effect_each_step_happens_once_or_is_reported(
    project, intent, names
):
    killed_everywhere(project, intent, range(len(names)))


def test_an_effect_stands_before_everything_that_a_run_changes(names):
    noted = [n for n in names if n.split()[0] in ("note", "start", "end", "ref")]
    assert noted == [
        "ref refs/intent/runs/r1",
        "note started one",
        "start one",
        "note finished one",
        "note started inner",
        "note started two",
        "start two",
        "note finished two",
        "note finished inner",
        "note started three",
        "start three",
        "note finished three",
        "ref refs/intent/runs/r1",
        "end journal",
    ]


def started(project: Repo, *args: str, **env: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "git_intent", *args],
        cwd=project.path,
        env={**os.environ, **env, "PYTHONPATH": _SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(path: Path) -> None:
    for _ in range(1500):
        if path.exists():
            return
        time.sleep(0.02)
    raise AssertionError(f"{path} never came")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_what_runs_and_the_run_can_go_on(project, intent, number):
    flow(
        project,
        workflow(
            "flow",
            step("one", "echo one >> seen"),
            step("long", f"[ -e go ] || {{ echo begun >> seen; {STUBBORN}; }}"),
            line("one", "long"),
        ),
    )
    child = started(project, "run", "flow", "--run", "r1")
    wait_for(project.path / "pid")
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert out == "r1: interrupted\n"
    assert "git intent run --resume r1 --retry" in err
    assert gone(int(project.read("pid")))
    shown = intent("runs", "show", "r1")
    assert "Run: r1 (interrupted)" in shown.out
    refused = intent("run", "--resume", "r1")
    assert (refused.code, "flow:long (stopped" in refused.err) == (1, True)
    project.write("go", "")
    done = intent("run", "--resume", "r1", "--retry")
    assert done.code == 0, done.err
    assert seen(project) == ["one", "begun"]
    assert visits(project, "r1")[1:] == [
        ("long", 1, "unknown", ""),
        ("long", 2, "finished", "success"),
    ]


def test_a_daemon_of_a_step_is_ended_with_it(project):
    daemon = f'(setsid sh -c "{STUBBORN}" </dev/null >/dev/null 2>&1 &)'
    daemon = daemon.replace("$$", "\\$\\$")
    flow(
        project,
        workflow("flow", step("one", f"{daemon}; sleep 600"), line("one")),
    )
    child = started(project, "run", "flow", "--run", "r1")
    wait_for(project.path / "pid")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert gone(int(project.read("pid")))


def test_what_a_killed_runner_left_running_is_told_and_ended(project, intent):
    flow(
        project,
        workflow("flow", step("one", f"[ -e go ] || {{ {STUBBORN}; }}"), line("one")),
    )
    child = started(project, "run", "flow", "--run", "r1")
    wait_for(project.path / "pid")
    second = intent("run", "--resume", "r1")
    assert (second.code, "under way in another process" in second.err) == (1, True)
    assert "Run: r1 (running)" in intent("runs", "show", "r1").out
    child.kill()
    child.communicate(timeout=60)
    pid = int(project.read("pid"))
    assert not gone(pid)
    refused = intent("run", "--resume", "r1")
    assert refused.code == 1
    assert "of its processes still run" in refused.err
    assert not gone(pid)
    project.write("go", "")
    assert intent("run", "--resume", "r1", "--retry").code == 0
    assert gone(pid)


def test_somebody_who_looked_may_tell_how_a_step_ended(project, intent):
    flow(
        project,
        workflow(
            "flow",
            step("one", "echo one >> seen; kill -9 $PPID; sleep 1"),
            step("two", "echo two >> seen"),
            line("one", "two"),
        ),
    )
    child = started(project, "run", "flow", "--run", "r1")
    child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL
    for wrong in ("one=odd", "two=success"):
        refused = intent("run", "--resume", "r1", "--result", wrong)
        assert (refused.code, f"--result {wrong}: " in refused.err) == (1, True)
    done = intent("run", "--resume", "r1", "--result", "one=success")
    assert done.code == 0, done.err
    assert seen(project) == ["one", "two"]


def test_a_poll_and_a_part_go_on_unasked(project, intent):
    say = "echo CLOCHE_RESULT:$CLOCHE_RESULT_NONCE:success"
    ask = f"echo x >> asked; [ ! -e go ] || {say}"
    part = workflow(
        "part",
        step("before", "echo before >> seen"),
        f'step wait {{ poll = "{ask}" interval = "50ms" results = [success, fail] }}\n',
        line("before", "wait"),
    )
    inner = 'step inner { workflow_name = "part" results = [success, fail] }\n'
    flow(project, workflow("flow", inner, line("inner")) + part)
    child = started(project, "run", "flow", "--run", "r1")
    wait_for(project.path / "asked")
    child.kill()
    child.communicate(timeout=60)
    project.write("go", "")
    done = intent("run", "--resume", "r1", "--json")
    assert done.code == 0, done.err
    assert seen(project) == ["before"]
    assert json.loads(done.out)["state"] == "done"


def test_a_run_that_is_over_is_not_resumed(project, intent):
    flow(project, workflow("flow", step("one", "exit 1"), line("one")))
    assert intent("run", "flow", "--run", "r1").code == 1
    done = intent("run", "--resume", "r1", "--retry")
    assert (done.code, "is over: aborted" in done.err) == (1, True)


def test_a_workflow_that_was_changed_meanwhile_is_not_gone_on_with(project, intent):
    text = workflow("flow", step("one", STUBBORN), line("one"))
    flow(project, text)
    child = started(project, "run", "flow", "--run", "r1")
    wait_for(project.path / "pid")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    flow(project, text.replace("sleep 1", "sleep 2"))
    done = intent("run", "--resume", "r1", "--retry")
    assert (done.code, "is not what it was" in done.err) == (1, True)


def test_a_damaged_record_is_refused_in_words(project, intent):
    text = workflow("flow", step("one", STUBBORN), line("one"))
    flow(project, text)
    child = started(project, "run", "flow", "--run", "r1")
    wait_for(project.path / "pid")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    there = Repository.discover(project.path)
    good = run_json(project, "r1")
    for key, bad in (
        ("version", 2),
        ("levels", []),
        ("visits", {}),
        ("visits", [{}]),
        ("levels", {"": {"workflow": "flow", "progress": {}}}),
        (
            "levels",
            {
                "": {
                    "workflow": "flow",
                    "progress": {
                        **good["levels"][""]["progress"],
                        "running": [["nowhere", 1, ""]],
                    },
                }
            },
        ),
    ):
        data = json.dumps({**good, key: bad}).encode()
        runs.update(
            there,
            "r1",
            lambda r, d=data: runs.Change(r.meta, {"run.json": d}),
            runs.Meta(),
        )
        for folder in (project.path / ".git/intent/running").glob("*"):
            shutil.rmtree(folder)
        done = intent("run", "--resume", "r1", "--retry")
        assert (done.code, "start a new run" in done.err) == (1, True), (key, bad, done)
        assert intent("runs", "show", "r1").code == 0


def test_a_full_disk_between_two_steps_is_told_and_the_run_can_go_on(
    project, intent, monkeypatch
):
    flow(project, FLOW)

    def full(name: str) -> None:
        if name == "note finished two":
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files, "on_effect", full)
        done = intent("run", "flow", "--run", "r1")
    assert (done.code, "No space left" in done.err) == (1, True)
    refused = intent("run", "--resume", "r1")
    assert (refused.code, "part:two (started" in refused.err) == (1, True)
    assert intent("run", "--resume", "r1", "--result", "two=success").code == 0
    assert seen(project) == ["one", "two", "three"]


def test_a_record_cannot_have_us_end_what_is_not_the_runs_own(project, intent):
    flow(project, workflow("flow", step("one", STUBBORN), line("one")))
    child = started(project, "run", "flow", "--run", "r1")
    wait_for(project.path / "pid")
    child.kill()
    child.communicate(timeout=60)
    os.kill(int(project.read("pid")), signal.SIGKILL)
    there = Repository.discover(project.path)
    state = run_record.load(there, "r1")[1]
    journal = RunJournal(there.common_dir, "r1")
    state = journal.replayed(state)
    bad = {k: replace(v, mark="") for k, v in state.visits.items()}
    run_record.save(there, "r1", replace(state, visits=bad))
    (journal.folder / "journal").unlink()
    other = subprocess.Popen(
        ["sleep", "600"], env={**os.environ, "GIT_INTENT_CHILD": "1-2:"}
    )
    try:
        flow_done = intent("run", "--resume", "r1", "--result", "one=success")
        assert flow_done.code == 0, flow_done.err
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
