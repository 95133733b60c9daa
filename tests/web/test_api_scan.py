"""Scan now: one at a time, its run at once, its state live, by a real server."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from git_intent.git import detached
from git_intent.lock import ProjectLock
from git_intent.scan import run as scan_runs
from git_intent.web import scan_events
from tests.support.api import api
from tests.support.repo import _SOURCE
from tests.support.snapshots import requirement, store

RULES = "# Rules\n\nNever bump the major version unless explicitly told to.\n"
WAIT = 120


@pytest.fixture
def project(repo):
    repo.commit("rules", **{"CLAUDE.md": RULES})
    return repo


def until(served, wanted):
    """The state once it is one of `wanted`."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        found = served.get("/api/scan")
        if found["state"] in wanted:
            return found
        time.sleep(0.1)
    raise AssertionError(found)


def test_n171_a_scan_has_its_run_at_once_and_ends(project):
    with api(project) as served:
        assert served.get("/api/scan")["state"] == "idle"
        begun = served.told("POST", "/api/scan", 202, json={"full": True})
        assert begun["already"] is False
        again = served.told("POST", "/api/scan", 202, json={})
        assert again == {"version": 1, "run": begun["run"], "already": True}
        found = until(served, ("done", "failed"))
        assert found["state"] == "done", found
        assert found["run"] == begun["run"]
        assert found["summary"]["created"] == 1
        assert found["commit"] == project.head()
        assert [name for name, _ in found["steps"]][-1] == "commit"
        assert found["last_scan_at"] == found["ended_at"]
        one = served.get(f"/api/scans/{begun['run']}")
        assert one["summary"] == found["summary"]
        (row,) = served.get("/api/scans")["scans"]
        assert row["run"] == begun["run"]
        assert len(served.get("/api/requirements")["requirements"]) == 1


def test_n171_two_who_press_at_once_get_one_scan(project):
    with api(project) as served, ThreadPoolExecutor(4) as pool:
        told = [
            pool.submit(served.told, "POST", "/api/scan", 202, json={})
            for _ in range(4)
        ]
        answers = [one.result() for one in told]
        assert len({answer["run"] for answer in answers}) == 1
        assert [a["already"] for a in answers].count(False) == 1
        until(served, ("done",))
    assert len(scan_runs.all_runs(project.path / ".git")) == 1


def test_n171_a_scan_that_another_began_is_shown_and_none_beside_it(project):
    common = project.path / ".git"
    lock = ProjectLock(common)
    state = scan_runs.State(str(project.path), project.head(), "refs/heads/main")
    with api(project) as served, lock.acquire("scan", since="2026-01-01T00:00:00Z"):
        waiting = threading.Timer(
            0.5, lambda: scan_runs.start(common, state, datetime.now(UTC))
        )
        waiting.start()
        answer = served.told("POST", "/api/scan", 202, json={})
        (run,) = scan_runs.all_runs(common)
        assert answer == {"version": 1, "run": run.id, "already": True}
        found = served.get("/api/scan")
        assert (found["state"], found["run"]) == ("running", run.id)
        assert found["step"] == "discover-domains"
        run.save(state.with_step("discover-domains", "success"))
        assert served.get("/api/scan")["step"] == "collect-sources"
    with api(project) as served:  # it was killed, and so will it be told
        found = served.get("/api/scan")
        assert (found["state"], found["run"]) == ("failed", run.id)
        assert "stopped" in found["error"]


def test_a_scan_that_cannot_begin_says_why(project):
    project.git("config", "user.useConfigOnly", "true")
    head = project.head()
    (project.path / ".git" / "MERGE_HEAD").write_text(f"{head}\n")
    with api(project) as served:
        told = served.told("POST", "/api/scan", 422, json={})
        assert "merge" in told["error"]
        found = served.get("/api/scan")
        assert found["state"] == "failed"
        assert "merge" in found["error"]
        (project.path / ".git" / "MERGE_HEAD").unlink()
        begun = served.told("POST", "/api/scan", 202, json={})
        assert until(served, ("done",))["run"] == begun["run"]


def test_what_failed_is_forgotten_once_another_scan_went_through(project):
    with api(project) as served:
        (project.path / ".git" / "MERGE_HEAD").write_text(f"{project.head()}\n")
        served.told("POST", "/api/scan", 422, json={})
        (project.path / ".git" / "MERGE_HEAD").unlink()
        assert project.intent("scan", "--full").code == 0
        assert served.get("/api/scan")["state"] == "done"


