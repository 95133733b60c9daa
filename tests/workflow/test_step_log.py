"""Logs of steps: where they lie, what they hold, and how large they get."""

import errno
import os

import pytest

from git_intent.errors import IntentError
from git_intent.workflow import step_log
from git_intent.workflow.opt_out import judge_logs, opt_outs
from git_intent.workflow.step_log import RunLogs, StepLog

TOKEN = "ghp_" + "k3J9xQ2mV7bT5nR8wL4cZ6yH1dF0sG" + "aP3eUq"
NOW = "2026-09-13T10:00:00Z"


@pytest.fixture
def logs(tmp_path):
    return RunLogs(tmp_path, "k3f9-main", "k3f9", lambda: NOW)


def written(logs):
    logs.close()
    return {
        p.relative_to(logs.folder).as_posix(): p.read_bytes()
        for p in logs.folder.rglob("*")
        if p.is_file()
    }


def test_every_kind_of_log_has_the_name_that_others_look_for(logs):
    above, below = (), ("deploy",)
    one = StepLog(logs, above, "main", "build")
    for channel in (one.script(), one.agent(), one.skip()):
        channel.feed(b"words\n")
        channel.close()
    one.prompt(b"Do it.\n")
    two = StepLog(logs, below, "part", "unit").script()
    two.feed(b"deep\n")
    two.close()
    found = written(logs)
    assert set(found) == {
        "full.log",
        "main-build.log",
        "main-llm-build.log",
        "step.build.skip.log",
        "main/build.prompt.md",
        "deploy/part-unit.log",
    }
    assert f"[{NOW}] [llm] words\n".encode() in found["full.log"]
    assert one.names[0] == "main-build.log"
    text = b"""workflow main {
      step build { prompt = "x" intent_tracking = false }
      step deploy { workflow_name = "part" }
      build:success -> deploy
    } workflow part { step unit { run = "true" } }"""
    reasons = judge_logs(list(found), [opt_outs({".cloche/a.cloche": text})], "main")
    assert reasons.pop("deploy/part-unit.log") == ""
    assert all(reasons.values())


def test_no_secret_is_written_and_files_are_private(logs):
    one = StepLog(logs, (), "main", "build")
    channel = one.script()
    for byte in f"a {TOKEN} b\n".encode():
        channel.feed(bytes([byte]))
        channel.idle()
    channel.close()
    one.prompt(f"use {TOKEN}".encode())
    found = written(logs)
    assert TOKEN[8:] not in b"".join(found.values()).decode()
    for name in found:
        assert (logs.folder / name).stat().st_mode & 0o777 == 0o600


def test_the_folder_ignores_itself_unless_somebody_said_what_it_does(logs, tmp_path):
    logs.status("x")
    assert (tmp_path / ".cloche/logs/.gitignore").read_bytes() == b"*\n"
    (tmp_path / ".cloche/logs/.gitignore").write_bytes(b"*.log\n")
    RunLogs(tmp_path, "r2", "r2", lambda: NOW).status("x")
    assert (tmp_path / ".cloche/logs/.gitignore").read_bytes() == b"*.log\n"


def test_a_log_grows_to_a_bound_over_all_visits(logs, monkeypatch):
    monkeypatch.setattr(step_log, "CAP", 1000)
    for _ in range(3):
        channel = StepLog(logs, (), "main", "build").script()
        for _ in range(40):
            channel.feed(b"0123456789 and more\n")
        channel.close()
        logs.close()
    found = written(logs)["main-build.log"]
    assert found.endswith(b"[more was printed; it is not kept]\n")
    assert len(found) < 1100


def test_a_prompt_is_replaced_not_added_to(logs):
    for prompt in (b"a long first prompt", b"short"):
        StepLog(logs, (), "main", "build").prompt(prompt)
    assert written(logs)["main/build.prompt.md"] == b"short"


def test_a_full_disk_is_told_and_stops_no_step(logs, monkeypatch):
    def full(handle, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    channel = StepLog(logs, (), "main", "build").script()
    channel.feed(b"words\n")
    channel.close()
    assert "No space left on device" in logs.problem


@pytest.mark.parametrize("part", [".cloche", ".cloche/logs"])
def test_a_link_in_the_place_of_a_folder_is_refused(tmp_path, part):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "project" / part
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(IntentError, match="symbolic link"):
        RunLogs(tmp_path / "project", "r", "r", lambda: NOW)


def test_a_link_in_the_place_of_a_log_is_not_followed(logs, tmp_path):
    logs.folder.mkdir(parents=True)
    (tmp_path / "private").write_bytes(b"")
    (logs.folder / "main-build.log").symlink_to(tmp_path / "private")
    channel = StepLog(logs, (), "main", "build").script()
    channel.feed(b"words\n")
    channel.close()
    assert (tmp_path / "private").read_bytes() == b""
    assert logs.problem
