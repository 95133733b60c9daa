"""What `inject` and `record` share: a run's beginning, and the block of its step."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from git_intent.cli import output
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.store.stamps import stamp
from git_intent.workflow.runs import Meta

if TYPE_CHECKING:
    from git_intent.inject.block import Block


def beginning(repo: Repository, now: datetime, start: str = "") -> Meta:
    """What the record of a run that begins now says of it."""
    commit = repo.resolve(start or "HEAD") or ""
    if start and not commit:
        raise IntentError(
            f"--start {start}: names no commit here", "give one that this clone has"
        )
    return Meta(start=commit, started_at=stamp(now))


def block_text(
    repo: Repository,
    run: str,
    step: tuple[str, str],
    begin: Meta,
    render: "Callable[[], Block]",
) -> str:
    """What the step is given, from the record or from the store; then on record."""
    from git_intent.inject.recorded import recorded

    given = recorded(repo, run, step, begin, render)
    if given.problem:
        output.note(f"note: the block is not on record: {given.problem}")
    return given.text
