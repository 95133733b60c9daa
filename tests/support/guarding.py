"""Repositories with a store and its hooks, for the tests of what guards them."""

import hashlib
import os
import shlex
import sys
from pathlib import Path

from git_intent.guard.request import Judgement, Request
from git_intent.guard.rules import judge
from git_intent.store.intent_dir import requirement_path
from tests.support.repo import Repo
from tests.support.snapshots import content

SOURCE = Path(__file__).resolve().parents[2]
RULES = f"{shlex.quote(sys.executable)} -m git_intent check --rules"


def put(repo: Repo, *requirements) -> None:
    """Write these requirements into the work tree."""
    for found in requirements:
        repo.write(requirement_path(found.id), content(found))


def published(repo: Repo, *requirements) -> None:
    """Commit them, and another commit on top: nothing may take them back freely."""
    put(repo, *requirements)
    repo.commit("store")
    repo.commit("more", notes="one")


def judged(repo: Repo, **request) -> Judgement:
    return judge(Request(request.pop("root", repo.path), **request))


def codes(repo: Repo, **request) -> list[str]:
    return [found.code for found in judged(repo, **request).issues]


def hook(repo: Repo, *names: str, command: str = RULES) -> None:
    """Let git run the rules in these hooks, as an installed hook does."""
    folder = Path(
        repo.git("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    )
    folder.mkdir(exist_ok=True)
    for name in names or ("pre-commit", "pre-merge-commit"):
        script = folder / name
        script.write_text(
            f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(SOURCE))} exec {command}\n",
            encoding="utf-8",
        )
        script.chmod(0o755)


def tried(repo: Repo, *args: str) -> tuple[int, str]:
    """Run git, which a hook may refuse: its code, and all that was said."""
    import subprocess

    done = subprocess.run(
        ["git", *args],
        cwd=repo.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def everything(repo: Repo) -> dict[str, str]:
    """A hash of all that a check could touch: work tree, index, refs, objects, config.

    Its own cache below `.git/intent` is none of that.
    """
    found = {}
    for folder, names, files in os.walk(repo.path):
        names[:] = [n for n in names if not (folder.endswith(".git") and n == "intent")]
        for name in files:
            path = Path(folder, name)
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
