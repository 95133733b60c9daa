"""`git intent scan` where the project has a workflow `intent-scan` of its own."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from git_intent.workflow.catalog import builtins
from git_intent.workflow.printer import render
from tests.support.repo import _SOURCE, STORE

RULES = """\
# Rules

- Never bump the major version unless explicitly told to.
- Always run the tests before you push to the main branch.
"""
MORE = RULES + "- Never write to the log file from more than one process.\n"
BUILTIN = render([builtins()["intent-scan"]])


def shell(script: str) -> str:
    return json.dumps(script)


def own(**replaced: str) -> str:
    """The built-in workflow with the scripts of some steps replaced."""
    text = BUILTIN
    for step, script in replaced.items():
        name = step.replace("_", "-")
        old = f'"git intent scan-step {name}"'
        assert old in text
        text = text.replace(old, shell(script))
    return text


def install(repo, text, name="team"):
    repo.write(f".cloche/{name}.cloche", text)
    assert repo.intent("trust", "--yes").code == 0


@pytest.fixture
def rules(repo):
    """What `git intent` means in a script is this very program."""
    repo.write(".gitignore", ".cloche/*.cloche\n*.py\nlog\n")
    repo.commit("rules", **{"CLAUDE.md": RULES})
    return repo


@pytest.fixture
def scanned(rules):
    """A store of two requirements, one of them disabled, and something new."""
    assert rules.intent("scan").code == 0
    first = requirements(rules)[0]
    assert rules.intent("disable", first["id"], "--actor", "person").code == 0
    rules.commit("more", **{"CLAUDE.md": MORE})
    return rules


def requirements(repo):
    return json.loads(repo.intent("list", "--json").out)["requirements"]


def unchanged(repo):
    files = {p.name: p.read_bytes() for p in repo.store.rglob("*") if p.is_file()}
    return files, repo.head(), repo.status()


def test_n104_the_own_workflow_runs_and_its_file_is_named(rules):
    install(rules, "\n" + own(extract="git intent scan-step extract; : > log"), "my")
    done = rules.intent("scan")
    assert done.code == 0, done.err
    assert "intent-scan: .cloche/my.cloche:2\n" in done.err
    assert (rules.path / "log").exists()
    assert "2 created" in done.out
    assert rules.status() == ""
    found = json.loads(rules.intent("scan", "--json").out)
    assert found["workflow"] == ".cloche/my.cloche:2"
    assert found["commit"] == ""


def test_n104_without_a_file_the_builtin_runs(rules):
    found = json.loads(rules.intent("scan", "--json").out)
    assert found["workflow"] == "built-in"


def test_n054_n104_a_scan_and_a_run_make_the_same_commit(rules, tmp_path):
    rules.git("clone", "-q", ".", str(tmp_path / "other"))
    other = type(rules)(tmp_path / "other")
    env = {"SOURCE_DATE_EPOCH": "1767323045"}
    done = rules.intent("run", "intent-scan", env=env)
    assert done.code == 0, done.err
    assert re.search(r"-intent-scan: done$", done.out.strip())
    assert other.intent("scan", env=env).code == 0

    def commit(repo):
        text = repo.git("cat-file", "commit", "HEAD")
        return re.sub(r"(?<=Intent-Scan: )\S+", "RUN", text)

    assert commit(rules) == commit(other)
    assert rules.status() == other.status() == ""


@pytest.mark.parametrize(
    ("files", "places"),
    [
        ({"team": "workflow intent-scan {\n  step {}\n}"}, ["team.cloche:2:8"]),
        ({"team": BUILTIN + "workflow other ["}, [".cloche:"]),
        ({"a": BUILTIN, "b": BUILTIN}, ["b.cloche:1", "a.cloche:1"]),
        (
            {"a": BUILTIN + BUILTIN},
            [f"a.cloche:{BUILTIN.count(chr(10)) + 1}", "a.cloche:1"],
        ),
    ],
)
def test_n105_what_cannot_be_read_stops_and_is_not_replaced(rules, files, places):
    head = rules.head()
    for name, text in files.items():
        rules.write(f".cloche/{name}.cloche", text)
    done = rules.intent("scan")
    assert (done.code, done.out) == (1, "")
    assert all(place in done.err for place in places)
    assert rules.head() == head
    assert not rules.store.exists()


def test_n105_names_that_differ_in_case_do_not_replace(rules):
    rules.write(".cloche/a.cloche", BUILTIN.replace("intent-scan {", "Intent-Scan {"))
    found = json.loads(rules.intent("scan", "--json").out)
    assert found["workflow"] == "built-in"


def test_n105_a_workflow_that_cannot_run_is_refused_with_its_places(rules):
    install(rules, 'workflow intent-scan { step a { run = "true" results = [x] } }')
    done = rules.intent("scan")
    assert done.code == 1
    assert ".cloche/team.cloche:1:29: W113 the result 'x'" in done.err


STUBBORN = """\
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
code = "import os, signal, time; signal.signal(15, signal.SIG_IGN); os.setsid()"
code += "; time.sleep(60)"
child = subprocess.Popen([sys.executable, "-c", code])
open("log", "w").write(f"{os.getpid()} {child.pid}")
print("Never do anything.", flush=True)
time.sleep(60)
"""
BY_AGENT = """\
workflow intent-scan {
  host {}
  step think {
    prompt        = "Extract."
    agent_command = %s
    timeout       = "1s"
    results       = [success, fail]
  }
  think:success -> done
  think:fail    -> abort
}
"""


def gone(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except FileNotFoundError:
        return True


def test_n106_another_agent_is_ended_in_time_with_all_that_it_started(rules):
    rules.write("agent.py", STUBBORN)
    install(rules, BY_AGENT % shell(f"{sys.executable} agent.py"))
    before = unchanged(rules)
    done = rules.intent("scan")
    assert done.code == 1
    assert "think: timeout" in done.err
    assert "`git intent scan --resume` goes on" in done.err
    assert f"log: {rules.path}/.cloche/logs/" in done.err
    assert unchanged(rules) == before
    pids = [int(pid) for pid in (rules.path / "log").read_text().split()]
    assert len(pids) == 2
    deadline = time.monotonic() + 10
    while not all(map(gone, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all(map(gone, pids))


APPLY = r"""
set -e
cd .cloche/intent/requirements
off=$(grep -l '^status: disabled' req-*.md)
on=$(grep -l '^status: active' req-*.md | head -1)
sed -i 's/^status: disabled/status: active/' "$off"
%s "$on"
"""


@pytest.mark.parametrize("remove", ["rm", "git rm -q"])
def test_n107_an_own_apply_step_is_held_to_the_hard_rules(scanned, remove):
    install(scanned, own(apply_reconcile=APPLY % remove))
    before = unchanged(scanned)
    done = scanned.intent("scan")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("I101") == done.err.count("I103") == 1
    assert "git intent: commit: " in done.err
    assert unchanged(scanned) == before
    (scanned.path / ".cloche/team.cloche").unlink()
    assert "1 created" in scanned.intent("scan").out


@pytest.mark.parametrize("step", ["extract", "commit"])
def test_n107_a_script_that_commits_by_itself_is_reported(scanned, step):
    script = "git add -A; git commit -qm mine --allow-empty; " + (
        f"git intent scan-step {step}" if step == "extract" else "true"
    )
    install(scanned, own(**{step: script}))
    done = scanned.intent("scan")
    assert done.code == 1
    assert "HEAD moved while the scan ran" in done.err
    assert scanned.git("log", "-1", "--format=%s") == "mine"
    assert scanned.status() == ""


# Trust


@pytest.mark.parametrize(
    "start", [["scan"], ["run", "intent-scan"], ["scan", "--full"]]
)
def test_n108_nothing_of_a_strangers_workflow_starts(rules, start):
    rules.write(".cloche/team.cloche", own(extract="touch pwned"))
    done = rules.intent(*start)
    assert done.code == 1
    assert "git intent trust .cloche/team.cloche" in done.err
    assert not (rules.path / "pwned").exists()
    assert not rules.store.exists()


def test_n108_a_file_that_changed_after_the_approval_is_not_run(rules):
    install(rules, own())
    rules.write(".cloche/team.cloche", own(extract="touch pwned"))
    done = rules.intent("scan")
    assert done.code == 1
    assert "not approved on this machine: .cloche/team.cloche" in done.err
    assert not (rules.path / "pwned").exists()


def test_n108_a_program_that_changed_after_the_approval_is_not_run(rules):
    rules.write("apply.py", "")
    install(rules, own(extract="python apply.py"))
    rules.write("apply.py", "open('pwned', 'w')")
    done = rules.intent("scan")
    assert done.code == 1
    assert "not approved on this machine: apply.py" in done.err
    assert not (rules.path / "pwned").exists()


@pytest.mark.parametrize("trusted", [False, True])
def test_n108_scans_after_tasks_use_the_workflow_if_it_is_approved(rules, trusted):
    text = own(extract="touch ran; git intent scan-step extract")
    rules.write(".cloche/team.cloche", text)
    if trusted:
        assert rules.intent("trust", "--yes").code == 0
    rules.write("task.md", "Never round a reading.")
    args = ["record", "--run", "R", "--task-file", "task.md", "--complete"]
    assert rules.intent(*args, env={"CI": "1"}).code == 0
    done = rules.intent("scan", "--queued")
    assert done.code == (0 if trusted else 1)
    assert (rules.path / "ran").exists() is trusted
    if trusted:
        assert "R: scanned" in done.out
        assert rules.git("log", "-1", "--format=%s").startswith("intent scan: ")
    else:
        assert "R: failed: not approved on this machine" in done.out
        assert not rules.store.exists()


def test_n108_a_run_that_ends_starts_nothing_of_the_repository(rules):
    rules.write(".cloche/team.cloche", own(extract="touch pwned"))
    rules.write("task.md", "Never round a reading.")
    args = ["record", "--run", "R", "--task-file", "task.md", "--complete"]
    assert rules.intent(*args).code == 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        queue = json.loads(rules.intent("status", "--json").out)["queue"]
        if queue and queue[0]["reason"]:
            break
        time.sleep(0.2)
    assert "not approved on this machine" in queue[0]["reason"]
    assert not (rules.path / "pwned").exists()


# Options


def test_options_mean_what_they_mean_elsewhere(scanned):
    install(scanned, own())
    done = scanned.intent("scan", "--no-commit", "--max-commits", "0", "--full")
    assert done.code == 0, done.err
    assert "Nothing was committed." in done.out
    assert scanned.status()
    scanned.git("checkout", "-q", "--", ".")
    scanned.git("clean", "-fdq", STORE)
    done = scanned.intent("scan", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert scanned.status() == ""


def test_a_dry_run_of_an_own_workflow_is_refused(rules):
    install(rules, own(extract="touch ran"))
    done = rules.intent("scan", "--dry-run")
    assert done.code == 1
    assert ".cloche/team.cloche:1: the project's own 'intent-scan'" in done.err
    assert "--no-commit" in done.err
    assert not (rules.path / "ran").exists()


def test_n092_a_failed_step_is_named_and_the_scan_goes_on_with_resume(rules):
    install(rules, own(reconcile="test -e go && git intent scan-step reconcile"))
    before = unchanged(rules)
    done = rules.intent("scan", "--json")
    assert done.code == 1
    found = json.loads(done.out)
    assert found["step"] == "reconcile"
    assert found["log"].startswith(f"{rules.path}/.cloche/logs/")
    assert "exit code 1" in found["error"]
    assert unchanged(rules) == before
    rules.write("go", "")
    done = rules.intent("scan", "--resume")
    assert done.code == 0, done.err
    assert "2 created" in done.out


def test_what_a_hook_says_comes_through(rules):
    install(rules, own())
    hook = rules.write(".git/hooks/pre-commit", "#!/bin/sh\necho no way >&2\nexit 1\n")
    hook.chmod(0o755)
    done = rules.intent("scan")
    assert done.code == 1
    assert "no way" in done.err
    assert rules.status() == ""


def test_a_scan_does_not_read_the_words_of_another(rules):
    said = "echo Always trust the echo of a scan.; git intent scan-step extract"
    install(rules, own(extract=said))
    assert rules.intent("scan").code == 0
    head = rules.head()
    again = json.loads(rules.intent("scan", "--json").out)
    assert (again["commit"], again["skipped"]) == ("", [])
    assert rules.head() == head
    assert "echo" not in str(requirements(rules))


def stopped(repo, number):
    """Stop a scan by a signal while its last step is at work; its code and words."""
    install(repo, own(commit="echo $$ > log; exec sleep 60"))
    child = subprocess.Popen(
        [sys.executable, "-m", "git_intent", "scan"],
        cwd=repo.path,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": _SOURCE},
    )
    deadline = time.monotonic() + 120
    while not (repo.path / "log").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(number)
    code = child.wait(timeout=60)
    if number == signal.SIGKILL:  # nobody is left to end it
        os.killpg(int((repo.path / "log").read_text()), number)
    return code, child.communicate()[1].decode()


def test_an_interrupted_scan_leaves_no_lock_and_the_store_as_it_was(rules):
    code, err = stopped(rules, signal.SIGINT)
    assert code == 130
    assert "`git intent scan --resume` goes on" in err
    assert not (rules.path / ".git/intent/lock").exists()
    assert (rules.store.exists(), rules.status()) == (False, "")
    (rules.path / ".cloche/team.cloche").unlink()
    assert "2 created" in rules.intent("scan", "--resume").out


def test_after_a_kill_the_next_scan_repairs(rules):
    assert stopped(rules, signal.SIGKILL)[0] == -signal.SIGKILL
    assert rules.status()  # apply-reconcile had written the store
    (rules.path / ".cloche/team.cloche").unlink()
    assert "2 created" in rules.intent("scan").out
    assert rules.status() == ""
