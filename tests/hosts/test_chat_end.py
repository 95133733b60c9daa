"""The end of a chat: it goes on record, and its run is scanned once."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_intent.cli import chat_end
from git_intent.git.repository import Repository
from git_intent.hosts.handle import HOSTS
from git_intent.hosts.transcripts import ended
from git_intent.hosts.transcripts.ended import Ending
from git_intent.scan import queue
from git_intent.store.scan_state import parse_scan_state
from git_intent.workflow import runs
from tests.support import transcripts as made
from tests.support import wording
from tests.support.repo import _SOURCE, STORE
from tests.support.scanning import drain
from tests.support.session import Session

RULE = "From now on, never rename the file ledger.txt without asking."
OLD = 1_790_000_000  # later than what the made transcripts say


@pytest.fixture(autouse=True)
def calm(monkeypatch):
    """No host is at work here, and none of these variables is set."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "CURSOR_VERSION", "COPILOT_CLI"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CLAUDE", "GEMINI", "COPILOT", "CURSOR"):
        monkeypatch.delenv(f"{name}_PROJECT_DIR", raising=False)


@pytest.fixture
def project(repo):
    repo.commit("Begin", **{"CLAUDE.md": "# Notes\n\nNothing yet.\n"})
    return repo


def say(home, repo, *prompts, session="s-1", rest=True):
    path = made.claude_chat(home, repo.path, session, prompts)
    if rest:
        os.utime(path, (OLD, OLD))
    return path


def ending(repo, expect=None, session="s-1", host="claude"):
    there = Repository.discover(repo.path)
    return Ending(there, host, session, os.environ, expect or (lambda _: None))


def record(repo, run):
    return runs.read(Repository.discover(repo.path), run)


def words(repo, run):
    found = record(repo, run)
    blobs = runs.objects.read_blobs(
        Repository.discover(repo.path), found.transcripts.values()
    )
    lines = b"".join(blobs.values()).splitlines()
    return [json.loads(line)["text"] for line in lines]


# The hook


@pytest.mark.parametrize("host", HOSTS)
def test_n102_each_hosts_end_of_a_chat_has_it_recorded(repo, home, host):
    chat = Session(repo, host=host)  # a ledger is not needed for that
    answer = chat.hook("SessionEnd", reason="exit")
    assert (answer.out, answer.notes) == (b"", [])
    assert chat.ended == [[host, "s-1", str(repo.path)]]


@pytest.mark.parametrize("host", HOSTS)
def test_the_end_of_a_turn_or_of_a_subagent_is_not_the_end_of_a_chat(repo, home, host):
    chat = Session(repo, host=host).configure()
    chat.prompt("one")
    chat.hook("Stop", stop_hook_active=False)
    if host == "opencode":
        chat.hook("SessionEnd", parentID="ses_root")
    else:
        chat.hook("SubagentStop", agent_id="child")
        chat.hook("SessionEnd", agent_id="child", reason="exit")
    assert chat.ended == []


def test_a_session_that_is_known_as_a_childs_ends_no_chat(repo, home):
    chat = Session(repo, "ses_c", host="opencode").configure()
    info = {"id": "ses_c", "parentID": "ses_p"}
    created = {"input": {"type": "session.created", "properties": {"info": info}}}
    chat.hook("session.created", json.dumps(created).encode())
    chat.hook("SessionEnd")
    assert chat.ended == []


@pytest.mark.parametrize(
    ("host", "reason"),
    [("copilot", "error"), ("copilot", "abort"), ("cursor", "aborted")],
)
def test_n099_a_chat_that_failed_is_no_finished_task(repo, home, host, reason):
    chat = Session(repo, host=host)
    chat.hook("SessionEnd", reason=reason)
    assert chat.ended == []


@pytest.mark.parametrize("session", [None, "", 7, ["s"], "x" * 500])
def test_an_end_without_a_session_ends_nothing(repo, home, session):
    chat = Session(repo, session)
    answer = chat.hook("SessionEnd")
    assert (answer.out, answer.notes, chat.ended) == (b"", [], [])


def test_a_session_id_that_no_process_can_be_given_is_told(repo, home):
    done = Session(repo, "a\0b").run("SessionEnd")
    assert (done.code, done.out) == (0, "")
    assert "could not be put on record" in done.err


def test_elsewhere_nothing_is_started(repo, home, tmp_path):
    there = tmp_path / "plain"
    there.mkdir()
    done = Session(repo).run("SessionEnd", cwd=there)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_the_project_that_the_session_began_in_is_asked_as_well(repo, home, tmp_path):
    chat = Session(repo, env={"CLAUDE_PROJECT_DIR": str(tmp_path)})
    chat.hook("SessionEnd")
    assert chat.ended == [["claude", "s-1", str(repo.path)]]  # that is no project
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    chat = Session(repo, env={"CLAUDE_PROJECT_DIR": str(other)})
    chat.hook("SessionEnd")
    assert chat.ended == [["claude", "s-1", str(repo.path), str(other)]]


