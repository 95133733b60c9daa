"""git intent install HOST: real files of a project and of a user, there and back."""

import errno
import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from git_intent.hosts.install.agent_host import HOSTS
from git_intent.hosts.install.guide import SETTINGS
from tests.guard.test_hook_install import tree
from tests.test_docs import parse, shell_words

NAMES = list(HOSTS)
SCOPES = ["project", "user"]
#: Settings as users have them, with hooks of other tools.
THEIRS = {
    ".claude/settings.json": """\
{
\t"permissions": {"allow": ["Bash(ls:*)"]},
\t"hooks": {
\t\t"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "log"}]}],
\t\t"Stop": []
\t},
\t"model":   "opus"
}""",
    ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": []}]}}\r\n',
    ".gemini/settings.json": '// mine\n{ "theme": "dark" /* at night */ }\n',
    ".github/hooks/other.json": '{"version": 1, "hooks": {}}',
    ".cursor/hooks.json": '{"version":1,"hooks":{"stop":[{"command":"./say"}]}}',
    ".opencode/plugins/other.js": "export const Other = async () => ({});\n",
    "AGENTS.md": "# Rules\n\nNever push.",
    "GEMINI.md": "Be brief.\r\n",
    ".gitignore": "*.log\n",
    ".cloche/config.toml": "[intent]\ntoken_budget = 500 # few\n",
}


def files(folder):
    """Everything but git's own."""
    found = tree(folder)
    return {k: v for k, v in found.items() if not k.startswith(f"{folder}/.git/")}


def no_folders(found):
    return {path: it for path, it in found.items() if it[0] != "folder"}


@pytest.fixture
def world(repo, home, monkeypatch):
    """The folders that may change, by scope."""
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return {"project": repo.path, "user": home}


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", NAMES)
def test_n179_where_nothing_was_nothing_is_left(name, scope, world, intent):
    before = {where: files(folder) for where, folder in world.items()}
    done = intent("install", name, "--scope", scope, "--with-preflight")
    assert done.code == 0, done.err
    installed = {where: files(folder) for where, folder in world.items()}
    (changed,) = [where for where in world if installed[where] != before[where]]
    assert changed == scope
    again = intent("install", name, "--scope", scope, "--with-preflight")
    assert again.out == "Nothing to do.\n"
    assert {where: files(folder) for where, folder in world.items()} == installed
    done = intent("install", name, "--scope", scope, "--uninstall")
    assert done.code == 0
    assert {where: files(folder) for where, folder in world.items()} == before
    again = intent("install", name, "--scope", scope, "--uninstall")
    assert again.out == "Nothing to do.\n"
    assert not (world["project"] / ".cloche/intent").exists()


@pytest.mark.parametrize("name", NAMES)
def test_n179_what_is_there_comes_back_byte_for_byte(name, world, repo, intent):
    for path, text in THEIRS.items():
        repo.write(path, text)
    before = files(repo.path)
    assert intent("install", name, "--with-preflight").code == 0
    assert files(repo.path).keys() >= before.keys()
    assert intent("install", name, "--uninstall").code == 0
    assert files(repo.path) == before


def test_n179_all_hosts_beside_each_other(world, repo, intent):
    for path, text in THEIRS.items():
        repo.write(path, text)
    before = files(repo.path)
    for name in NAMES:
        assert intent("install", name, "--with-preflight").code == 0
    table = tomllib.loads(repo.read(".cloche/config.toml").decode())
    tools = table["intent"]["ledger"]["tools"]
    assert {n: tuple(t["mutation"]) for n, t in tools.items()} == {
        n: h.tools for n, h in HOSTS.items()
    }
    assert intent("config").code == 0
    for name in sorted(NAMES):
        assert intent("install", name, "--uninstall").code == 0
    assert files(repo.path) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_dry_run_prints_the_diff_and_writes_nothing(name, world, repo, intent):
    for path, text in THEIRS.items():
        repo.write(path, text)
    before = files(repo.path)
    dry = intent("install", name, "--dry-run", "--with-preflight").out
    assert files(repo.path) == before
    intent("install", name, "--with-preflight")
    new = {path for path, it in files(repo.path).items() if before.get(path) != it}
    added = [line[1:] for line in dry.splitlines() if line[:1] == "+"]
    for path in new:
        if files(repo.path)[path][0] != "folder":
            assert f"+++ {path}" in dry
    assert any(f"--host {name}" in line for line in added)
    installed = files(repo.path)
    undone = intent("install", name, "--uninstall", "--dry-run").out
    assert files(repo.path) == installed
    assert any(line[:1] == "-" and name in line for line in undone.splitlines())


