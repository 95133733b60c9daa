"""`git intent inject --run` and `git intent runs`: what steps were given, and when."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.support.repo import _SOURCE, Repo
from tests.support.snapshots import requirement

STEP = ("--workflow", "develop", "--step", "plan")
R = "refs/intent/runs/%52"
WORKFLOW = """
workflow "develop" {
  step plan { prompt = "plan" results = [success] }
  plan:success -> done
}
"""


@pytest.fixture
def project(repo, holds):
    repo.commit_files({".cloche/develop.cloche": WORKFLOW})
    first = requirement("req-0001", statement="Never echo.")
    holds(first, requirement("req-0002", statement="Log it."))
    return repo


def reword(repo, old, new, number=1):
    path = f".cloche/intent/requirements/req-{number:04}.md"
    repo.write(path, repo.read(path).replace(old.encode(), new.encode()))


def inject(repo, *args, run="R", step=STEP):
    done = repo.intent("inject", "--run", run, *step, *args, input="Do it.\n")
    assert done.code == 0, done.err
    return done.out


def kv(repo):
    return json.loads(repo.git("show", f"{R}:kv.json"))


def preview(repo):
    return repo.intent("preview", *STEP).out


def test_n136_the_first_time_is_rendered_and_recorded(project):
    out = inject(project)
    assert "- [req-0001] Never echo." in out
    assert out.endswith("\n\nDo it.\n")
    assert kv(project) == {"develop:plan:intent": "req-0001,req-0002"}
    block = project.git("show", f"{R}:blocks/develop/plan")
    assert f"{block}\n" == preview(project)
    assert out == f"{block}\n\nDo it.\n"


def test_n136_again_the_same_bytes_whatever_the_store_says_now(project):
    first = inject(project)
    reword(project, "Never echo.", "Always echo.")
    assert "Always echo." in preview(project)
    assert inject(project) == first
    shutil.rmtree(project.path / ".cloche/intent")
    assert inject(project) == first
    project.write(".cloche/intent/requirements/req-0001.md", "<<<<<<< HEAD\n")
    assert inject(project) == first


def test_n136_what_the_budget_cut_is_not_among_the_ids(project):
    project.git("config", "intent.tokenBudget", "9")
    out = inject(project)
    assert "(1 more requirements omitted" in out
    assert kv(project) == {"develop:plan:intent": "req-0001"}


def test_n136_steps_of_one_run_in_parallel_are_all_recorded(project):
    steps = [f"s{n}" for n in range(20)]
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "git_intent", "inject", "--run", "R", *STEP[:3], n],
            cwd=project.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for n in steps
    ]
    done = [child.communicate() for child in children]
    assert {child.returncode for child in children} == {0}
    assert len({out for out, _ in done}) == 1
    assert kv(project) == {f"develop:{n}:intent": "req-0001,req-0002" for n in steps}


def test_n136_the_placement_gets_the_recorded_block(project):
    inject(project)
    reword(project, "Never echo.", "Always echo.")
    args = ("inject", "--run", "R", *STEP)
    done = project.intent(*args, input="Before\n{{ $intent }}\nAfter\n")
    assert done.out.startswith("Before\n## Standing")
    assert "Never echo." in done.out


def test_n135_uncommitted_words_reach_a_clean_clone(project, tmp_path):
    reword(project, "Never echo.", "Never shout.")
    project.intent("record", "--run", "R", *STEP)
    assert kv(project) == {"develop:plan:intent": "req-0001,req-0002"}
    project.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.git("fetch", "-q", "origin", "refs/intent/runs/*:refs/intent/runs/*")
    assert "Never echo." in preview(clone)
    assert "Never shout." in inject(clone)
    shutil.rmtree(clone.path / ".cloche")
    assert "Never shout." in inject(clone)
    assert inject(clone) == inject(project)


def test_n135_two_hosts_that_render_one_run_keep_what_each_gave(project, tmp_path):
    """A fetch without `+` refuses to replace one record by the other."""
    project.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    reword(project, "Never echo.", "Never shout.")
    here, there = inject(project), inject(clone)
    spec = "refs/intent/runs/*:refs/intent/runs/*"
    clone.git("fetch", "-q", "origin", spec, check=False)
    assert (inject(project), inject(clone)) == (here, there)
    assert "Never echo." in there


def test_without_a_run_nothing_is_recorded(project):
    project.intent("inject", *STEP, input="Do it.\n")
    project.intent("preview", *STEP)
    assert project.git("for-each-ref", "refs/intent") == ""
    assert not (project.path / ".git/intent/records.lock").exists()


@pytest.mark.parametrize("step", [(), STEP[:2], STEP[2:]])
def test_a_run_needs_workflow_and_step(project, step):
    done = project.intent("inject", "--run", "R", *step, input="Do it.\n")
    assert done.code == 2
    assert "--run needs --workflow and --step" in done.err


def test_a_step_that_gets_nothing_is_on_record_too(project):
    text = WORKFLOW.replace("step plan {", "step plan { intent_tracking = false")
    project.write(".cloche/develop.cloche", text)
    assert inject(project) == "Do it.\n"
    assert kv(project) == {"develop:plan:intent": ""}
    project.write(".cloche/develop.cloche", WORKFLOW)
    assert inject(project) == "Do it.\n"


def test_n138_where_injection_is_off_no_record_brings_it_back(project):
    inject(project)
    project.git("config", "intent.inject", "off")
    assert inject(project) == "Do it.\n"


@pytest.mark.parametrize("trouble", ["locked", "broken", "name"])
def test_a_record_that_cannot_be_kept_stops_no_prompt(project, trouble):
    run = "R"
    if trouble == "locked":
        project.write(".git/refs/intent/runs/%52.lock", "")
    elif trouble == "broken":
        inject(project, step=("--workflow", "develop", "--step", "other"))
        tree = project.git("mktree", input="")
        commit = project.git("commit-tree", tree, "-m", "x")
        project.git("update-ref", R, commit)
    else:
        run = "x" * 2000
    done = project.intent("inject", "--run", run, *STEP, input="Do it.\n")
    assert done.code == 0
    assert "- [req-0001] Never echo." in done.out
    assert "the block is not on record" in done.err


# runs list, runs show


@pytest.fixture
def recorded(project, intent):
    """Two runs; since then one requirement was superseded, one disabled."""
    project.git("config", "intent.scanAfterTasks", "false")
    intent("record", "--run", "R", *STEP)
    intent("disable", "req-0002")
    env = {"SOURCE_DATE_EPOCH": "1789300000"}
    intent("record", "--run", "late/1", *STEP, "--complete", env=env)
    new = intent("add", "Never shout.").out.split()[0]
    assert intent("supersede", "req-0001", "--by", new).code == 0
    return project


def test_runs_are_listed_newest_first(recorded, intent):
    rows = [line.split() for line in intent("runs", "list").out.splitlines()]
    assert rows == [
        ["RUN", "STATE", "STARTED", "REQUIREMENTS"],
        ["late/1", "done", "2026-09-13T11:46:40Z", "req-0001"],
        ["R", "running", "2026-09-13T10:00:00Z", "req-0001", "req-0002"],
    ]
    found = json.loads(intent("runs", "list", "--json").out)["runs"]
    assert [(run["id"], run["requirements"]) for run in found] == [
        ("late/1", ["req-0001"]),
        ("R", ["req-0001", "req-0002"]),
    ]


@pytest.mark.parametrize(
    ("given", "runs"),
    [("req-0001", ["late/1", "R"]), ("0002", ["R"]), ("req-ffff", [])],
)
def test_a_requirement_leads_to_its_runs(recorded, intent, given, runs):
    done = intent("runs", "list", "--requirement", given, "--json")
    assert [run["id"] for run in json.loads(done.out)["runs"]] == runs
    if not runs:
        done = intent("runs", "list", "--requirement", given)
        assert done.out == "No run was given req-ffff.\n"


def test_n137_the_exact_text_and_what_became_of_it(recorded, intent):
    block = recorded.git("show", f"{R}:blocks/develop/plan")
    done = intent("runs", "show", "R")
    assert done.code == 0
    assert f"\n\n{block}\n" in done.out
    assert "Step: develop:plan\nRequirements: req-0001, req-0002\n" in done.out
    assert "Since then: req-0001 is superseded by req-" in done.out
    assert "Since then: req-0002 is disabled\n" in done.out
    step = json.loads(intent("runs", "show", "R", "--json").out)["steps"][0]
    assert step["block"] == f"{block}\n"
    assert [now["status"] for now in step["since"]] == ["superseded", "disabled"]


def test_n137_a_record_from_another_clone_is_shown(recorded, tmp_path):
    recorded.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.git("fetch", "-q", "origin", "refs/intent/runs/*:refs/intent/runs/*")
    shutil.rmtree(clone.path / ".cloche")
    done = clone.intent("runs", "show", "R", "--json")
    step = json.loads(done.out)["steps"][0]
    assert "Never echo." in step["block"]
    assert [now["status"] for now in step["since"]] == ["missing", "missing"]


def test_a_run_that_is_not_on_record(project, intent):
    assert intent("runs", "list").out == "No runs on record.\n"
    done = intent("runs", "show", "R")
    assert done.code == 1
    assert "no run 'R' is on record" in done.err


def test_a_broken_record_is_named_and_hides_no_other(recorded, intent):
    tree = recorded.git("mktree", input="")
    commit = recorded.git("commit-tree", tree, "-m", "x")
    recorded.git("update-ref", "refs/intent/runs/bad", commit)
    done = intent("runs", "list")
    assert "bad: its meta.json cannot be read" in done.err
    assert "late/1" in done.out
    assert intent("runs", "show", "bad").code == 0


def test_no_name_of_a_run_steers_the_terminal(project, intent):
    intent("record", "--run", "a\x1b[2J\nb", *STEP)
    for args in (("list",), ("show", "a\x1b[2J\nb")):
        out = intent("runs", *args).out
        assert "\x1b" not in out
        assert "a\\x1b[2J\\nb" in out
