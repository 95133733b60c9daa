"""The hermetic world of a test: own HOME, fixed dates, a failing editor."""

import os
from pathlib import Path

import pytest

_FOREIGN = ("GIT_", "CLOCHE_", "CLAUDE", "CODEX", "GEMINI_", "COPILOT")


def settle(home: Path, patch: pytest.MonkeyPatch) -> None:
    """No test sees the user's git configuration, and none may open an editor."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN):
            patch.delenv(name)
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
        patch.setenv(name, value)
    patch.delenv("CI", raising=False)