@pytest.mark.parametrize("name", ["COPILOT_CLI", "CURSOR_VERSION"])
def test_another_host_that_runs_claudes_hooks_ends_no_chat_of_claudes(repo, home, name):
    chat = Session(repo, env={name: "1"})
    chat.hook("SessionEnd")
    assert chat.ended == []


@pytest.mark.parametrize("host", HOSTS)
def test_l071_stop_makes_a_card_that_was_edited_right(repo, home, host):
    chat = Session(repo, host=host).configure()
    chat.prompt("one")
    right, tip = chat.objective(), chat.tip()
    card = Path(chat.place.objective)
    card.write_text("done: everything\n")
    answer = chat.hook("Stop", stop_hook_active=False)
    assert (answer.out, answer.notes) == (b"", [])
    assert chat.objective() == right
    assert chat.tip() == tip


# The record


def test_n099_the_run_holds_what_was_said_and_what_was_committed(home, project):
    begin = project.head()
    say(home, project, RULE, "Go on.")
    expected = []
    assert ending(project, expected.append).record() == "claude-s-1"
    assert expected == ["claude-s-1"]
    found = record(project, "claude-s-1")
    assert found.meta.state == "done"
    assert found.meta.end == begin
    assert found.meta.started_at == "2026-09-01T10:00:00Z"
    assert words(project, "claude-s-1") == [RULE, "Go on."]


def test_the_start_is_where_head_stood_at_the_first_word(home, project):
    first = project.head()
    path = made.claude_file(home, project.path, "s-1")
    at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 5))
    made.write(path, [{**made.claude("user", RULE, project.path), "timestamp": at}])
    os.utime(path, (OLD, OLD))
    ending(project).record()
    found = record(project, "claude-s-1").meta
    assert (found.start, found.end) == (first, first)


def test_without_a_reflog_the_run_claims_no_commits(home, project):
    say(home, project, RULE)
    shutil.rmtree(project.path / ".git/logs")
    ending(project).record()
    found = record(project, "claude-s-1").meta
    assert (found.start, found.end, found.state) == ("", "", "done")


def test_what_is_said_after_an_end_goes_into_a_run_of_its_own(home, project):
    say(home, project, RULE)
    assert ending(project).record() == "claude-s-1"
    before = project.git("for-each-ref")
    assert ending(project).record() == "claude-s-1"  # two hooks for one end
    assert project.git("for-each-ref") == before
    say(home, project, RULE, "Use tabs.")
    assert ending(project).record() == "claude-s-1.2"
    assert words(project, "claude-s-1.2") == ["Use tabs."]


def test_an_excluded_chat_is_left_alone(home, project):
    say(home, project, RULE)
    project.intent("record", "--run", "claude-s-1", "--exclude")
    before = project.git("for-each-ref")
    assert ending(project).record() == ""
    assert project.git("for-each-ref") == before


@pytest.mark.parametrize("why", ["unknown", "silent", "elsewhere"])
def test_of_nothing_said_here_there_is_no_run(home, project, why, tmp_path):
    if why == "silent":
        made.claude_chat(home, project.path, "s-1", [])
    if why == "elsewhere":
        made.claude_chat(home, tmp_path / "x", "s-1", [RULE])
    assert ending(project).record() == ""
    assert project.git("for-each-ref", "refs/intent") == ""


def test_a_transcript_that_is_still_written_is_waited_for(home, project, monkeypatch):
    path = say(home, project, RULE, rest=False)
    naps = []

    def nap(seconds):
        naps.append(seconds)
        say(home, project, RULE, "Go on.")

    monkeypatch.setattr(ended.time, "sleep", nap)
    os.utime(path)
    ending(project).record()
    assert len(naps) == 1
    assert words(project, "claude-s-1") == [RULE, "Go on."]


def test_no_secret_and_no_tool_result_goes_on_record(home, project):
    token = "ghp_" + "k3J9xQ2mV7bT5nR8wL4cZ6yH1dF0sG" + "aP3eUq"
    path = made.claude_file(home, project.path, "s-1")
    result = [{"type": "tool_result", "content": "always obey"}]
    made.write(
        path,
        [
            made.claude("user", f"Never print {token}.", project.path, 1),
            made.claude("user", result, project.path, 2),
            made.claude("user", "Child.", project.path, 3, isSidechain=True),
        ],
    )
    os.utime(path, (OLD, OLD))
    ending(project).record()
    (said,) = words(project, "claude-s-1")
    assert token not in said


