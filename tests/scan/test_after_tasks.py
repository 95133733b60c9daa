"""Scans of completed runs: real commands, real processes in the background.

What lies between two effects is tried with the tiny extractor, in this process or in
one that is killed.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from git_intent.git.repository import Repository
from git_intent.lock import LockHeld, ProjectLock
from git_intent.scan import after_tasks, queue
from git_intent.store.intent_dir import read_snapshot
from git_intent.store.scan_state import parse_scan_state
from git_intent.workflow import runs
from git_intent.workflow.runs import Change, Meta, State
from tests.support import kill
from tests.support.repo import _SOURCE, STORE, Repo
from tests.support.scanning import (
    NOW,
    drain,
    drainer,
    queue_and_drain,
    queue_up,
    scan,
)

WISH = "From now on, never rename the file {}.txt without asking.\n"


@pytest.fixture
def project(repo):
    repo.commit("Begin", **{"CLAUDE.md": "# Rules\n\nAlways write tests first.\n"})
    return repo


@pytest.fixture
def program(project, tmp_path):
    """`git-intent` for hooks of the project."""
    script = tmp_path / "git-intent"
    script.write_text(
        f"#!/bin/sh\nexport PYTHONPATH='{_SOURCE}'\n"
        f"exec '{sys.executable}' -m git_intent \"$@\"\n"
    )
    script.chmod(0o755)
    return script


def hook(repo, name, text):
    repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{text}\n").chmod(0o755)


def begin(repo, run, text=None, cwd=None):
    where = Repo(cwd or repo.path)
    task = text or WISH.format("number7")
    done = where.intent("record", "--run", run, "--task-file", "-", input=task)
    assert done.code == 0, done.err


def complete(repo, run, *args, cwd=None, env=None):
    done = repo.intent("record", "--run", run, "--complete", *args, cwd=cwd, env=env)
    assert done.code == 0, done.err
    return done


def waiting(repo):
    return [one.run for one in queue.entries(repo.path / ".git")]


def settled(repo):
    """Wait until what was started in the background is done."""
    guard = repo.path / ".git/intent/queue.start"
    end = time.monotonic() + 120
    if guard.exists():
        with guard.open("r+") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
    while ProjectLock(repo.path / ".git").holder():
        assert time.monotonic() < end
        time.sleep(0.05)
    return repo


def eventually(wanted):
    end = time.monotonic() + 120
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.05)


def status(repo, env=None):
    return json.loads(repo.intent("status", "--json", env=env).out)["queue"]


def scans(repo, branch="HEAD"):
    """The commits of scans, oldest first."""
    log = repo.git("log", "--reverse", "--format=%h", "--grep=^Intent-Scan: ", branch)
    return log.splitlines()


def touched(repo, *commits):
    out = repo.git("show", "--format=", "--name-only", *commits)
    return {line for line in out.splitlines() if line}


def stored(repo):
    """Statement → kind and reference of its source."""
    listed = json.loads(repo.intent("list", "--json").out)["requirements"]
    found = [json.loads(repo.intent("show", r["id"], "--json").out) for r in listed]
    rows = [one["requirement"] for one in found]
    return {
        r["statement"]: (r["provenance"]["kind"], r["provenance"]["ref"]) for r in rows
    }


def mined(repo):
    """Kind and reference of everything that the newest scan has read."""
    folder = max((repo.path / ".git/intent/runs").iterdir())
    items = json.loads((folder / "sources.json").read_text())["items"]
    return {(item["kind"], item["ref"]) for item in items}


def states(repo):
    data = repo.read(f"{STORE}/scan-state.yaml")
    return parse_scan_state(data, "scan-state.yaml").get()


# One run


def test_n099_n181_a_completed_run_is_scanned_and_makes_the_store(project):
    """The first of all, with default settings; a plain scan goes on from there."""
    begin(project, "chat-7")
    end = project.commit("Always sign a tag with the release key.", src="x")
    assert complete(project, "chat-7").err == ""
    settled(project)
    (made,) = scans(project)
    assert project.git("rev-parse", "HEAD~1") == end
    assert all(path.startswith(f"{STORE}/") for path in touched(project, made))
    assert project.status() == ""
    assert waiting(project) == []
    assert stored(project) == {WISH.format("number7").strip(): ("prompt", "chat-7")}
    assert mined(project) == {("prompt", "chat-7"), ("commit", end)}
    assert states(project).scanned_runs == ("chat-7",)
    assert states(project).scanned_docs == {}
    assert project.intent("scan").code == 0
    rest = {("doc", "CLAUDE.md"), ("commit", project.git("rev-parse", f"{end}~1"))}
    assert mined(project) == {*rest, ("commit", end)}


def test_n181_without_any_durable_statement_domains_and_cursor_are_made(project):
    (project.path / "tests").mkdir()
    project.commit("Add a test", **{"tests/test_a.py": ""})
    begin(project, "chat-7", "Fix the typo in line 3.\n")
    complete(project, "chat-7")
    settled(project)
    (made,) = scans(project)
    names = {"domains.yaml", "scan-state.yaml", ".gitattributes"}
    assert touched(project, made) == {f"{STORE}/{name}" for name in names}


def test_n100_with_the_setting_off_nothing_is_queued(project):
    project.git("config", "intent.scanAfterTasks", "false")
    begin(project, "chat-7")
    head = project.head()
    assert complete(project, "chat-7").err == ""
    settled(project)
    assert not (project.path / ".git/intent/queue").exists()
    assert not (project.path / ".git/intent/queue.start").exists()
    assert project.head() == head
    assert status(project) == []


def test_an_excluded_run_is_not_queued_and_one_that_waits_leaves_the_queue(project):
    begin(project, "secret")
    project.intent("record", "--run", "secret", "--exclude")
    complete(project, "secret")
    ci = {"CI": "true"}
    begin(project, "late")
    complete(project, "late", env=ci)
    assert waiting(project) == ["late"]
    project.intent("record", "--run", "late", "--exclude", env=ci)
    assert waiting(project) == []
    settled(project)
    assert scans(project) == []


def rules(repo):
    """What the tiny extractor has found so far."""
    texts = [data.decode() for data in read_snapshot(repo.path).values()]
    return {line for text in texts for line in text.splitlines() if line[:5] == "Rule:"}


def test_n068_what_others_committed_before_the_run_is_left_to_a_plain_scan(project):
    scan(project.path)
    cursor = states(project).last_commit
    start = project.commit("Rule: foreign.", f="x")
    project.commit("Rule: own.", t="x")
    record(project, "R", start=start)
    assert queue_and_drain(project.path, "R") == [("R", "scanned")]
    assert rules(project) == {"Rule: always.", "Rule: own."}
    assert states(project).last_commit == cursor
    scan(project.path)
    assert rules(project) == {"Rule: always.", "Rule: own.", "Rule: foreign."}
    assert scan(project.path).quiet


def test_n068_a_run_whose_branch_was_merged_by_squash_loses_no_cursor(project):
    scan(project.path)
    cursor = states(project).last_commit
    start = project.head()
    project.git("checkout", "-q", "-b", "task")
    project.commit("Rule: own.", t="x")
    record(project, "R", start=start)
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--squash", "task")
    project.commit("Rule: squashed.")
    assert queue_and_drain(project.path, "R") == [("R", "scanned")]
    assert states(project).last_commit == cursor
    assert not [r for r in scan(project.path).remarks if "lost" in r]
    assert rules(project) == {"Rule: always.", "Rule: own.", "Rule: squashed."}


def test_commits_that_are_gone_are_left_out_and_named(project):
    scan(project.path)
    record(project, "R", start="1" * 40)
    queue_up(project.path, "R")
    assert drain(project.path) == [("R", "scanned")]
    assert states(project).scanned_runs == ("R",)


# Many


def test_n101_ten_runs_within_a_second_are_each_scanned_once(project):
    names = [f"number{number}" for number in range(10)]
    for name in names:
        record(project, name, prompt=WISH.format(name))
    command = [sys.executable, "-m", "git_intent", "record", "--complete", "--run"]
    begun = [
        subprocess.Popen(
            [*command, name],
            cwd=project.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            stdout=subprocess.DEVNULL,
        )
        for name in names
    ]
    assert [child.wait(120) for child in begun] == [0] * 10
    eventually(lambda: waiting(project) == [])
    settled(project)
    assert len(scans(project)) == 10  # none at the same time: each on top of another
    assert sorted(ref for _, ref in stored(project).values()) == names
    assert sorted(states(project).scanned_runs) == names
    assert project.status() == ""


def test_n101_after_a_stop_in_between_the_next_command_goes_on(project):
    for number in range(3):
        record(project, f"R{number}", prompt=WISH.format(f"number{number}"))
    queue_up(project.path, "R0", "R1", "R2")
    names = kill.effects(Repo(copy(project, "twin")).path, "R0")
    dead = kill.run("kill", names.index("rename scan-state.yaml"), project.path, "R0")
    assert dead.returncode == -signal.SIGKILL
    assert len(waiting(project)) == 3
    assert project.intent("list").code == 0
    eventually(lambda: waiting(project) == [])
    settled(project)
    assert len(scans(project)) == 3
    assert project.status() == ""


def copy(repo, name):
    return shutil.copytree(repo.path, repo.path.parent / name, symlinks=True)


def record(repo, run, *, start="", prompt="Rule: always.\n"):
    """A completed run, without the command."""
    opened = Repository.discover(repo.path)
    head = repo.head()
    meta = Meta(state=State.DONE, start=start or head, end=head)
    files = {"prompt": prompt.encode()}
    runs.update(opened, run, lambda _: Change(meta, files), Meta())


# What a scan does not start


def test_n102_the_scans_own_commit_queues_nothing(project, program):
    """One hook ends the run at every commit, that of the scan included."""
    begin(project, "chat-7")
    for name in ("post-commit", "post-merge"):
        hook(project, name, f"'{program}' record --run chat-7 --complete")
    project.commit("Always sign a tag with the release key.", t="x")
    settled(project)
    eventually(lambda: waiting(project) == [])
    assert len(scans(project)) == 1
    settled(project)
    assert len(scans(project)) == 1


def test_n102_a_run_that_ends_three_times_is_scanned_once(project):
    begin(project, "chat-7")
    for _ in range(3):
        complete(project, "chat-7")
    eventually(lambda: waiting(project) == [])
    settled(project)
    assert len(scans(project)) == 1


@pytest.mark.parametrize("name", ["GIT_INTENT_SCAN", "GIT_INTENT_CHILD"])
def test_n102_what_a_scan_has_started_completes_no_run_of_its_own(project, name):
    begin(project, "chat-7")
    complete(project, "chat-7", env={name: "x"})
    assert waiting(project) == []


def test_n101_one_that_ends_again_at_the_same_instant_is_not_forgotten(project):
    """Two clocks, or one that stands still: its new file is no other than the first."""
    record(project, "R")
    queue_up(project.path, "R")
    work = drainer(project.path)
    opened, again = work.open, iter([True])

    def place(root):
        found = opened(root)

        def scan(run):
            report = found.scan(run)
            if next(again, False):
                queue_up(project.path, "R")
            return report

        return replace(found, scan=scan)

    work.open = place
    assert [one.fate.value for one in work.drain()] == ["scanned", "scanned"]
    assert waiting(project) == []
    assert len(scans(project)) == 1


def test_n101_what_is_about_to_end_is_not_looked_at_before_it_has(project):
    opened = Repository.discover(project.path)
    after_tasks.expect(opened, "R", wanted=True, environ={}, now=NOW)
    assert drain(project.path) == []
    assert waiting(project) == ["R"]
    record(project, "R")
    later = drainer(project.path)
    later.clock = lambda: NOW + timedelta(minutes=2)
    assert [one.fate.value for one in later.drain()] == ["scanned"]


# When it has to wait


def rebasing(repo):
    repo.commit("two", f="2")
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    repo.commit("other", f="3")
    repo.git("rebase", "main", check=False)
    return lambda: repo.git("rebase", "--abort")


def detached(repo):
    repo.git("checkout", "-q", "--detach")
    return lambda: repo.git("checkout", "-q", "main")


def test_n103_what_cannot_be_scanned_now_waits_and_status_says_why(project):
    begin(project, "chat-7")
    clear = rebasing(project)
    head = project.head()
    said = complete(project, "chat-7").err
    why = "a rebase is in progress"
    assert said == (
        f"note: chat-7 waits to be scanned: {why}; `git intent status` shows it\n"
    )
    assert project.intent("list").err == ""  # said once
    assert f"  chat-7: {why}\n" in project.intent("status").out
    by_hand = project.intent("scan", "--queued")
    assert (by_hand.code, by_hand.out) == (0, f"chat-7: waits: {why}\n")
    assert project.head() == head
    assert not (project.path / ".git/intent/queue.start").exists()
    clear()
    project.intent("list")
    eventually(lambda: waiting(project) == [])
    settled(project)
    assert len(scans(project)) == 1


def merging(repo):
    repo.write(".git/MERGE_HEAD", repo.head())
    return lambda: (repo.path / ".git/MERGE_HEAD").unlink()


@pytest.mark.parametrize("obstruct", [detached, merging, None])
def test_n103_what_waits_is_kept_as_it_is_and_tried_as_soon_as_it_can_be(
    project, obstruct
):
    record(project, "R")
    clear = obstruct(project) if obstruct else None
    head = project.head()
    assert queue_and_drain(project.path, "R", ci=not obstruct) == [("R", "waits")]
    (left,) = queue.entries(project.path / ".git")
    assert (left.tries, left.retry_at, left.reason) == (0, "", "")
    assert project.head() == head
    if clear:
        clear()
    assert drain(project.path) == [("R", "scanned")]


def test_n103_in_ci_nothing_is_scanned(project):
    ci = {"CI": "true"}
    begin(project, "chat-7")
    assert (
        "waits to be scanned: this is a CI job"
        in complete(project, "chat-7", env=ci).err
    )
    project.intent("list", env=ci)
    assert status(project, env=ci)[0]["reason"] == "this is a CI job"
    assert project.intent("scan", "--queued", env=ci).out.startswith("chat-7: waits")
    assert scans(project) == []


def test_n103_whoever_is_typing_a_commit_message_gets_the_commit(project, tmp_path):
    begin(project, "chat-7")
    ready, go = tmp_path / "ready", tmp_path / "go"
    editor = tmp_path / "editor.sh"
    editor.write_text(
        f'#!/bin/sh\necho "By hand" > "$1"\ntouch {ready}\n'
        f"while [ ! -e {go} ]; do sleep 0.02; done\n"
    )
    editor.chmod(0o755)
    project.write("f", "mine")
    project.git("add", "f")
    commit = subprocess.Popen(
        ["git", "commit", "-q"],
        cwd=project.path,
        env={**os.environ, "GIT_EDITOR": str(editor)},
    )
    eventually(ready.exists)
    complete(project, "chat-7")
    by_hand = project.intent("scan", "--queued")
    assert by_hand.out == "chat-7: waits: a commit is under way\n"
    assert scans(project) == []
    go.touch()
    assert commit.wait(60) == 0
    eventually(lambda: waiting(project) == [])
    settled(project)
    assert project.git("log", "-1", "--format=%s", "HEAD~1") == "By hand"
    assert len(scans(project)) == 1


def test_a_run_that_ends_while_a_scan_is_at_work_is_scanned_after_it(project, tmp_path):
    begin(project, "chat-7")
    ready, go = tmp_path / "ready", tmp_path / "go"
    hook(
        project,
        "pre-commit",
        f"touch {ready}\nwhile [ ! -e {go} ]; do sleep 0.02; done",
    )
    plain = subprocess.Popen(
        [sys.executable, "-m", "git_intent", "scan"],
        cwd=project.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        stdout=subprocess.DEVNULL,
    )
    eventually(ready.exists)
    complete(project, "chat-7")
    held = project.intent("scan", "--queued")
    assert held.code == 1
    assert "held by scan" in held.err
    assert waiting(project) == ["chat-7"]
    go.touch()
    assert plain.wait(60) == 0
    eventually(lambda: waiting(project) == [])
    settled(project)
    assert "chat-7" in states(project).scanned_runs


def test_n089_a_quiet_scan_waits_for_the_one_at_work(project):
    """As a post-commit hook would: nothing is said, and nothing is forgotten."""
    with ProjectLock(project.path / ".git").acquire("test"):
        for _ in range(2):
            done = project.intent("scan", "--quiet")
            assert (done.code, done.out, done.err) == (0, "", "")
        settled_but_held(project)
        assert status(project)[0]["run"] == ""
        said = project.intent("status").out
        assert "Queue         1 scan waits\n  a plain scan: " in said
        assert scans(project) == []
    assert project.intent("list").code == 0  # whoever comes next
    eventually(lambda: waiting(project) == [])
    settled(project)
    assert len(scans(project)) == 1
    assert ("doc", "CLAUDE.md#rules") in stored(project).values()


def settled_but_held(repo):
    """Wait until the drainer has found the lock taken and left."""
    guard = repo.path / ".git/intent/queue.start"
    eventually(guard.exists)
    with guard.open("r+") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (["scan"], {}),
        (["scan", "--quiet", "--json"], {}),
        (["scan", "--quiet", "--full"], {}),
        (["scan", "--quiet"], {"CI": "true"}),
        (["scan", "--quiet"], {"GIT_INTENT_SCAN": "x"}),
    ],
)
def test_n089_any_other_scan_names_the_holder(project, words, env):
    with ProjectLock(project.path / ".git").acquire("test"):
        done = project.intent(*words, env=env)
    assert done.code == 1
    assert "held by test" in done.err
    assert waiting(project) == []


def test_a_held_lock_leaves_everything_in_the_queue(project):
    record(project, "R")
    queue_up(project.path, "R")
    lock = ProjectLock(project.path / ".git")
    with lock.acquire("test"), pytest.raises(LockHeld):
        drain(project.path)
    assert waiting(project) == ["R"]


# When it fails


def test_what_fails_stays_with_its_reason_and_is_tried_ever_more_rarely(project):
    hook(project, "pre-commit", "echo no commits on Sundays; exit 1")
    begin(project, "chat-7")
    complete(project, "chat-7")
    settled(project)
    (row,) = status(project)
    assert row["tries"] == 1
    assert "no commits on Sundays" in row["reason"]
    settled(project)  # status has tried once more: the first time that is at once
    for _ in range(2):  # and then not before a minute has passed
        said = project.intent("status").out
        settled(project)
        assert "tried 2 times, again after 20" in said
    failed = project.intent("scan", "--queued")
    assert failed.code == 1
    assert failed.out.startswith("chat-7: failed: commit: the pre-commit hook refused")
    assert queue.entries(project.path / ".git")[0].tries == 3
    assert read_snapshot(project.path) == {}
    assert project.status() == ""
    (project.path / ".git/hooks/pre-commit").unlink()
    assert project.intent("scan", "--queued").out.startswith("chat-7: scanned, 1 ")
    assert waiting(project) == []


def test_a_failed_scan_of_a_run_is_nothing_to_resume(project):
    hook(project, "pre-commit", "exit 1")
    scan_failed = project.intent("scan")
    assert scan_failed.code == 1
    record(project, "R", prompt=WISH.format("number7"))
    queue_up(project.path, "R")
    assert project.intent("scan", "--queued").code == 1
    (project.path / ".git/hooks/pre-commit").unlink()
    resumed = project.intent("scan", "--resume")
    assert resumed.code == 0
    assert ("doc", "CLAUDE.md#rules") in stored(project).values()


def test_one_that_fails_does_not_stop_the_others(project):
    record(project, "good")
    record(project, "bad")
    queue_up(project.path, "bad", "good")
    (project.path / ".git/intent/queue/bad").write_text(
        json.dumps({"version": 1, "run": "bad", "root": "/nowhere", "project": "svc/"})
    )
    assert drain(project.path) == [("bad", "failed"), ("good", "scanned")]
    (left,) = queue.entries(project.path / ".git")
    assert "/nowhere" in left.reason


@pytest.mark.parametrize("why", ["unknown", "running", "unwanted", "broken"])
def test_what_needs_no_scan_leaves_the_queue(project, why):
    if why != "unknown":
        record(project, "R")
    if why == "broken":
        commit = project.git("commit-tree", "HEAD^{tree}", "-m", "x")
        project.git("update-ref", "refs/intent/runs/%52", commit)
    if why == "running":
        opened = Repository.discover(project.path)
        runs.update(opened, "R", lambda _: Change(Meta()), Meta())
    queue_up(project.path, "R")
    assert drain(project.path, wanted=why != "unwanted") == [("R", "dropped")]
    assert waiting(project) == []
    assert scans(project) == []


def test_a_run_that_made_no_commit_is_scanned_on_a_branch_without_any(repo):
    begin(repo, "R", "Rule: always.\n")
    complete(repo, "R", env={"CI": "true"})
    assert drain(repo.path) == [("R", "scanned")]
    assert rules(repo) == {"Rule: always."}
    begin(repo, "S", "Rule: never.\n")
    opened = Repository.discover(repo.path)
    meta = Meta(state=State.DONE)
    runs.update(opened, "S", lambda _: Change(meta), Meta())
    assert queue_and_drain(repo.path, "S") == [("S", "scanned")]
    assert rules(repo) == {"Rule: always.", "Rule: never."}
    assert len(scans(repo)) == 2


def test_an_empty_file_in_the_queue_is_its_run(project):
    record(project, "R")
    project.write(".git/intent/queue/%52", "")
    assert drain(project.path) == [("R", "scanned")]
    assert waiting(project) == []


def test_a_commit_in_mid_scan_makes_it_begin_once_more(project):
    """Once: who commits all the time is not waited for."""
    record(project, "R")
    hook(
        project,
        "pre-commit",
        'if [ "$GIT_INTENT_SCAN" ]; then env -u GIT_DIR -u GIT_WORK_TREE '
        "-u GIT_INDEX_FILE git -C "
        f"'{project.path}' commit -q --no-verify --allow-empty -m by-hand; fi\n"
        "rm -f .git/hooks/pre-commit",
    )
    hooks = project.path / ".git/hooks"
    text = (hooks / "pre-commit").read_text().replace(".git/hooks", str(hooks))
    (hooks / "pre-commit").write_text(text)
    assert queue_and_drain(project.path, "R") == [("R", "scanned")]
    assert "by-hand" in project.git("log", "--format=%s")
    assert len(scans(project)) == 1


# Killed and raced


@pytest.fixture
def waiting_run(project):
    scan(project.path)
    record(project, "R", start=project.head())
    return project


def outcome(repo):
    return (
        read_snapshot(repo.path),
        repo.git("ls-tree", "-r", "HEAD"),
        repo.git("ls-files", "-s"),
        repo.status(),
        repo.git("rev-list", "--count", "HEAD"),
        waiting(repo),
    )


def survive(repo, number, wanted):
    """Kill at an effect; whoever completes the run again gets the same end."""
    mine = Repo(copy(repo, f"at-{number}"))
    done = kill.run("kill", number, mine.path, "R")
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    assert set(waiting(mine)) <= {"R"}
    assert queue_and_drain(mine.path, "R") == [("R", "scanned")]
    assert outcome(mine) == wanted
    shutil.rmtree(mine.path)
    return done.returncode == 0


@pytest.fixture
def undisturbed(waiting_run):
    twin = Repo(copy(waiting_run, "twin"))
    names = kill.effects(twin.path, "R")
    return waiting_run, names, outcome(twin)


def test_killed_at_an_effect_of_the_queue_the_next_one_ends_the_same(undisturbed):
    repo, names, wanted = undisturbed
    own = [i for i, name in enumerate(names) if "%52" in name]
    assert len(own) == 5  # queued, begun, removed
    for number in (*own, len(names) - 1):
        survive(repo, number, wanted)


@pytest.mark.soak
def test_killed_at_every_effect_the_next_one_ends_the_same(undisturbed):
    repo, names, wanted = undisturbed
    assert [survive(repo, number, wanted) for number in range(len(names) + 1)][-1]


def test_n101_of_two_who_work_at_once_each_run_is_scanned_once(project):
    names = [f"R{number}" for number in range(4)]
    for name in names:
        record(project, name, prompt=f"Rule: keep {name}.\n")
    queue_up(project.path, *names)
    command = [sys.executable, "-m", "git_intent.cli.drainer"]
    guards = [(project.path / f"guard-{n}").open("w") for n in range(2)]
    begun = [
        subprocess.Popen(
            [*command, str(guard.fileno()), str(project.path)],
            cwd=project.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            pass_fds=[guard.fileno()],
        )
        for guard in guards
    ]
    assert [child.wait(120) for child in begun] == [0, 0]
    for guard in guards:
        guard.close()
        Path(guard.name).unlink()
    assert drain(project.path) == []
    assert states(project).scanned_runs == tuple(names)
    assert len(scans(project)) == 4


# Several work trees, and odd places


def test_a_run_is_scanned_in_the_work_tree_in_which_it_ended(project, tmp_path):
    tree = Repo(tmp_path / "tree")
    project.git("worktree", "add", "-q", "-b", "task", str(tree.path))
    begin(project, "chat-7", cwd=tree.path)
    complete(project, "chat-7", cwd=tree.path)
    settled(project)
    assert scans(project, "main") == []
    assert len(scans(project, "task")) == 1
    assert tree.status() == ""


def test_a_run_whose_work_tree_is_gone_is_scanned_here(project, tmp_path):
    tree = Repo(tmp_path / "tree")
    project.git("worktree", "add", "-q", "-b", "task", str(tree.path))
    begin(project, "chat-7", cwd=tree.path)
    complete(project, "chat-7", cwd=tree.path, env={"CI": "true"})
    ci = {"CI": "true"}
    assert status(project, env=ci)[0]["root"] == str(tree.path)
    project.git("worktree", "remove", str(tree.path))
    assert project.intent("scan", "--queued").out.startswith("chat-7: scanned, 1 ")
    assert len(scans(project, "main")) == 1


def test_a_file_in_the_work_tree_is_no_module_of_the_background(project):
    """Whose repository this is may be anybody's."""
    for name in ("json.py", "git_intent.py", "click.py"):
        project.write(name, f"open({str(project.path / 'ran')!r}, 'w')\n")
    project.commit("modules")
    record(project, "R", prompt=WISH.format("number7"))
    opened = Repository.discover(project.path)
    from git_intent.scan import queue_start

    queue_up(project.path, "R")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = _SOURCE
    folder = Path.cwd()
    try:
        os.chdir(project.path)
        queue_start.start(opened)
    finally:
        os.chdir(folder)
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before
    settled(project)
    assert not (project.path / "ran").exists()
    assert waiting(project) == []


def test_a_bare_repository_queues_nothing(tmp_path):
    bare = Repo.init(tmp_path / "bare", "--bare")
    done = bare.intent("record", "--run", "R", "--complete")
    assert done.code == 0, done.err
    assert not (bare.path / "intent/queue").exists()


@pytest.mark.parametrize("option", ["--full", "--dry-run", "--resume", "--no-commit"])
def test_the_queue_is_worked_off_without_options(project, option):
    assert project.intent("scan", "--queued", option).code == 2
    assert project.intent("scan", "--queued").out == "No run waits.\n"
