"""The real pre-commit, with the hooks of this project installed from a clone of it.

The environment is built once a session, in a store that all test processes share.
pre-commit itself sees to it that only one of them builds. What the package depends on
is taken from the environment that runs the tests, so no registry is asked.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from pathlib import Path

from tests.support.repo import Repo, Result

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ("git-intent-check", "git-intent-rules", "git-intent-fix")
#: What an installation needs of the project.
_PARTS = (
    *("git_intent", "docs/git-intent.1", "pyproject.toml", "README.md"),
    *("LICENSE", "NOTICE", ".pre-commit-hooks.yaml"),
)
_PACKAGES = sysconfig.get_path("purelib")


@dataclass(frozen=True)
class PreCommit:
    """`source` is a clone of the project, `home` the store of environments."""

    source: Path
    home: Path

    @classmethod
    def shared(cls, folder: Path) -> "PreCommit":
        """The one of this test session, below a folder that all its processes know."""
        found = cls(folder / "git-intent-clone", folder / "pre-commit-home")
        with (folder / "pre-commit.lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not found.source.is_dir():
                found._clone()
        return found

    def _clone(self) -> None:
        aside = Repo.init(self.source.with_name("git-intent-clone.new"))
        for part in _PARTS:
            old, new = ROOT / part, aside.path / part
            new.parent.mkdir(parents=True, exist_ok=True)
            if old.is_dir():
                shutil.copytree(old, new, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(old, new)
        aside.commit("hooks")
        aside.path.rename(self.source)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PRE_COMMIT_HOME": str(self.home),
            "PYTHONPATH": _PACKAGES,
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as "no isolation: yes"
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
        }

    def run(
        self, repo: Repo, *words: str, env: Mapping[str, str] | None = None
    ) -> Result:
        """Run `pre-commit WORDS` in a repository."""
        return _finished(
            [sys.executable, "-m", "pre_commit", *words],
            repo.path,
            {**self.environment, **(env or {})},
        )

    def git(self, repo: Repo, *words: str) -> Result:
        """Run git, which may run pre-commit."""
        return _finished(["git", *words], repo.path, self.environment)

    def configure(self, repo: Repo, *hooks: str) -> None:
        """Write a configuration that takes the hooks from the clone."""
        rev = Repo(self.source).head()
        ids = "".join(f"      - id: {name}\n" for name in hooks or HOOKS[:2])
        repo.write(
            ".pre-commit-config.yaml",
            f"repos:\n  - repo: {self.source}\n    rev: {rev}\n    hooks:\n{ids}",
        )

    def install(self, repo: Repo) -> None:
        """Let git run the configured hooks."""
        for kind in ("pre-commit", "pre-merge-commit"):
            done = self.run(repo, "install", "-t", kind)
            assert done.code == 0, done.out + done.err


def _finished(words: list[str], folder: Path, env: Mapping[str, str]) -> Result:
    done = subprocess.run(
        words,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)
