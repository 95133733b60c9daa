"""The project that a command acts on: repository, store, settings, clock and actor."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from git_intent import config
from git_intent.cli import output
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.store.intent_dir import (
    STORE,
    Store,
    load_store,
    read_file,
    read_snapshot,
    refuse_links,
    write_changes,
)

if TYPE_CHECKING:
    from git_intent.cli.actor import Claim


@dataclass(frozen=True, slots=True)
class Project:
    """What commands share; each call reads the files anew."""

    repo: Repository
    root: Path
    loaded: config.Loaded
    now: datetime

    def files(self) -> dict[str, bytes]:
        """The store's bytes: the work tree's, or those of HEAD in a bare repository."""
        if self.repo.bare and self.repo.head().unborn:
            return {}
        if self.repo.bare:
            from git_intent.git.objects import snapshot

            return snapshot(self.repo, "HEAD", STORE)
        return read_snapshot(self.root)

    def file(self, path: str) -> bytes | None:
        """One file of the store, read where `files` reads all."""
        if not self.repo.bare:
            refuse_links(self.root)
            return read_file(self.root, path)
        if self.repo.head().unborn:
            return None
        from git_intent.git.objects import snapshot

        return snapshot(self.repo, "HEAD", path).get(path)

    def store(self) -> Store:
        """The parsed store; broken files are named on stderr and left out."""
        found = load_store(self.files())
        for issue in found.issues:
            output.note(f"{issue}")
        return found

    def change(self, changes: Mapping[str, bytes], claim: "Claim") -> None:
        """Write `changes` into the work tree, if the hard rules allow it.

        Raises IntentError that names the rules broken; then nothing is written.
        """
        from git_intent.store.step import StepRefused, objections

        self.need_worktree()
        issues = objections(read_snapshot(self.root), changes, claim.actor)
        if issues:
            taken = f"taken for {claim.actor}, as {claim.reason}"
            raise StepRefused(issues, f"nothing was written; {taken}")
        write_changes(self.root, changes)

    def need_worktree(self) -> None:
        """Raise IntentError in a bare repository, whose files nobody can edit."""
        if self.repo.bare:
            raise IntentError(
                f"{self.root}: a bare repository has no files to change",
                "do this in a clone and push",
            )


def open_project(directory: str = ".") -> Project:
    """The project around `directory`.

    Raises IntentError outside a repository, or if git will not open it.
    """
    repo = Repository.discover(Path(directory))
    loaded = config.load(repo, repo.root, os.environ, {})
    for issue in loaded.issues:
        output.note(f"{issue}")
    output.detail(f"project: {repo.root}")
    return Project(repo, repo.root, loaded, clock())


def clock() -> datetime:
    """Now, or the fixed instant that SOURCE_DATE_EPOCH gives for repeatable output."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    if not fixed:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(fixed), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise IntentError(
            f"SOURCE_DATE_EPOCH={fixed}: is no time", "set it to seconds since 1970"
        ) from error


def claim(told: str | None) -> "Claim":
    """Who makes a change: `told`, or guessed from the environment."""
    from git_intent.cli.actor import who

    return who(told, os.environ)
