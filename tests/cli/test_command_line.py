"""Help, usage, exit codes, pipes, odd places and names: the frame of every command."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from git_intent.cli.main import COMMANDS, main, root
from tests.support.repo import _SOURCE, Repo, run_intent
from tests.support.snapshots import requirement
from tools.gen_docs import walk

EVERY = [trail[1:] for trail, _ in walk(root)]


@pytest.mark.parametrize("trail", [(), *EVERY], ids=" ".join)
def test_n178_the_help_of_every_command_has_an_example(trail, intent, capsys):
    done = intent(*trail, "-h")
    assert (done.code, done.err) == (0, "")
    assert done.out == intent(*trail, "--help").out
    _, _, examples = done.out.partition("\n  Example:\n")
    assert examples.strip(), done.out
    for line in examples.strip().splitlines():
        assert line.strip().startswith("git intent ")
    assert "..." not in done.out.partition("Commands:")[2]


def test_every_example_is_accepted_by_its_own_command():
    """An example with an option that is gone would mislead for years."""
    import shlex

    for trail, context in walk(root):
        text = (context.command.epilog or "").split("Example:\n")[1]
        for line in text.strip().splitlines():
            words = shlex.split(re.split("[<>|]", line)[0])[2:]
            while words and words[0] in ("-C", "services/api"):
                words = words[1:]
            depth = len(trail) - 1
            if context.command.name == "command" and not words[depth:]:
                continue
            if hasattr(context.command, "commands"):
                continue
            assert tuple(words[:depth]) == trail[1:], line
            context.command.make_context(
                trail[-1], words[depth:], resilient_parsing=False
            )


def test_a_group_without_a_command_shows_its_help(intent, capsys):
    done = intent("domains")
    assert (done.code, done.out) == (2, "")
    assert "Commands:" in done.err
    assert main([]) == 2
    assert "Commands:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["lst"], "No such command 'lst'. Did you mean 'list'?\n  `git intent -h`"),
        (["xyzzy"], "No such command 'xyzzy'.\n"),
        (["list", "--nope"], "--nope"),
        (["list", "-s", "gone"], "'active', 'disabled', 'superseded'"),
        (["show"], "Missing argument 'REQ'.\n  `git intent show -h` shows"),
        (["disable"], "Missing argument 'REQ…'"),
        (["supersede", "req-0001"], "Missing option '--by'"),
        (["scan", "--max-commits", "-1"], "-1 is not in the range"),
        (["scan", "--dry-run", "--resume"], "--dry-run goes with neither"),
        (["scan-step", "nope"], "'discover-domains'"),
        (["completion", "tcsh"], "'bash', 'zsh', 'fish'"),
        (["config", "max_comits"], "did you mean git.max_commits?"),
        (["domains", "nope"], "No such command 'nope'."),
        (["domains", "edit", "api"], "say what to change: --description or --path"),
        (["add", "a", "b"], "unexpected extra argument"),
        (["list", "--actor", "person"], "--actor"),
    ],
)
def test_a_wrong_command_line_is_exit_2_in_the_form_of_every_error(intent, args, said):
    done = intent(*args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("git intent: ")
    assert said in done.err
    assert " -h` shows how it is used\n" in done.err


def test_a_folder_that_is_not_there_is_exit_2(capsys):
    assert main(["-C", "/nonexistent", "list"]) == 2
    assert "'/nonexistent' does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        *("list", "status", "init", "scan", "config", "show x", "add x", "disable x"),
        *("edit x", "trust", "domains list", "domains add x", "scan-step commit"),
    ],
)
def test_outside_of_a_repository_it_is_said_what_to_do(intent, tmp_path, command):
    done = intent(*command.split(), cwd=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"git intent: {tmp_path}: not a git repository")
    assert "git init" in done.err


def test_n178_git_finds_the_command(repo, holds, on_path, tmp_path):
    holds(requirement())
    inner = repo.path / "src"
    inner.mkdir()
    expected = run_intent(["list"], repo.path).out
    assert "req-0001" in expected
    repo.git("config", "alias.il", "intent list")

    def git(*args, cwd=repo.path, **env):
        done = subprocess.run(
            ["git", *args],
            cwd=cwd,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert git("intent", "list") == expected
    assert git("il", cwd=inner) == expected
    assert git("-C", str(inner), "intent", "list", cwd=tmp_path) == expected
    git_dir = {"GIT_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(repo.path)}
    assert git("intent", "list", cwd=inner, **git_dir) == expected
    assert git("intent", "-h").startswith("Usage: git intent ")
    assert git("intent", "--version").startswith("git-intent ")


def test_n178_with_git_dir_exported_as_in_a_hook(repo, holds, intent):
    holds(requirement())
    env = {"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index"}
    assert "req-0001" in repo.intent("list", env=env).out


@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
def test_n178_help_opens_the_man_page(repo, on_path, tmp_path):
    """The folder of the program's prefix is where man looks beside PATH."""
    pages = tmp_path / "share" / "man" / "man1"
    pages.mkdir(parents=True)
    shutil.copy(f"{_SOURCE}/docs/git-intent.1", pages)
    done = subprocess.run(
        ["git", "intent", "--help"],
        cwd=repo.path,
        env={**os.environ, "MANPATH": str(tmp_path / "share" / "man"), "PAGER": "cat"}
        | {"GIT_PAGER": "cat", "MANPAGER": "cat", "MANWIDTH": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "keep what a project has decided" in done.stdout


def test_n034_odd_paths_and_locales(tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("LANG", "C")
    repo = Repo.init(tmp_path / "mit Blank äöü e\u0301")
    repo.git("config", "core.quotePath", "true")
    inner = repo.path / "Unterordner ß"
    inner.mkdir()
    added = run_intent(["add", "Überall gelten Regeln: ja."], inner)
    assert added.code == 0, added.err
    id = added.out.split()[0]
    listed = run_intent(["list"], inner)
    assert "Überall gelten Regeln: ja." in listed.out
    shown = run_intent(["show", id], inner)
    assert "\nÜberall gelten Regeln: ja.\n" in shown.out
    assert f"Project       {repo.path}\n" in run_intent(["status"], inner).out
    assert "'Ärger'" in run_intent(["show", "Ärger"], inner).err


@pytest.mark.parametrize("name", ["e\u0301", "\u00e9", "a b", "neu\nzeile"])
def test_n034_names_of_documents_are_printed_unescaped(repo, intent, name):
    path = f"docs/{name}.md"
    rule = "Never bump the major version unless explicitly told to."
    more = "Always run the tests before you push to the main branch."
    repo.write(path, f"# Rules\n\n- {rule}\n- {more}\n")
    shown = path.replace("\n", "\\n")
    assert intent("extract", path).out.startswith(f"{shown}:3: ")
    repo.commit("rules")
    assert f"\n  {shown}\n" in intent("scan").out
    assert f"  {shown}#rules  {rule}\n" in intent("list").out
    assert intent("scan").out == "Nothing new.\n"


def test_a_reader_who_goes_away_is_no_error_message(repo, holds):
    holds(*(requirement(f"req-{n:04x}", statement="x" * 900) for n in range(200)))
    for args in (["list"], ["list", "--json"], ["-h"]):
        with subprocess.Popen(
            [sys.executable, "-m", "git_intent", *args],
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as child:
            child.stdout.close()
            assert child.stderr.read() == b""
            assert child.wait() in (0, 1)


def test_errors_that_nobody_reads_keep_their_exit_code(repo):
    for args, code in ((["lst"], 2), (["show", "req-0001"], 1)):
        with subprocess.Popen(
            [sys.executable, "-m", "git_intent", *args],
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": _SOURCE},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as child:
            child.stderr.close()
            assert child.wait() == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_stdout_is_said(repo, holds):
    holds(requirement())
    for args in (["list"], ["-h"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "git_intent", *args],
                cwd=repo.path,
                env={**os.environ, "PYTHONPATH": _SOURCE},
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.returncode == 1
        assert b"No space left on device\n" in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(repo, closed):
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m git_intent add "Use tabs." {closed}', sys.executable],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (made,) = (repo.store / "requirements").iterdir()
    assert b"Use tabs." in made.read_bytes()


def test_an_interrupt_is_exit_130(repo, holds, tmp_path):
    holds(requirement())
    ready = tmp_path / "ready"
    code = (
        "import sys, pathlib, signal, time\n"
        # whoever runs the tests in the background of a shell ignores it
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from git_intent.cli import list, main\n"
        "def wait(directory):\n"
        f"    pathlib.Path({str(ready)!r}).touch()\n"
        "    time.sleep(60)\n"
        "list.open_project = wait\n"
        "sys.exit(main.main(['list']))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        while not ready.exists():
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        out, err = child.communicate()
    told = (child.returncode, out, err.strip())
    assert told == (130, b"", b"git intent: interrupted")


def test_our_own_bug_is_exit_3_with_a_log_and_no_traceback(repo, intent, monkeypatch):
    from git_intent.cli import list as command

    def broken(directory):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(command, "open_project", broken)
    done = intent("list")
    assert (done.code, done.out) == (3, "")
    first, second = done.err.splitlines()
    assert first == "git intent: this is a bug in git-intent"
    log = second.partition("please report it with ")[2]
    with open(log, encoding="utf-8") as file:
        text = file.read()
    assert "'list']" in text
    assert "ZeroDivisionError: a bug" in text


def test_a_time_that_is_none_is_said(intent):
    for text in ("soon", "9" * 30, "-1e3"):
        done = intent("add", "Use tabs.", env={"SOURCE_DATE_EPOCH": text})
        assert done.code == 1
        assert f"SOURCE_DATE_EPOCH={text}: is no time" in done.err


@pytest.mark.parametrize(
    "args",
    ["list", "show req-0001", "status", "domains list", "config", "scan --dry-run"],
)
def test_every_document_says_its_version(repo, holds, intent, args):
    holds(requirement())
    done = intent(*args.split(), "--json")
    assert done.code == 0
    assert json.loads(done.out)["version"] == 1
    assert done.out.isascii()
    assert next(iter(json.loads(done.out))) == "version"


def test_the_overview_names_each_command_once():
    assert set(COMMANDS) == {trail[0] for trail in EVERY}
