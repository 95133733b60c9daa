"""docs/cli.md and the man page say what the commands are, in full."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from git_intent.cli.main import root
from git_intent.config import KEYS
from tools import gen_docs

MANUAL = (gen_docs.DOCS / "git-intent.1").read_text(encoding="utf-8")
COMMANDS = [" ".join(trail) for trail, _ in gen_docs.walk(root)]
#: Set by us for the processes that we start.
OURS = {
    *("GIT_INTENT_CHILD", "GIT_INTENT_SCAN_LOCK", "GIT_INTENT_KV"),
    *("GIT_INTENT_RUN", "GIT_INTENT_WORKFLOW", "GIT_INTENT_STEP"),
}
#: Requests of man(7), and of roff, that the page may use.
REQUESTS = {".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi"}


@pytest.mark.parametrize("path", list(gen_docs.pages()), ids=lambda path: path.name)
def test_the_page_is_current(path):
    assert path.read_text(encoding="utf-8") == gen_docs.pages()[path], "run make docs"


def test_checking_writes_nothing_and_names_what_is_old(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(gen_docs, "DOCS", tmp_path)
    monkeypatch.setattr("sys.argv", ["gen_docs.py", "--check"])
    assert gen_docs.main() == 1
    assert "cli.md, git-intent.1" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("sys.argv", ["gen_docs.py"])
    assert gen_docs.main() == 0
    monkeypatch.setattr("sys.argv", ["gen_docs.py", "--check"])
    assert gen_docs.main() == 0


def test_every_command_has_its_section():
    text = (gen_docs.DOCS / "cli.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"\n## {name}\n" in text
        assert f'\n.SS "{name} '.replace("-", "\\-") in MANUAL


def test_the_manual_has_the_sections_of_a_manual_in_order():
    assert re.findall(r"^\.SH (.*)$", MANUAL, re.MULTILINE) == [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "COMMANDS",
        "FILES",
        "ENVIRONMENT",
        "EXIT STATUS",
        "SEE ALSO",
    ]
    assert MANUAL.startswith('.TH "GIT\\-INTENT" "1" ')
    assert "\ngit\\-intent \\- keep what" in MANUAL


def test_the_manual_lists_environment_variables_and_exit_codes():
    _, _, tail = MANUAL.partition(".SH ENVIRONMENT")
    names = [key.env for key in KEYS.values()]
    for name in (*names, "SOURCE_DATE_EPOCH", "NO_COLOR", "GIT_INTENT_CLASSIFIER"):
        assert f"\\fB{name}\\fR" in tail
    for code in ("0", "1", "2", "3", "130"):
        assert f"\\fB{code}\\fR" in tail


def test_every_variable_that_is_read_is_told():
    told = " ".join(name for name, _ in gen_docs.VARIABLES)
    source = Path(gen_docs.ROOT / "git_intent").rglob("*.py")
    read = {
        name
        for path in source
        for name in re.findall(r'"(GIT_INTENT_\w+)"', path.read_text(encoding="utf-8"))
    }
    assert {name for name in read - OURS if name not in told} == set()


def test_the_manual_is_plain_man():
    for number, line in enumerate(MANUAL.splitlines(), 1):
        if line.startswith((".", "'")):
            assert line.split()[0] in REQUESTS, number
        assert not re.search(r"(?<!\\)-(?=-)", line), f"{number}: a bare dash"
        assert line == line.rstrip(), number
    assert MANUAL.count(".nf") == MANUAL.count(".fi")
    assert MANUAL.isascii()


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_groff_has_nothing_to_complain_about():
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-b", str(gen_docs.DOCS / "git-intent.1")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "GROFF_NO_SGR": "1"},
    )
    assert done.stderr == ""
    shown = re.sub(".\b", "", done.stdout)
    assert 'git intent add "Never bump the major version."' in shown
    assert "[--max-commits" not in shown
    assert "--max-commits N" in shown