def test_it_is_said_what_has_to_be_trusted(world, intent):
    for name, host in HOSTS.items():
        done = intent("install", name)
        assert host.trust in done.err
    assert "/hooks" in HOSTS["codex"].trust
    assert "note: git-intent is not on the PATH" in intent("install", "codex").err
    assert "git intent ledger init" in intent("install", "codex").err


def test_with_the_program_and_a_ledger_nothing_is_missing(
    world, repo, intent, on_path, desk
):
    assert "note:" not in intent("install", "claude").err


def test_tools_are_held_only_if_that_was_asked_for(world, repo, intent):
    intent("install", "claude")
    assert b"PreToolUse" not in repo.read(".claude/settings.json")
    assert not (repo.path / ".cloche").exists()
    intent("install", "claude", "--with-preflight")
    assert b"PreToolUse" in repo.read(".claude/settings.json")
    assert intent("install", "claude").out == "Nothing to do.\n"


def test_a_class_that_the_user_made_gets_its_hook(world, repo, intent):
    repo.git("config", "intent.ledger.tools.codex.mutation", "apply_patch")
    intent("install", "codex")
    assert b"--event PreToolUse" in repo.read(".codex/hooks.json")


@pytest.mark.parametrize(
    "table",
    [
        '[intent.ledger.tools.claude]\nread_only = ["Read"]\n',
        '[intent.ledger.tools.claude]\nmutation = ["Edit"]\n',
        '[intent.ledger]\ntools = {claude = {mixed = ["Bash"]}}\n',
    ],
)
def test_a_table_of_tools_that_is_there_is_left_to_its_owner(
    table, world, repo, intent
):
    repo.write(".cloche/config.toml", table)
    before = files(repo.path)
    done = intent("install", "claude", "--with-preflight")
    assert done.code == 1
    assert "put this into it by hand" in done.err
    assert 'mutation = ["Edit", "MultiEdit", "NotebookEdit", "Write"]' in done.err
    assert files(repo.path) == before


def test_a_table_that_says_enough_is_enough(world, repo, intent):
    tools = json.dumps(["Task", *HOSTS["claude"].tools])
    repo.write(".cloche/config.toml", f"intent.ledger.tools.claude.mutation={tools}\n")
    before = repo.read(".cloche/config.toml")
    assert intent("install", "claude", "--with-preflight").code == 0
    assert repo.read(".cloche/config.toml") == before


def test_a_users_other_classes_stay(world, home, intent):
    intent("install", "codex", "--scope", "user")
    git = ["git", "config", "--global"]
    key = "intent.ledger.tools.codex.mutation"
    subprocess.run([*git, "--add", key, "mine"], check=True)
    intent("install", "codex", "--scope", "user", "--with-preflight")
    found = subprocess.check_output([*git, "--get-all", key], text=True)
    assert found.split() == ["mine", "apply_patch"]
    intent("install", "codex", "--scope", "user", "--uninstall")
    found = subprocess.check_output([*git, "--get-all", key], text=True)
    assert found.split() == ["mine"]


def test_a_broken_file_stops_all_of_it(world, repo, intent):
    repo.write(".claude/settings.json", '{\n  "model": "x",\n}\n')
    before = files(repo.path)
    done = intent("install", "claude", "--with-preflight")
    assert done.code == 1
    assert ".claude/settings.json:3:1: not JSON: expected a key in quotes" in done.err
    assert files(repo.path) == before


