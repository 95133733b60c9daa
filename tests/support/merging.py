"""Branches that meet: the store on both, and the driver as git runs it."""

import subprocess
import sys
from pathlib import Path

from git_intent.store.intent_dir import load_store, read_snapshot, requirement_path
from tests.support.repo import _SOURCE, Repo
from tests.support.snapshots import content


def register(repo: Repo, command: str | None = None) -> None:
    """Name the driver in the clone's configuration, as installing it does."""
    python = f"PYTHONPATH='{_SOURCE}' '{sys.executable}' -m git_intent"
    command = command or f"{python} merge-driver %O %A %B %L %P"
    repo.git("config", "merge.git-intent.driver", command)


def put(repo: Repo, *found, **files: str | bytes) -> None:
    """Write requirements, and other files of the store by name, into the work tree."""
    for one in found:
        repo.write(requirement_path(one.id), content(one))
    for name, text in files.items():
        repo.write(f".cloche/intent/{name.replace('_', '-')}.yaml", text)


def branches(repo: Repo, base, ours, theirs) -> None:
    """Commit `base`, then `theirs` on topic and `ours` on main; each is a function."""
    repo.write(".cloche/intent/.gitattributes", ATTRIBUTES)
    base()
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    theirs()
    repo.commit("theirs")
    repo.git("checkout", "-q", "main")
    ours()
    repo.commit("ours")


def merge(repo: Repo, branch: str = "topic") -> tuple[bool, str]:
    """Merge a branch: whether that went through, and what was said."""
    done = subprocess.run(
        ["git", "merge", "--no-edit", branch],
        cwd=repo.path,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, done.stdout + done.stderr


def held(repo: Repo, id: str = "req-0001"):
    """A requirement of the work tree, read."""
    return load_store(read_snapshot(Path(repo.path))).requirements[id]


ATTRIBUTES = (
    "requirements/*.md merge=git-intent diff=git-intent\n"
    "domains.yaml merge=git-intent\n"
    "scan-state.yaml merge=git-intent\n"
)
