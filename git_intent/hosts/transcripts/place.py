"""Which sessions are those of a project, and where the hosts keep them.

A session belongs to the project if the folder that it began in does: if it lies in the
project, or at the same place in another work tree of the repository, and in no project
or repository of its own below that. What other sessions say is not read.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from git_intent.git.repository import Repository

_ODD = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Session:
    """One chat of a host. `commit` is what it began at, if the host tells."""

    host: str
    id: str
    path: str
    cwd: str
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Homes:
    """The folders in which hosts keep transcripts."""

    claude: str
    codex: str
    gemini: str
    copilot: str
    cursor: str
    opencode: str

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Homes":
        home = environ.get("HOME", "") or os.sep
        gemini = environ.get("GEMINI_CLI_HOME", "") or home
        data = environ.get("XDG_DATA_HOME", "") or f"{home}/.local/share"
        return cls(
            claude=environ.get("CLAUDE_CONFIG_DIR", "") or f"{home}/.claude",
            codex=environ.get("CODEX_HOME", "") or f"{home}/.codex",
            gemini=f"{gemini}/.gemini",
            copilot=environ.get("COPILOT_HOME", "") or f"{home}/.copilot",
            cursor=f"{home}/.cursor",
            opencode=f"{data}/opencode",
        )


@dataclass(frozen=True, slots=True)
class Roots:
    """The project's folder in each work tree of its repository."""

    folders: tuple[str, ...]

    @classmethod
    def of(cls, repo: Repository) -> "Roots":
        out = repo.git("worktree", "list", "--porcelain", check=False)
        trees = [
            os.fsdecode(line.removeprefix(b"worktree "))
            for line in out.splitlines()
            if line.startswith(b"worktree ")
        ]
        found = [str(repo.root), *(f"{tree}/{repo.project}" for tree in trees)]
        return cls(tuple(dict.fromkeys(os.path.realpath(path) for path in found)))

    def holds(self, cwd: str) -> bool:
        """Whether a session that began in this folder is one of the project's."""
        if not Path(cwd).is_absolute():
            return False
        folder = Path(os.path.realpath(cwd))
        for level in (folder, *folder.parents):
            if str(level) in self.folders:
                return True
            if any(os.path.lexists(level / own) for own in (".git", ".cloche")):
                return False
        return False


def dashed(path: str) -> str:
    """A folder as Claude Code and Cursor name their own folder for it."""
    return _ODD.sub("-", path)


def entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """What lies in a folder, by name; nothing if it cannot be read."""
    try:
        with os.scandir(folder) as found:
            yield from sorted(found, key=lambda entry: entry.name)
    except OSError:
        return


def small_text(path: str) -> str:
    """The beginning of a file that holds one line or two; empty if there is none."""
    try:
        with open(path, "rb") as stream:
            return stream.read(1 << 16).decode("utf-8", "replace")
    except OSError:
        return ""