def test_a_machine_that_starts_no_process_is_told(project, monkeypatch):
    def none(*_):
        raise OSError(11, "Resource temporarily unavailable")

    with api(project) as served:
        monkeypatch.setattr(detached, "start_with", none)
        told = served.told("POST", "/api/scan", 422, json={})
        assert "Resource temporarily unavailable" in told["error"]


class Running:
    """A real `git intent web`."""

    def __init__(self, repo, *options):
        command = [sys.executable, "-m", "git_intent", "web", "--no-open", *options]
        self.process = subprocess.Popen(
            command,
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        first = self.process.stdout.readline()
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)\n", first)
        assert found, first + self.process.stderr.read()
        headers = {"Authorization": f"Bearer {found[2]}"}
        self.url = first.strip()
        self.client = httpx.Client(base_url=found[1], headers=headers, timeout=60)

    def end(self, signal=2):
        self.client.close()
        self.process.send_signal(signal)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture
def running(project):
    made = Running(project)
    yield made
    if made.process.poll() is None:
        made.end()


def test_n171_states_come_live_until_the_scan_is_done(running, project):
    states = []
    with running.client.stream("GET", "/api/scan/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if not line.startswith("data: "):
                continue
            told = json.loads(line.removeprefix("data: "))
            states.append(told)
            if told["state"] == "idle":
                begun = running.client.post("/api/scan", json={}).json()
            elif told["state"] != "running":
                break
    assert states[0]["state"] == "idle"
    assert "running" in {state["state"] for state in states}
    assert (states[-1]["state"], states[-1]["run"]) == ("done", begun["run"])
    runs = [state["run"] for state in states]
    assert runs == sorted(runs, key=lambda run: run is not None)  # never lost again


def test_only_so_many_pages_listen(project, monkeypatch):
    with api(project) as served:
        assert served.ask("HEAD", scan_events.PATH).status_code == 200
        monkeypatch.setattr(scan_events, "MOST", 0)
        served.told("GET", scan_events.PATH, 429)


def test_a_scan_outlives_the_console(running, project):
    assert running.client.post("/api/scan", json={}).status_code == 202
    code, _, err = running.end()
    assert (code, err) == (0, "")
    end = time.monotonic() + WAIT
    with api(project) as served:
        while served.get("/api/scan")["state"] == "running":
            assert time.monotonic() < end
            time.sleep(0.1)
        assert served.get("/api/scan")["state"] == "done"


def test_ctrl_c_ends_it_also_while_a_page_listens(running):
    with running.client.stream("GET", "/api/scan/events") as stream:
        next(stream.iter_lines())
        running.process.send_signal(2)
        out, err = running.process.communicate(timeout=60)
    assert (running.process.returncode, out, err) == (0, "", "")


def test_it_listens_on_this_machine_alone(running):
    port = running.client.base_url.port
    tables = [Path(f"/proc/net/{name}").read_text() for name in ("tcp", "tcp6")]
    local = {row.split()[1] for row in "\n".join(tables).splitlines() if row}
    ours = {address for address in local if address.endswith(f":{port:04X}")}
    assert ours == {f"0100007F:{port:04X}"}


def test_one_slow_request_holds_nobody_up(project):
    project.commit_files(store(requirement()))
    with api(project) as served:
        gate = threading.Event()
        for _ in range(8):
            served.console.slow.submit(gate.wait)
        try:
            assert served.get("/api/requirements")["requirements"]
            assert served.get("/api/project")["name"] == "project"
            served.patch("req-0001", status="disabled")
        finally:
            gate.set()


def test_a_port_that_is_taken_is_told(running, project):
    port = str(running.client.base_url.port)
    done = project.intent("web", "--no-open", "--port", port)
    assert done.code == 1
    assert "--port" in done.err
    assert "Traceback" not in done.err


def test_another_address_is_warned_of(project):
    made = Running(project, "--host", "0.0.0.0", "--read-only")
    host = {"Host": f"evil.example:{made.client.base_url.port}"}
    assert made.client.get("/api/project", headers=host).status_code == 403
    assert made.client.get("/api/project").json()["read_only"] is True
    err = made.end(15)[2]
    assert "warning: listening on 0.0.0.0" in err
    assert "nothing is encrypted" in err