def test_a_link_is_followed_and_stays_a_link(world, repo, intent):
    repo.write("dotfiles/claude.json", "{}\n")
    (repo.path / ".claude").mkdir()
    link = repo.path / ".claude/settings.json"
    link.symlink_to("../dotfiles/claude.json")
    before = files(repo.path)
    assert intent("install", "claude").code == 0
    assert link.is_symlink()
    assert b"git-intent hook" in repo.read("dotfiles/claude.json")
    assert intent("install", "claude", "--uninstall").code == 0
    assert files(repo.path) == before


@pytest.mark.parametrize("target", ["../../elsewhere.json", "missing.json"])
def test_a_link_that_leads_nowhere_good_is_refused(target, world, repo, intent):
    (repo.path.parent / "elsewhere.json").write_text("{}")
    (repo.path / ".claude").mkdir()
    (repo.path / ".claude/settings.json").symlink_to(target)
    before = files(repo.path.parent)
    done = intent("install", "claude")
    assert done.code == 1
    assert ".claude/settings.json: " in done.err
    assert files(repo.path.parent) == before


def test_a_users_link_may_lead_anywhere(world, home, repo, intent):
    (repo.path / "claude.json").write_text("{}")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(repo.path / "claude.json")
    assert intent("install", "claude", "--scope", "user").code == 0
    assert b"git-intent" in repo.read("claude.json")


def test_variables_of_the_host_say_where_its_folder_is(
    world, tmp_path, intent, monkeypatch
):
    for name, variable in {
        "claude": "CLAUDE_CONFIG_DIR",
        "codex": "CODEX_HOME",
        "copilot": "COPILOT_HOME",
        "opencode": "XDG_CONFIG_HOME",
    }.items():
        monkeypatch.setenv(variable, str(tmp_path / name))
        assert intent("install", name, "--scope", "user").code == 0
        assert (tmp_path / name).is_dir()


def test_a_user_needs_no_repository(world, tmp_path, intent):
    alone = tmp_path / "alone"
    alone.mkdir()
    assert intent("install", "codex", "--scope", "user", cwd=alone).code == 0
    assert intent("install", "codex", cwd=alone).code == 1


def test_a_file_of_somebody_else_under_our_name_stays(world, repo, intent):
    repo.write(".opencode/plugins/git-intent.js", "mine\n")
    for words in ([], ["--uninstall"]):
        done = intent("install", "opencode", *words)
        assert done.code == 1
        assert "was not written by git intent" in done.err
    assert repo.read(".opencode/plugins/git-intent.js") == b"mine\n"


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_a_full_disk_leaves_whole_files_and_the_next_run_goes_on(
    name, world, repo, intent, monkeypatch
):
    for path, text in THEIRS.items():
        repo.write(path, text)
    before = files(repo.path)
    names = []
    monkeypatch.setattr("git_intent.files.on_effect", names.append)
    for words in (["--with-preflight"], ["--uninstall"]):
        started = files(repo.path)
        names.clear()
        intent("install", name, *words)
        done, count = files(repo.path), len(names)
        assert count > 3
        for last in range(count):
            for path in files(repo.path).keys() - started.keys():
                if Path(path).is_file():
                    Path(path).unlink()
            for path, (mode, data) in started.items():
                if mode != "folder":
                    repo.write(os.path.relpath(path, repo.path), data)
            left = iter(range(last))

            def full(effect, left=left):
                if next(left, None) is None:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            with monkeypatch.context() as patch:
                patch.setattr("git_intent.files.on_effect", full)
                failed = intent("install", name, *words)
            assert failed.code == 1
            assert "No space left on device" in failed.err
            assert intent("install", name, *words).code == 0
            assert no_folders(files(repo.path)) == no_folders(done)
    assert no_folders(files(repo.path)) == no_folders(before)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_an_error(world, repo, intent):
    (repo.path / ".claude").mkdir(mode=0o555)
    done = intent("install", "claude")
    assert done.code == 1
    assert "Permission denied" in done.err


