"""git intent doctor: what works, what is broken, what to do, and nothing is changed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent.hosts.doctor import trial as trials
from git_intent.hosts.install.agent_host import HOSTS
from git_intent.ledger.ledger_lock import LedgerLock
from git_intent.ledger.processes import Processes
from git_intent.lock import ProjectLock
from tests.guard.test_hook_install import tree
from tests.support.snapshots import requirement


@pytest.fixture
def world(home, monkeypatch):
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


@pytest.fixture
def doctor(intent, repo, world):
    """Run it; nothing in the repository or the home may change."""

    def run(code: int = 0, **options):
        before = tree(repo.path), tree(world)
        done = intent("doctor", "--json", **options)
        assert (tree(repo.path), tree(world)) == before
        assert done.code == code, (done.out, done.err)
        found = json.loads(done.out)
        assert found["ok"] == (code == 0)
        return found

    return run


def one(found, about):
    (only,) = [one for one in found["findings"] if one["about"] == about]
    return only


def bad(found):
    return [one for one in found["findings"] if one["state"] == "broken"]


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Put a script on the PATH under our name."""

    def put(text):
        folder = tmp_path / "programs"
        folder.mkdir(exist_ok=True)
        script = folder / "git-intent"
        script.write_text(f"#!/bin/sh\n{text}\n")
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    return put


# Projects of all kinds


def test_n179_an_empty_project_is_not_broken(doctor):
    found = doctor()
    states = {one["about"]: one["state"] for one in found["findings"]}
    assert states["store"] == states["ledger"] == states["agent hosts"] == "off"
    assert one(found, "store")["todo"] == "git intent scan"
    assert one(found, "ledger")["todo"] == "git intent ledger init"
    assert one(found, "agent hosts")["todo"].startswith("git intent install claude|")
    assert found["hosts"] == []


def test_a_healthy_project_has_nothing_to_look_at(
    doctor, holds, intent, on_path, desk, repo
):
    holds(requirement("req-0a1b"))
    intent("install", "git")
    intent("install", "claude")
    intent("index", "rebuild")
    desk.say("Readings are rounded.")
    found = doctor()
    assert {one["state"] for one in found["findings"]} == {"ok", "off"}
    assert one(found, "claude (project) fired")["says"].startswith(
        "1 sessions captured"
    )
    assert one(found, "drivers")["state"] == one(found, "git hooks")["state"] == "ok"
    assert one(found, "index")["says"] == "1 of 1 requirements current"
    (host,) = found["hosts"]
    assert (host["host"], host["scope"]) == ("claude", "project")
    assert host["missing"] == []
    assert host["fired"]["captures"] == 1
    assert set(host["millis"]) == set(host["events"])
    assert all(millis > 0 for millis in host["millis"].values())


def test_n146_each_adapter_has_its_reason(doctor, holds, repo):
    holds(requirement("req-0a1b"))
    found = doctor()
    said = {
        one["about"]: one["says"]
        for one in found["findings"]
        if one["about"].startswith("backend ")
    }
    assert said["backend model2vec"].startswith("taken, model2vec:")
    assert said["backend ollama"] == "not taken, used only if it is pinned"
    assert said["backend keyword"] == "not taken, comes last"
    repo.git("config", "intent.embedder", "model2vec:/nowhere")
    found = doctor()
    pinned = one(found, "backend model2vec")
    assert pinned["state"] == "look"
    assert "/nowhere" in pinned["says"]
    assert one(found, "backend keyword")["state"] == "ok"


def test_outside_of_a_repository_the_users_own_is_looked_at(
    doctor, intent, on_path, tmp_path
):
    alone = tmp_path / "alone"
    alone.mkdir()
    intent("install", "codex", "--scope", "user")
    found = doctor(cwd=alone)
    assert one(found, "project")["state"] == "off"
    assert [host["scope"] for host in found["hosts"]] == ["user"]


def test_a_bare_repository(intent, world, tmp_path):
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True)
    done = intent("doctor", cwd=bare)
    assert done.code == 0
    assert "refs: 0 of runs" in done.out


def test_as_text_each_todo_stands_below(intent, world, repo):
    repo.write(".claude/settings.json", "{")
    done = intent("doctor")
    assert done.code == 1
    lines = done.out.splitlines()
    (at,) = [n for n, line in enumerate(lines) if line.startswith("broken")]
    assert lines[at] == (
        f"broken  claude (project): {repo.path}/.claude/settings.json:1:2: not JSON: "
        "expected a key in quotes"
    )
    assert lines[at + 1].strip().startswith("mend it")
    assert lines[-1] == "1 broken, 0 to look at."


