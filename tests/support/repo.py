"""A real git repository to act on, and the real program to run in it."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

STORE = ".cloche/intent"


@dataclass(frozen=True)
class Result:
    """What a finished program left behind."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Repo:
    path: Path

    @classmethod
    def init(cls, path: Path, *options: str) -> "Repo":
        path.mkdir(parents=True, exist_ok=True)
        repo = cls(path)
        repo.git("init", "-q", *options)
        return repo

    @property
    def store(self) -> Path:
        return self.path / STORE

    def git(self, *args: str, check: bool = True, **options) -> str:
        """Run git here and give its output without the last newline."""
        done = subprocess.run(
            ["git", *args],
            cwd=self.path,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
            **options,
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(args)}: {done.stderr}")
        return done.stdout.removesuffix("\n")

    def write(self, path: str, text: str | bytes) -> Path:
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def read(self, path: str) -> bytes:
        return (self.path / path).read_bytes()

    def commit(self, message: str = "change", **files: str) -> str:
        """Commit everything (`files` maps paths to text first); give the new id."""
        for path, text in files.items():
            self.write(path, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head()

    def commit_files(
        self, files: Mapping[str, str | bytes], message: str = "change"
    ) -> str:
        for path, text in files.items():
            self.write(path, text)
        return self.commit(message)

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def status(self) -> str:
        return self.git("status", "--porcelain=v2", "-uall")

    def intent(
        self,
        *args: str,
        input: str | bytes | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Result:
        """Run `git intent ARGS` as its own process."""
        return run_intent(args, cwd or self.path, input, env)


def run_intent(
    args: Sequence[str],
    cwd: Path,
    input: str | bytes | None = None,
    env: Mapping[str, str] | None = None,
) -> Result:
    done = subprocess.run(
        [sys.executable, "-m", "git_intent", *args],
        cwd=cwd,
        input=input.encode() if isinstance(input, str) else input or b"",
        capture_output=True,
        env={**os.environ, **(env or {}), "PYTHONPATH": _SOURCE},
        timeout=300,
        check=False,
    )
    return Result(
        done.returncode,
        done.stdout.decode(errors="surrogateescape"),
        done.stderr.decode(errors="surrogateescape"),
    )


_SOURCE = str(Path(__file__).resolve().parents[2])