def test_a_file_that_changed_meanwhile_is_left_alone(world, repo, intent, monkeypatch):
    from git_intent.hosts.install.plan import Change

    make = Change.make

    def late(change):
        repo.write(".claude/settings.json", "{}")
        make(change)

    monkeypatch.setattr(Change, "make", late)
    done = intent("install", "claude")
    assert done.code == 1
    assert "was changed meanwhile" in done.err
    assert repo.read(".claude/settings.json") == b"{}"


def test_an_older_guide_is_brought_up_to_date(world, repo, intent):
    repo.write("AGENTS.md", "# Mine\n")
    intent("install", "codex")
    new = repo.read("AGENTS.md")
    repo.write("AGENTS.md", new.replace(b"## How the work stands", b"## Old"))
    intent("install", "codex")
    assert repo.read("AGENTS.md") == new


# What the guide says


def guide_commands(text):
    for line in text.splitlines():
        if line.startswith("git intent "):
            yield line.removeprefix("git intent ")


@pytest.mark.parametrize("name", NAMES)
def test_each_command_of_the_guide_is_one(name):
    text = (SETTINGS / "guide.md").read_text("utf-8").replace("{host}", name)
    found = list(guide_commands(text))
    assert len(found) > 15
    for line in found:
        parse(shell_words(line))
    for command in ("classify-source", "dispose-source", "action-start", "progress"):
        assert any(f"ledger {command} " in line for line in found)


def test_the_guides_way_works_from_a_prompt_to_progress(desk, repo, intent):
    """Every document that the guide has made by --example is accepted."""
    source = desk.say("Readings are rounded to two places.")
    text = (SETTINGS / "guide.md").read_text("utf-8")
    text = text.replace("{host}", "claude").replace("SESSION", "s-1")
    text = text.replace("SOURCE", source).replace("words of it", "two places")
    lines = [line for line in guide_commands(text) if "gap" not in line]
    skipped = ("dispose-source", "reconcile-effect")
    for line in lines:
        if any(word in line for word in skipped):
            continue
        words, _, file = line.partition(" > ")
        where = str(repo.path / "document.json")
        done = intent(*shell_words(words.replace("document.json", where)))
        assert done.code == 0, (line, done.err)
        if file:
            repo.write(file, done.out)


def test_a_scan_does_not_take_the_guide_for_decisions(world, repo, intent):
    for name in NAMES:
        intent("install", name)
    repo.commit("install")
    done = intent("scan", "--json")
    assert done.code == 0, done.err
    assert not list((repo.path / ".cloche/intent/requirements").glob("*.md"))


# OpenCode's plugin

RUN = """
import { GitIntent } from "./.opencode/plugins/git-intent.js";
const client = { session: { get: async ({ path }) => (
  { data: path.id === "ses_c" ? { parentID: "ses_p" } : {} }) } };
const hooks = await GitIntent({ client, directory: process.cwd() });
const output = { message: { id: "msg_1" }, parts: [
  { id: "prt_1", type: "text", text: "hello" }, { id: "prt_2", type: "file" } ] };
await hooks["chat.message"]({ sessionID: "ses_p" }, output);
const system = { system: [] };
for (let i = 0; i < 2; i++)
  await hooks["experimental.chat.system.transform"]({ sessionID: "ses_p" }, system);
let thrown = "";
try {
  const input = { tool: "edit", sessionID: "ses_c" };
  await hooks["tool.execute.before"](input, { args: {} });
} catch (error) { thrown = error.message; }
await hooks.event({ event: { type: "session.created",
  properties: { info: { id: "ses_n", parentID: "ses_p" } } } });
console.log(JSON.stringify({ output, system, thrown }));
"""
SAYS = """\
#!/bin/sh
printf '%s ' "$5" >> "$TRACE"; cat >> "$TRACE"; echo >> "$TRACE"
case "$5" in
  tool*) printf '{"deny":"no"}' ;;
  *) printf '{"context":"C"}' ;;
esac
"""


