"""What `preview` and `inject` share: their options, and the block for a context."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from git_intent.cli import output
from git_intent.cli.place import Place
from git_intent.config import Floor
from git_intent.embed.backends import Backend, resolve
from git_intent.errors import IntentError
from git_intent.inject.asked import task_of
from git_intent.inject.block import Block, render
from git_intent.inject.context import Gathered, gather
from git_intent.inject.entry import Entry, entries
from git_intent.store.intent_dir import Store

STDIN = "-"

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--task", metavar="TEXT", help="What the agent is asked to do."),
    click.option(
        "--task-file", metavar="F", help="A file that holds the task; - is stdin."
    ),
    click.option(
        "--path",
        "paths",
        metavar="P",
        multiple=True,
        help="A file or folder that is worked at; the changed ones if not given.",
    ),
    click.option("--workflow", metavar="W", help="The workflow that the prompt is of."),
    click.option("--step", metavar="S", help="The step of that workflow."),
)


def context_options(command: Command) -> Command:
    """The options that say what is known of the work."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def task_text(
    directory: str, task: str | None, task_file: str | None, stdin: bool = False
) -> str:
    """The task, wherever it was given; empty if nowhere."""
    given = [g for g in (task is not None, task_file is not None, stdin) if g]
    if len(given) > 1:
        raise click.UsageError("Give the task once.")
    if stdin or task_file == STDIN:
        return task_of(read_stdin())
    if task_file is not None:
        return task_of(read_file(Path(directory) / task_file))
    return task or ""


def read_stdin() -> bytes:
    return sys.stdin.buffer.read()


def read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "name a file to read") from error


def context_of(
    place: Place,
    *,
    task: str,
    paths: Sequence[str],
    workflow: str | None,
    step: str | None,
) -> Gathered:
    """What is known of the work; what is doubtful is said on stderr."""
    found = gather(
        place.repo,
        place.root,
        task=task,
        paths=paths,
        cwd=place.cwd,
        workflow=workflow or "",
        step=step or "",
    )
    for warning in found.warnings:
        output.note(f"note: {warning}")
    return found


def rendered(place: Place, found: Gathered) -> Block:
    """The block for a context: the same bytes for `preview` and `inject`."""
    store = place.store()
    active = entries(store.requirements)

    def compare() -> Backend:
        config = place.loaded.config
        return resolve(
            active,
            place.index_folder,
            config.embedder,
            config.git.floor is Floor.STRICT,
            os.environ,
            root=str(place.root),
        )

    block = render(found, active, store.domains, place.loaded, compare)
    for note in block.notes:
        output.note(note)
    _remember(place, store, active, block.compared)
    return block


def _remember(
    place: Place, store: Store, active: Sequence[Entry], backend: Backend | None
) -> None:
    """Let the next prompt be answered fast, if there was nothing to complain about."""
    if place.watch and not place.loaded.issues and not store.issues:
        place.watch.end(active, store.domains, place.loaded.config, backend)
