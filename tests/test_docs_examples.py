"""The examples of the first scan are what the commands print for such a project."""

import re
from pathlib import Path

import pytest

from tests.support.markdown import Page
from tests.support.repo import Repo

DOCS = Path(__file__).resolve().parents[1] / "docs"
README = DOCS.parent / "README.md"
CLAUDE = """\
# Heron

Heron mirrors archives.

## Versioning

Never bump the major version unless explicitly told to.
Major releases are batched by hand.

## Testing

- Run `make test`.
- Every bug fix comes with a test that fails without it.
- Tests must not open a network connection.

## Do not

Do not:

- Edit files under `generated/` by hand.
- Add a runtime dependency without asking.
"""
CONTRIBUTING = """\
# Contributing

Thank you for looking at heron.

## Commits

Write the subject of a commit in the imperative.
"""


@pytest.fixture
def heron(repo: Repo) -> Repo:
    repo.commit("Start", **{"CLAUDE.md": CLAUDE, "CONTRIBUTING.md": CONTRIBUTING})
    return repo


def example(page: Path, command: str) -> str:
    """What a page shows that a command prints, up to the next one."""
    shown = [b.text for b in Page(page).blocks if f"$ {command}\n" in b.text]
    (text,) = shown
    _, _, after = text.partition(f"$ {command}\n")
    return after.split("\n$ ")[0].rstrip("\n") + "\n"


def test_a_dry_run(heron):
    done = heron.intent("scan", "--dry-run")
    shown = example(DOCS / "start.md", "git intent scan --dry-run")
    assert (done.code, done.out) == (0, shown)


def test_a_scan_and_another(heron):
    first, again = heron.intent("scan"), heron.intent("scan")
    (block,) = [b for b in Page(DOCS / "scan.md").blocks if "Nothing new.\n" in b.text]
    shown = f"$ git intent scan\n{first.out}$ git intent scan\n{again.out}"
    assert unnamed(block.text) == unnamed(shown)


def unnamed(text: str) -> str:
    """Without the names of a commit and a run, which are others every time."""
    return re.sub(r"Commit [0-9a-f]{12}, run [\w-]+\.", "Commit C, run R.", text)


def test_extract(heron):
    command = "extract CLAUDE.md CONTRIBUTING.md"
    done = heron.intent(*command.split())
    shown = example(DOCS / "scan.md", f"git intent {command}")
    assert (done.code, done.out) == (0, shown)


def test_list(heron):
    assert heron.intent("scan").code == 0
    done = heron.intent("list")
    assert (done.code, done.out) == (0, example(DOCS / "start.md", "git intent list"))
    listed = set(done.out.splitlines())
    shown = example(README, "git intent list").splitlines()
    assert {" ".join(line.split()) for line in shown} <= {
        " ".join(line.split()) for line in listed
    }