@pytest.mark.skipif(not shutil.which("node"), reason="node runs the plugin")
def test_the_plugin_asks_and_hands_on_the_answer(world, repo, intent, tmp_path):
    program = tmp_path / "bin" / "git-intent"
    program.parent.mkdir()
    program.write_text(SAYS)
    program.chmod(0o755)
    intent("install", "opencode", "--with-preflight")
    repo.write("run.mjs", RUN)
    trace = tmp_path / "trace"
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["node", "--no-warnings", "run.mjs"],
        cwd=repo.path,
        env={**env, "TRACE": str(trace)},
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout)
    assert said["output"]["parts"][-1] == {
        "id": "prt_20",
        "messageID": "msg_1",
        "sessionID": "ses_p",
        "type": "text",
        "text": "C",
        "synthetic": True,
    }
    assert said["system"]["system"] == ["C", "C"]
    assert said["thrown"] == "no"
    told = [line.split(" ", 1) for line in trace.read_text().splitlines()]
    payloads = {name: json.loads(text) for name, text in told}
    assert len(told) == 4  # the system prompt is asked for once
    prompt = payloads["chat.message"]
    assert prompt["parentID"] is None
    assert prompt["output"]["parts"] == [
        {"id": "prt_1", "type": "text", "text": "hello"}
    ]
    assert payloads["tool.execute.before"]["parentID"] == "ses_p"
    assert payloads["session.created"]["parentID"] == "ses_p"


ENDS = """
import { GitIntent } from "./.opencode/plugins/git-intent.js";
const client = { session: { get: async () => ({ data: {} }) } };
const hooks = await GitIntent({ client, directory: process.cwd() });
const say = (type, sessionID) => (
  hooks.event({ event: { type, properties: { sessionID } } }) );
const output = () => ({ message: { id: "msg_1" }, parts: [] });
await say("session.idle", "ses_1");
if (WAIT) {
  await new Promise((resolve) => setTimeout(resolve, WAIT));
} else {
  await say("session.idle", "ses_2");
  await say("session.idle", "ses_3");
  await hooks["chat.message"]({ sessionID: "ses_2" }, output());
  await say("session.deleted", "ses_3");
}
"""


@pytest.mark.skipif(not shutil.which("node"), reason="node runs the plugin")
@pytest.mark.parametrize("wait", [0, 1500])
def test_the_plugin_tells_the_end_of_a_session(world, repo, intent, tmp_path, wait):
    """One that rests for long, or rests when the program ends: each once."""
    program = tmp_path / "bin" / "git-intent"
    program.parent.mkdir()
    program.write_text(SAYS)
    program.chmod(0o755)
    intent("install", "opencode")
    plugin = repo.path / ".opencode/plugins/git-intent.js"
    if wait:
        plugin.write_text(plugin.read_text().replace("600_000", "10"))
    repo.write("run.mjs", ENDS.replace("WAIT", str(wait)))
    trace = tmp_path / "trace"
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    subprocess.run(
        ["node", "--no-warnings", "run.mjs"],
        cwd=repo.path,
        env={**env, "TRACE": str(trace)},
        check=True,
    )
    told = [line.split(" ", 1) for line in trace.read_text().splitlines()]
    ended = [json.loads(text) for name, text in told if name == "session.ended"]
    assert ended == [{"input": {"sessionID": "ses_1"}, "parentID": None}]


@pytest.mark.skipif(not shutil.which("node"), reason="node runs the plugin")
def test_the_plugin_does_nothing_without_the_program(world, repo, intent, tmp_path):
    intent("install", "opencode", "--with-preflight")
    repo.write("run.mjs", RUN)
    done = subprocess.run(
        [shutil.which("node"), "--no-warnings", "run.mjs"],
        cwd=repo.path,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout)
    assert said["system"] == {"system": []}
    assert len(said["output"]["parts"]) == 2
    assert said["thrown"] == ""
