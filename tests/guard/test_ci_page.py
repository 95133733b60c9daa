"""The workflows of docs/ci.md, with their commands run as the services run them."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from git_intent.guard import ci
from git_intent.store.intent_dir import requirement_path
from tests.support.guarding import SOURCE, published, put
from tests.support.repo import Repo
from tests.support.snapshots import requirement

PAGE = (SOURCE / "docs/ci.md").read_text(encoding="utf-8")
GITHUB, GITLAB = (
    yaml.load(block, yaml.BaseLoader)
    for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
)
STEPS = GITHUB["jobs"]["intent"]["steps"]
PATH = requirement_path("req-0001")


@pytest.fixture
def origin(repo: Repo) -> Repo:
    """`main`, `good` that adds a requirement, `bad` that deletes one."""
    published(repo, requirement("req-0001"), requirement("req-0002"))
    repo.git("checkout", "-qb", "good")
    put(repo, requirement("req-0003"))
    repo.commit("add one")
    repo.git("checkout", "-qb", "bad")
    repo.git("rm", "-q", PATH)
    repo.commit("delete one")
    repo.commit("more work", code="x")
    repo.git("checkout", "-q", "main")
    return repo


@pytest.fixture
def programs(tmp_path) -> Path:
    """`git-intent` as installed, and what must not reach the network: pip and gh."""
    folder = tmp_path / "bin"
    folder.mkdir()
    source, called = shlex.quote(str(SOURCE)), shlex.quote(str(tmp_path / "called"))
    run = f"PYTHONPATH={source} exec {shlex.quote(sys.executable)} -m git_intent"
    scripts = {
        "git-intent": f'{run} "$@"',
        "python": f'echo "python $*" >> {called}',
        "gh": f'echo "gh $*" >> {called}',
    }
    for name, line in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


class Runner:
    """A clone as a service makes it, and its shell."""

    def __init__(self, origin: Repo, folder: Path, ref: str, *options: str) -> None:
        self.work = Repo(folder / "work")
        url = f"file://{origin.path}"
        origin.git("clone", "-q", *options, "--branch", ref, url, str(self.work.path))
        self.work.git("checkout", "-q", "--detach")
        # actions/checkout leaves no default branch behind
        self.work.git("remote", "set-head", "origin", "--delete")
        self.folder = folder
        self.env = {"CI": "true"}
        self.said = ""

    def run(self, script: str, **env: str) -> int:
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=self.work.path,
            env={**os.environ, **self.env, **env, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.said += done.stdout
        return done.returncode


def github(origin: Repo, folder: Path, ref: str, event: str, *options: str) -> Runner:
    runner = Runner(origin, folder, ref, *options)
    main = origin.git("rev-parse", "main")
    content = {"repository": {"default_branch": "main"}, "before": main}
    (folder / "event.json").write_text(json.dumps(content), encoding="utf-8")
    runner.env |= {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "RUNNER_TEMP": str(folder),
        **({"GITHUB_BASE_REF": "main"} if event == "pull_request" else {}),
    }
    return runner


def run_steps(runner: Runner, *, pull_request: bool) -> dict[str, int]:
    """Each step that the event lets run, as long as those before it passed."""
    values = {"github.token": "token", "github.event.number": "7"}
    codes: dict[str, int] = {}
    for step in STEPS:
        always = "!cancelled()" in step.get("if", "")
        if "run" not in step or (always and not pull_request):
            continue
        if any(codes.values()) and not always:
            continue
        env = {
            name: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], text)
            for name, text in step.get("env", {}).items()
        }
        codes[step["name"]] = runner.run(step["run"], **env)
    return codes


def test_a_good_pull_request_passes_and_is_commented_on(origin, tmp_path, programs):
    runner = github(origin, tmp_path, "good", "pull_request")
    codes = run_steps(runner, pull_request=True)
    assert set(codes.values()) == {0}, runner.said
    assert len(codes) == 5
    assert "req-0003" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    called = (tmp_path / "called").read_text(encoding="utf-8").splitlines()
    comment = f"--edit-last --create-if-none --body-file {tmp_path / 'intent.md'}"
    assert called == ["python -m pip install git-intent", f"gh pr comment 7 {comment}"]


def test_n154_a_bad_pull_request_fails_at_the_file(origin, tmp_path, programs):
    runner = github(origin, tmp_path, "bad", "pull_request")
    codes = run_steps(runner, pull_request=True)
    assert codes["Check the store"] == 0
    assert codes["Judge the change"] == 1
    assert f"::error file={PATH},line=1,col=1,title=I101::" in runner.said
    assert codes["Comment"] == 0
    assert "req-0001" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_a_push_is_judged_from_where_the_branch_was(origin, tmp_path, programs):
    runner = github(origin, tmp_path, "bad", "push")
    codes = run_steps(runner, pull_request=False)
    assert codes == {"Install": 0, "Check the store": 0, "Judge the change": 1}
    assert "I101" in runner.said


def test_n156_without_fetch_depth_the_page_would_not_pass(origin, tmp_path, programs):
    assert STEPS[0]["with"]["fetch-depth"] == "0"
    runner = github(origin, tmp_path, "good", "pull_request", "--depth", "1")
    codes = run_steps(runner, pull_request=True)
    assert codes["Judge the change"] == 1
    assert "set `fetch-depth: 0` of actions/checkout" in runner.said


def gitlab(origin: Repo, folder: Path, ref: str, *options: str) -> Runner:
    runner = Runner(origin, folder, ref, *options)
    runner.env |= {
        "GITLAB_CI": "true",
        "CI_DEFAULT_BRANCH": "main",
        "CI_COMMIT_BEFORE_SHA": "0" * 40,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": origin.git("merge-base", "main", ref),
        **GITLAB["intent"]["variables"],
    }
    return runner


def run_job(runner: Runner) -> int:
    job = GITLAB["intent"]
    code = next(filter(None, map(runner.run, job["script"])), 0)
    for line in job["after_script"]:
        assert runner.run(line) == 0, runner.said
    return code


@pytest.mark.parametrize(("ref", "code"), [("good", 0), ("bad", 1)])
def test_n154_a_merge_request(origin, tmp_path, programs, ref, code):
    runner = gitlab(origin, tmp_path, ref)
    assert run_job(runner) == code, runner.said
    assert ("I101" in runner.said) is bool(code)
    assert b"req-0003" in runner.work.read("intent.md")


def test_n156_a_merge_request_without_history(origin, tmp_path, programs):
    assert GITLAB["intent"]["variables"]["GIT_DEPTH"] == "0"
    runner = gitlab(origin, tmp_path, "good", "--depth", "1")
    job = GITLAB["intent"]
    assert [runner.run(line) for line in job["script"]] == [0, 0, 1]
    assert 'set the variable `GIT_DEPTH: "0"`' in runner.said


@pytest.mark.parametrize(
    "name",
    [*ci.COMMITS, *ci.BRANCHES, *ci.BEFORE, *ci.DEFAULTS, "GITHUB_EVENT_PATH"],
)
def test_every_variable_that_is_read_stands_on_the_page(name):
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("setting", ci.DEPTHS.values())
def test_every_setting_for_more_history_stands_on_the_page(setting):
    first = re.findall(r"`([^`]+)`", setting)[0]
    assert first in PAGE or "Shallow clone" in setting
