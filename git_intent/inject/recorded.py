"""Give a step of a run what the run's record says it was given, else record it.

The first one to ask renders from the store and records; all others, on this machine or
wherever the record was fetched, get the same bytes, whatever became of the store. A
record that cannot be read or written never keeps a block from its prompt.
"""

from collections.abc import Callable
from dataclasses import dataclass

from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.workflow import runs


@dataclass(frozen=True, slots=True)
class Rendered:
    """A block, and the requirements in it: those that the budget cut are not there."""

    text: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """The bytes for the prompt. `known` if they had been recorded before, `warning`
    if they are not recorded now."""

    block: bytes
    known: bool = False
    warning: str = ""


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
        return Given(render().text.encode(), warning=error.message)
    if found is not None:
        return Given(found, known=True)
    made = render()
    text = made.text.encode()
    try:
        kept = runs.keep_block(repo, run, step, text, made.ids, begin)
    except IntentError as error:
        return Given(text, warning=error.message)
    return Given(kept, known=kept != text)
