"""What `preview` and `inject` share: their options, and the block for a context."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import click

from git_intent.cli import output
from git_intent.cli.place import Place
from git_intent.config import Floor
from git_intent.embed.backends import Backend, resolve
from git_intent.embed.relevance import Scored
from git_intent.errors import IntentError
from git_intent.inject.asked import NO_TASK, over_budget, task_of
from git_intent.inject.context import Gathered, gather
from git_intent.inject.entry import Entry, entries
from git_intent.inject.explain import Ranked, ranked
from git_intent.inject.select import Selection, Stage, select
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


@dataclass(frozen=True, slots=True)
class Block:
    """What a prompt gets, and how that came about.

    `off` says why nothing is put in, whatever would be selected; `backend` is what
    scores are of, empty without a task.
    """

    selection: Selection
    entries: Sequence[Entry] = field(default_factory=tuple)
    off: str = ""
    backend: str = ""

    @property
    def text(self) -> str:
        return "" if self.off else self.selection.block

    @property
    def ids(self) -> tuple[str, ...]:
        """The requirements whose lines are in the text."""
        return () if self.off else self.selection.ids

    def ranked(self) -> list[Ranked]:
        if self.off:
            return [
                Ranked(entry.id, None, Stage.NONE, False, self.off)
                for entry in self.entries
            ]
        return ranked(self.selection, self.entries)


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
    config = place.loaded.config
    off = found.off
    if not config.inject:
        where = place.loaded.origins["inject"].where
        off = f"injection is off: inject in {where}"
    store = place.store()
    active = entries(store.requirements)
    if off or not active:
        _remember(place, store, active, None)
        return Block(Selection(budget=config.token_budget), active, off)
    for name in found.context.domains:
        if store.domains.get(name) is None:
            output.note(f"note: the domain '{name}' is not in domains.yaml")
    compared = _compared(place, active, found.context.query)
    selection = select(
        active,
        found.context,
        store.domains,
        compared.scores,
        compared.floor,
        config.token_budget,
    )
    if selection.project_cost > selection.budget:
        output.note(over_budget(selection.project_cost, selection.budget))
    _remember(place, store, active, compared.backend)
    return Block(selection, active, backend=compared.backend_id)


def _remember(
    place: Place, store: Store, active: Sequence[Entry], backend: Backend | None
) -> None:
    """Let the next prompt be answered fast, if there was nothing to complain about."""
    if place.watch and not place.loaded.issues and not store.issues:
        place.watch.end(active, store.domains, place.loaded.config, backend)


@dataclass(frozen=True, slots=True)
class _Compared:
    """The scores by id, the floor that they must reach, and whose they are."""

    scores: Mapping[str, Scored] | None = None
    floor: float | None = None
    backend: Backend | None = None

    @property
    def backend_id(self) -> str:
        return self.backend.id if self.backend else ""


def _compared(place: Place, active: Sequence[Entry], query: str) -> _Compared:
    """Compare the active requirements with the task, if there is one."""
    if not query:
        output.note(NO_TASK)
        return _Compared()
    config = place.loaded.config
    backend = resolve(
        active,
        place.index_folder,
        config.embedder,
        config.git.floor is Floor.STRICT,
        os.environ,
        root=str(place.root),
    )
    scores = backend.score(query)
    if backend.warning:
        output.note(f"note: {backend.warning}")
    return _Compared(scores, backend.floor, backend)