def test_what_others_wrote_cannot_steer_the_terminal(intent, world, repo):
    repo.write(".cloche/config.toml", '[intent]\n"\\u001b[31m" = 1\n')
    assert "\x1b" not in intent("doctor").out


# What can be broken


def test_settings_that_are_wrong(doctor, repo):
    repo.write(".cloche/config.toml", "[intent]\ntoken_budget = true\n")
    assert one(doctor(1), "settings")["state"] == "broken"


def test_a_store_with_errors(doctor, holds, repo):
    holds(requirement("req-0a1b"))
    for number in range(8):
        repo.write(f".cloche/intent/requirements/req-000{number}.md", "nothing\n")
    found = doctor(1)
    assert len(bad(found)) == 6
    assert bad(found)[-1]["says"].endswith("errors in all")
    assert bad(found)[0]["todo"] == "git intent check"


def test_a_ref_without_its_object(doctor, repo):
    repo.commit("x", a="1")
    oid = repo.git("commit-tree", "-m", "x", "HEAD^{tree}")
    repo.git("update-ref", "refs/intent/runs/r", oid)
    (repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    (found,) = bad(doctor(1))
    assert found["says"] == "refs/intent/runs/r: git has no object for it"


def test_locks_whose_owner_is_dead(doctor, desk, repo):
    desk.say("x")
    code = (
        "import os; from git_intent.lock import ProjectLock; from pathlib import Path\n"
        "from git_intent.ledger.ledger_lock import LedgerLock\n"
        "from git_intent.ledger.processes import Processes\n"
        f"LedgerLock({str(desk.folder)!r}, {desk.ref!r}, Processes()).acquire(1)\n"
        f"with ProjectLock(Path({str(repo.path / '.git')!r})).acquire('scan'):\n"
        "    os._exit(0)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    found = doctor(1)
    assert one(found, "lock")["state"] == "look"
    (broken,) = bad(found)
    assert "held by a process that is dead" in broken["says"]
    assert "git intent ledger recover-lock --namespace" in broken["todo"]


def test_locks_whose_owner_lives_are_fine(doctor, desk, repo):
    desk.say("x")
    held = LedgerLock(str(desk.folder), desk.ref, Processes()).acquire(1)
    with ProjectLock(repo.path / ".git").acquire("scan"):
        found = doctor()
    held.release()
    assert "held by scan, process" in one(found, "lock")["says"]


def test_a_lock_of_gits_index(doctor, repo):
    repo.write(".git/index.lock", "")
    found = one(doctor(), "git index")
    assert found["state"] == "look"
    assert "index.lock" in found["says"]


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("intent.ledgerHome", "/nowhere", "/nowhere is not a git repository"),
        ("intent.ledgerHome", "relative", "is not an absolute path"),
        ("intent.namespace", "x" * 201, "cannot be part of a ref"),
    ],
)
def test_a_ledger_that_is_nowhere(key, value, says, doctor, desk, repo):
    repo.git("config", key, value)
    assert says in one(doctor(1), "ledger")["says"]


def test_a_ledger_that_was_rewound(doctor, desk, repo):
    desk.say("x")
    desk.say("y")
    repo.git("update-ref", desk.ref, f"{desk.ref}~1")
    (found,) = bad(doctor(1))
    assert found["about"].startswith("chat ")
    assert found["todo"]


def test_prompts_of_no_chat(doctor, desk, repo, intent):
    repo.intent("hook", "--host", "codex", "--event", "UserPromptSubmit", input="{}")
    payload = json.dumps({"prompt": "hello"})
    repo.intent("hook", "--host", "codex", "--event", "UserPromptSubmit", input=payload)
    found = one(doctor(), "spool")
    assert found["says"].startswith("2 prompts of no chat")


# The queue


def test_runs_that_wait_and_none_is_started(doctor, repo, intent):
    repo.commit("x", a="1")
    repo.git("config", "intent.scanAfterTasks", "true")
    repo.git("checkout", "-q", "--detach")
    done = intent("record", "--run", "R", "--workflow", "w", "--step", "s")
    assert done.code == 0
    assert intent("record", "--run", "R", "--complete").code == 0
    found = one(doctor(), "queue")
    assert found["state"] == "look"
    assert found["says"] == "1 waiting to be scanned: HEAD is detached"