# The process


def waiting(repo):
    return [one.run for one in queue.entries(repo.path / ".git")]


@pytest.fixture
def no_drainer(monkeypatch):
    monkeypatch.setattr("git_intent.scan.queue_start.start", lambda repo: None)


def finish(repo, host="claude", session="s-1"):
    return chat_end.main([host, session, str(repo.path)])


def test_a_chat_that_ended_waits_for_its_scan(home, project, no_drainer):
    say(home, project, RULE)
    assert finish(project) == 0
    assert waiting(project) == ["claude-s-1"]


def test_n100_without_scans_after_tasks_it_is_recorded_alone(home, project, no_drainer):
    project.git("config", "intent.scanAfterTasks", "false")
    say(home, project, RULE)
    assert finish(project) == 0
    assert waiting(project) == []
    assert words(project, "claude-s-1") == [RULE]


@pytest.mark.parametrize("name", ["GIT_INTENT_SCAN", "GIT_INTENT_CHILD"])
def test_n102_the_chat_of_a_scans_own_agent_is_not_recorded(
    home, project, no_drainer, name, monkeypatch
):
    monkeypatch.setenv(name, "x")
    say(home, project, RULE)
    assert finish(project) == 0
    assert project.git("for-each-ref", "refs/intent") == ""


def test_with_transcripts_off_nothing_is_read(home, project, no_drainer):
    project.git("config", "intent.git.transcripts", "off")
    say(home, project, RULE)
    assert finish(project) == 0
    assert project.git("for-each-ref", "refs/intent") == ""


def test_an_unreadable_project_or_transcript_is_no_traceback(
    home, project, no_drainer, tmp_path, capsys
):
    assert chat_end.main(["claude", "s-1", str(tmp_path / "gone")]) == 1
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    path.write_text("no database")
    assert finish(project, "opencode") == 1


def test_n101_a_stop_between_record_and_queue_forgets_no_run(
    home, project, no_drainer, monkeypatch
):
    say(home, project, f"Rule: {RULE}")

    def die(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("git_intent.scan.after_tasks.completed", die)
    with pytest.raises(KeyboardInterrupt):
        finish(project)
    assert waiting(project) == ["claude-s-1"]
    assert drain(project.path, by_hand=True) == [("claude-s-1", "scanned")]


def test_n101_a_stop_before_the_record_leaves_no_scan_behind(
    home, project, no_drainer, monkeypatch
):
    say(home, project, RULE)

    def die(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("git_intent.hosts.transcripts.chats.record", die)
    with pytest.raises(KeyboardInterrupt):
        finish(project)
    assert drain(project.path, by_hand=True) == [("claude-s-1", "dropped")]
    assert waiting(project) == []


# One task, many events


def eventually(wanted):
    end = time.monotonic() + 120
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.05)


def scanned(repo):
    path = repo.path / STORE / "scan-state.yaml"
    if not path.exists():
        return []
    data = parse_scan_state(path.read_bytes(), "scan-state.yaml")
    return list(data.get().scanned_runs)


def test_n102_commit_merge_and_the_end_of_the_chat_make_one_scan(
    home, project, tmp_path
):
    """Every hook that can end the task does, the scan's own commit included."""
    program = tmp_path / "git-intent"
    program.write_text(
        f"#!/bin/sh\nexport PYTHONPATH='{_SOURCE}'\n"
        f"exec '{sys.executable}' -m git_intent \"$@\"\n"
    )
    program.chmod(0o755)
    chat = Session(project)
    payload = tmp_path / "end.json"
    payload.write_bytes(wording.payload("claude", "SessionEnd", "s-1", {}))
    ends = f"'{program}' hook --host claude --event SessionEnd < '{payload}'"
    for name in ("post-commit", "post-merge"):
        hook = project.path / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\n{ends}\n")
        hook.chmod(0o755)
    say(home, project, RULE)
    project.git("checkout", "-q", "-b", "side")
    project.commit("Always sign a tag with the release key.", t="x")
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--ff-only", "side")
    assert chat.run("Stop").code == 0
    for _ in range(2):
        assert chat.run("SessionEnd").code == 0
    eventually(lambda: scanned(project) == ["claude-s-1"] and not waiting(project))
    time.sleep(1)  # what the scan's own commit set going
    eventually(lambda: not waiting(project))
    subjects = project.git("log", "--format=%s").splitlines()
    assert len([one for one in subjects if one.startswith("intent scan")]) == 1
    refs = project.git("for-each-ref", "--format=%(refname)", "refs/intent/runs")
    assert refs == "refs/intent/runs/claude-s-1"
