"""git intent trust: nothing of a clone runs before a person approved its bytes."""

import os
import pty
import subprocess
import sys

import pytest

from tests.support.repo import _SOURCE

AGENT = '[intent.git]\nagent = "./agent.sh --fast"\n'
CONFIG = ".cloche/config.toml"


@pytest.fixture
def strange(repo):
    """A clone that brings an agent along; it leaves a file when it runs."""
    repo.commit_files(
        {
            CONFIG: AGENT,
            "agent.sh": "#!/bin/sh\ntouch ran\n",
            "CLAUDE.md": "# Rules\n\nNever bump the major version.\n",
        }
    )
    (repo.path / "agent.sh").chmod(0o755)
    return repo


def test_n108_a_scan_starts_no_agent_that_came_with_the_clone(strange, intent):
    done = intent("scan")
    assert done.code == 1
    assert f"{CONFIG}: it sets the agent to `./agent.sh --fast`" in done.err
    assert "then run: git intent trust .cloche/config.toml agent.sh" in done.err
    assert not (strange.path / "ran").exists()
    assert not strange.store.exists()
    assert "Not approved: .cloche/config.toml, agent.sh" in intent("status").out


def test_n108_unattended_nothing_is_approved(strange):
    done = strange.intent("trust")
    assert done.code == 1
    assert f"{CONFIG}: it sets the agent to `./agent.sh --fast`\n" in done.out
    assert "there is nobody to ask" in done.err
    assert strange.git("config", "--get-all", "intent.git.trusted", check=False) == ""


def test_n108_approved_bytes_count_until_they_change(strange, intent):
    done = intent("trust", "--yes")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{CONFIG} approved\nagent.sh approved\n"
    assert intent("trust", "--yes").out == "Nothing waits for approval.\n"
    assert len(strange.git("config", "--get-all", "intent.git.trusted").split()) == 4
    assert (
        strange.status()
        == "1 .M N... 100644 100644 100755 "
        + (strange.git("rev-parse", "HEAD:agent.sh") + " ") * 2
        + "agent.sh"
    )
    intent("scan")
    assert (strange.path / "ran").exists()

    (strange.path / "ran").unlink()
    strange.write("agent.sh", "#!/bin/sh\ntouch ran # more\n")
    done = intent("scan")
    assert done.code == 1
    assert "git intent trust agent.sh" in done.err
    assert not (strange.path / "ran").exists()


def test_n108_one_path_is_approved_alone_also_from_a_subfolder(strange, intent):
    (strange.path / "sub").mkdir()
    done = intent("trust", "--yes", "../agent.sh", cwd=strange.path / "sub")
    assert (done.code, done.out) == (0, "agent.sh approved\n")
    assert intent("scan").code == 1


def test_trust_of_a_file_that_decides_nothing(strange, intent):
    done = intent("trust", "--yes", "CLAUDE.md")
    assert done.code == 1
    assert "CLAUDE.md: decides no command of this project" in done.err
    assert f"approvable: {CONFIG}, agent.sh" in done.err


@pytest.mark.parametrize(("answer", "code"), [(b"y\ny\n", 0), (b"y\nn\n", 1)])
def test_n108_a_terminal_shows_the_bytes_and_asks_once(strange, answer, code):
    """Control sequences in the file are shown, not sent."""
    strange.write("agent.sh", "#!/bin/sh\n# \x1b]0;evil\x07\ntouch ran\n")
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    done = subprocess.run(
        [sys.executable, "-m", "git_intent", "trust"],
        cwd=strange.path,
        env={**os.environ, "PYTHONPATH": _SOURCE},
        stdin=theirs,
        capture_output=True,
        check=False,
        timeout=60,
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == code
    assert b"Approve agent.sh?" in done.stderr
    assert b"\\x1b]0;evil\\x07" in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    approved = b".cloche/config.toml approved\n"
    assert done.stdout == approved + (b"" if code else b"agent.sh approved\n")


def test_an_agent_that_the_user_configured_needs_no_approval(strange, intent):
    strange.write(CONFIG, "")
    strange.git("config", "intent.git.agent", "./agent.sh")
    intent("scan")
    assert (strange.path / "ran").exists()
    assert "Not approved" not in intent("status").out