def test_a_run_that_fails_again_and_again(doctor, repo):
    from git_intent.scan import queue

    repo.commit("x", a="1")
    queue.put(
        repo.path / ".git",
        queue.Entry("R", str(repo.path), "", "2026-01-01T00:00:00Z", 4, "", "no model"),
    )
    assert one(doctor(), "queue")["says"] == "R failed 4 times: no model"


# Hosts


def test_a_program_that_is_not_there(doctor, intent, repo, monkeypatch, tmp_path):
    intent("install", "codex")
    monkeypatch.setattr(trials, "program", lambda environ: "")
    found = doctor(1)
    assert {one["about"] for one in bad(found)} == {"program", "codex (project) trial"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("exit 3", "UserPromptSubmit: ended with 3"),
        ("cat > /dev/null; echo hello", "UserPromptSubmit: the answer is not JSON"),
        ("cat > /dev/null", "UserPromptSubmit: no answer to a prompt"),
        ("cat > /dev/null; echo '{}'", "UserPromptSubmit: the prompt was not kept"),
        ("sleep 60", "UserPromptSubmit: no answer within 1 seconds"),
    ],
)
def test_a_program_that_does_not_do_its_work(
    text, says, doctor, intent, program, monkeypatch
):
    monkeypatch.setattr(trials, "PATIENCE", 1.0)
    intent("install", "codex")
    program(f'[ "$1" = --version ] && echo git-intent 0.0.1 && exit\n{text}')
    found = doctor(1)
    assert one(found, "codex (project) trial")["says"].startswith(says)
    assert "is version 0.0.1" in one(found, "program")["says"]


def test_an_event_that_is_missing_is_named(doctor, intent, on_path, repo):
    intent("install", "codex")
    value = json.loads(repo.read(".codex/hooks.json"))
    del value["hooks"]["SessionStart"]
    repo.write(".codex/hooks.json", json.dumps(value))
    found = doctor()
    assert found["hosts"][0]["missing"] == ["SessionStart"]
    (says,) = [
        f
        for f in found["findings"]
        if "not registered:" in f["says"] and f["about"] == "codex (project)"
    ]
    assert says["todo"] == "git intent install codex --scope project"


def test_classes_without_the_hook_before_a_tool(doctor, intent, on_path, repo):
    intent("install", "codex")
    repo.git("config", "intent.ledger.tools.codex.mutation", "apply_patch")
    assert doctor()["hosts"][0]["missing"] == ["PreToolUse"]


def test_hooks_in_both_scopes_run_twice(doctor, intent, on_path):
    intent("install", "codex")
    intent("install", "codex", "--scope", "user")
    found = doctor()
    assert [host["scope"] for host in found["hosts"]] == ["project", "user"]
    assert "runs twice" in one(found, "codex")["says"]


@pytest.mark.parametrize(
    ("name", "path", "text", "switch"),
    [
        ("claude", ".claude/settings.json", '{"disableAllHooks": true}', "disableAll"),
        (
            "gemini",
            ".gemini/settings.json",
            '{"hooksConfig": {"enabled": false}}',
            "hooksConfig.enabled",
        ),
    ],
)
def test_a_switch_that_turns_all_hooks_off(
    name, path, text, switch, doctor, intent, on_path, repo
):
    repo.write(path, text)
    intent("install", name)
    found = doctor()
    said = [f["says"] for f in found["findings"] if f["about"] == f"{name} (project)"]
    assert any(switch in says and "switches all hooks off" in says for says in said)


@pytest.fixture
def untried(monkeypatch):
    """No hook is run: what is asked about is something else."""
    monkeypatch.setattr(trials, "trial", lambda *args: trials.Trial({}))


def trusted(found):
    (host,) = found["hosts"]
    return host["trusted"]


def test_what_claude_code_trusts(doctor, untried, intent, on_path, world, repo):
    intent("install", "claude")
    assert trusted(doctor()) == "unknown"
    for word, wanted in ((True, "yes"), (False, "no")):
        projects = {str(repo.path): {"hasTrustDialogAccepted": word}}
        (world / ".claude.json").write_text(json.dumps({"projects": projects}))
        assert trusted(doctor()) == wanted
    (world / ".claude.json").write_text("{")
    assert trusted(doctor()) == "unknown"


