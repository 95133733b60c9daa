"""One hermetic world for every test: own HOME, fixed dates, a failing editor."""

import os
from pathlib import Path

import pytest

from tests.support.repo import Repo


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch):
    """No test sees the user's git configuration, and none may open an editor."""
    for name in list(os.environ):
        if name.startswith(
            ("GIT_", "CLOCHE_", "CLAUDE", "CODEX", "GEMINI_", "COPILOT")
        ):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text(
        "[user]\n\tname = A Person\n\temail = person@example.invalid\n"
        "[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n"
        '[protocol "file"]\n\tallow = always\n',
        encoding="utf-8",
    )
    fixed = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
        "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
        "GIT_TERMINAL_PROMPT": "0",
        "EDITOR": "false",
        "VISUAL": "false",
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
    }
    for name, value in fixed.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("CI", raising=False)
    return home


@pytest.fixture
def home(hermetic: Path) -> Path:
    return hermetic


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository on the unborn branch `main`."""
    return Repo.init(tmp_path / "project")
