"""Give a step of a run what the run's record says it was given, else record it.

The first one to ask renders from the store and records; all others, on this machine or
wherever the record was fetched, get the same bytes, whatever became of the store. A
record that cannot be read or written never keeps a block from its prompt.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.workflow import runs


class Rendered(Protocol):
    """A block, and the requirements in it: those that the budget cut are not there."""

    @property
    def text(self) -> str: ...

    @property
    def ids(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Given:
    """The block for the prompt; `problem` says why it is not on record."""

    text: str
    problem: str = ""


def recorded(
    repo: Repository,
    run: str,
    step: tuple[str, str],
    begin: runs.Meta,
    render: Callable[[], Rendered],
) -> Given:
    """The block of `step` (workflow and name) in `run`; `begin` is for a new record."""
    try:
        found = runs.block(repo, runs.read(repo, run), *step)
    except IntentError as error:
        return Given(render().text, error.message)
    if found is None:
        made = render()
        try:
            text = made.text.encode()
            found = runs.keep_block(repo, run, step, text, made.ids, begin)
        except IntentError as error:
            return Given(made.text, error.message)
    return Given(found.decode(errors="replace"))