def test_what_codex_trusts_is_folder_and_hook(
    doctor, untried, intent, on_path, world, repo
):
    intent("install", "codex")
    assert trusted(doctor()) == "unknown"
    config = world / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text('model = "x"\n')
    assert trusted(doctor()) == "no"
    text = f'[projects."{repo.path}"]\ntrust_level = "trusted"\n'
    config.write_text(text)
    assert trusted(doctor()) == "no"
    for event in ("session_start", "user_prompt_submit", "stop", "session_end"):
        key = f"{repo.path}/.codex/hooks.json:{event}:0:0"
        config.write_text(text)
        assert trusted(doctor()) == ("partly" if "hooks.state" in text else "no")
        text += f'[hooks.state."{key}"]\ntrusted_hash = "sha256:0"\n'
    config.write_text(text)
    assert trusted(doctor()) == "yes"


def test_what_gemini_trusts(doctor, untried, intent, on_path, world, repo):
    intent("install", "gemini")
    assert trusted(doctor()) == "unknown"
    file = world / ".gemini/trustedFolders.json"
    file.parent.mkdir()
    assert trusted(doctor()) == "no"  # it was started, and nothing trusted yet
    for known, wanted in [
        ({str(repo.path): "TRUST_FOLDER"}, "yes"),
        ({str(repo.path.parent): "TRUST_FOLDER"}, "yes"),
        ({str(repo.path.parent / "other"): "TRUST_PARENT"}, "yes"),
        ({str(repo.path): "DO_NOT_TRUST"}, "no"),
        ({}, "no"),
    ]:
        file.write_text(f"// folders\n{json.dumps(known)}")
        assert trusted(doctor()) == wanted
    never = {"security": {"folderTrust": {"enabled": False}}}
    (world / ".gemini/settings.json").write_text(json.dumps(never))
    assert trusted(doctor()) == "not needed"


def test_what_copilot_trusts(doctor, untried, intent, on_path, world, repo):
    intent("install", "copilot")
    assert trusted(doctor()) == "unknown"
    file = world / ".copilot/config.json"
    file.parent.mkdir()
    assert trusted(doctor()) == "no"
    head = "// User settings belong in settings.json.\n// This file is managed.\n"
    for known, wanted in [
        ({"firstLaunchAt": "2026-12-01T02:47:00.637Z"}, "no"),
        ({"trustedFolders": [str(repo.path)]}, "yes"),
        ({"trustedFolders": [str(repo.path.parent)]}, "yes"),
        ({"trusted_folders": [str(repo.path)]}, "yes"),
        ({"trustedFolders": []}, "no"),
        ({"trustedFolders": 1}, "unknown"),
    ]:
        file.write_text(head + json.dumps(known, indent=2))
        assert trusted(doctor()) == wanted


def test_a_host_that_is_not_trusted_is_told_how(doctor, intent, on_path, world, repo):
    intent("install", "claude")
    projects = {str(repo.path): {"hasTrustDialogAccepted": False}}
    (world / ".claude.json").write_text(json.dumps({"projects": projects}))
    todos = [f["todo"] for f in doctor()["findings"] if "not trusted" in f["says"]]
    assert todos == [HOSTS["claude"].trust]


def test_chats_without_a_sign_of_a_hook(doctor, intent, on_path, world, repo):
    intent("install", "claude")
    dashed = "".join(c if c.isalnum() else "-" for c in str(repo.path))
    folder = world / ".claude/projects" / dashed
    folder.mkdir(parents=True)
    line = {
        "type": "user",
        "cwd": str(repo.path),
        "sessionId": "s",
        "message": {"role": "user", "content": "hello"},
    }
    chat = folder / "s.jsonl"
    chat.write_text(json.dumps(line) + "\n")
    found = one(doctor(), "claude (project) fired")
    assert found["state"] == "look"
    assert found["says"].endswith("in 1 chats of this project")
    with chat.open("a") as more:
        more.write('"…(end of the git-intent ledger\'s context)"\n')
    assert one(doctor(), "claude (project) fired")["state"] == "ok"


def test_the_variables_of_an_agent_are_told(doctor):
    found = one(doctor(env={"CLAUDECODE": "1", "AI_AGENT": "x"}), "actor")
    assert found["says"] == "agent, as CLAUDECODE is set (CLAUDECODE=1, AI_AGENT=x)"


@pytest.mark.parametrize("name", HOSTS)
def test_each_hosts_hook_passes_its_trial(name, doctor, intent, on_path):
    intent("install", name, "--with-preflight")
    found = doctor()
    (host,) = found["hosts"]
    assert set(host["millis"]) == set(host["events"])
