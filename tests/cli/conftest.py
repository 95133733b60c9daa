"""Commands run in this process: a subprocess costs a tenth of a second each."""

import os
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from git_intent.cli.main import main
from git_intent.store.intent_dir import write_changes
from tests.support.desk import Desk
from tests.support.repo import _SOURCE, Repo, Result
from tests.support.snapshots import store

NOW = "2026-09-13T10:00:00Z"


@pytest.fixture
def intent(repo: Repo, capsys, monkeypatch, tmp_path_factory):
    """Run `git intent -C REPO ARGS` and give what it left behind.

    `cwd` is another folder to run in, `env` what the environment holds besides.
    """
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("tmp")))
    seconds = datetime(2026, 9, 13, 10, tzinfo=UTC).timestamp()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(seconds)))

    def run(*args: str, cwd=None, env: Mapping[str, str] | None = None) -> Result:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            code = main(["-C", str(cwd or repo.path), *args])
        said = capsys.readouterr()
        return Result(code, said.out, said.err)

    return run


@pytest.fixture
def holds(repo: Repo):
    """Put requirements into the work tree's store, commit unless told not to."""

    def write(*found, domains: str = "", commit: bool = True) -> None:
        write_changes(repo.path, store(*found, domains=domains))
        if commit:
            repo.commit("store")

    return write


@pytest.fixture
def on_path(tmp_path, monkeypatch):
    """A folder first on PATH where `git-intent` is this program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "git-intent"
    script.write_text(
        f"#!/bin/sh\nexport PYTHONPATH='{_SOURCE}'\n"
        f"exec '{sys.executable}' -m git_intent \"$@\"\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.fixture
def desk(repo: Repo, home, monkeypatch) -> Desk:
    """The owner of chat s-1, in a repository that is its own home."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return Desk(repo).configure()
