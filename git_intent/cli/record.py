"""`git intent record`: put what a run was asked, and what was said in it, on record."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from git_intent.cli import output, queued
from git_intent.cli.injecting import context_of, rendered
from git_intent.cli.options import examples
from git_intent.cli.place import Place
from git_intent.cli.project import Project, open_project
from git_intent.cli.recording import beginning, block_text
from git_intent.errors import IntentError
from git_intent.inject.block import Block
from git_intent.scan.recording import (
    LARGEST,
    MARGIN,
    Ended,
    Recording,
    first_lines,
    without_secrets,
)
from git_intent.store.stamps import stamp
from git_intent.workflow import runs
from git_intent.workflow.runs import Meta, Record

#: How a database of SQLite begins, such as OpenCode keeps.
_DATABASE = b"SQLite format 3\0"


@click.command(
    epilog=examples(
        "record --run chat-7 --task-file task.md --transcript chat.jsonl --complete",
        "record --run chat-7 --exclude",
    )
)
@click.option("--run", "run", metavar="R", required=True, help="The run's name.")
@click.option("--workflow", metavar="W", default="", help="What the run is a run of.")
@click.option("--step", metavar="S", default="", help="The step that was at work.")
@click.option("--task-file", metavar="FILE", help="What was asked; - is stdin.")
@click.option(
    "--transcript", "transcripts", metavar="FILE", multiple=True, help="What was said."
)
@click.option("--start", metavar="COMMIT", default="", help="Where the run began.")
@click.option("--complete", is_flag=True, help="The run is over: it is scanned.")
@click.option("--exclude", is_flag=True, help="No scan may ever read this run.")
@click.pass_obj
def command(
    directory: str,
    run: str,
    workflow: str,
    step: str,
    task_file: str | None,
    transcripts: tuple[str, ...],
    start: str,
    complete: bool,
    exclude: bool,
) -> None:
    """Record a run under refs/intent/runs/, for scans and for `git intent runs`.

    With --workflow and --step, the block that this step is given is recorded as well,
    as `git intent inject --run` does. Secrets are taken out of what is kept.
    """
    if bool(workflow) != bool(step):
        raise click.UsageError("--workflow and --step go together.")
    if [task_file, *transcripts].count("-") > 1:
        raise click.UsageError("Standard input can be read once.")
    project = open_project(directory)
    folder = Path(directory)
    task = _prompt(folder, task_file)
    said = tuple(_transcript(folder, name) for name in transcripts)
    begin = beginning(project.repo, project.now, start)
    if workflow:
        _record_block(project, folder, run, (workflow, step), begin, task)
    recording = Recording(
        project.repo,
        runs.transcript_folder(workflow, step),
        task,
        said,
        mined=project.loaded.config.git.transcripts,
        start=begin.start if start else "",
        ended=_ended(project) if complete else None,
        exclude=exclude,
    )
    if complete and not exclude:
        queued.expect(project, run)
    record = runs.update(project.repo, run, recording.change, begin)
    for words in recording.skipped:
        output.note(f"note: {words}")
    output.say(_summary(record))
    if record.meta.opted_out:
        queued.forget(project, run)
    elif complete:
        queued.completed(project, run)


def _ended(project: Project) -> Ended:
    return Ended(project.repo.resolve("HEAD") or "", stamp(project.now))


def _record_block(
    project: Project,
    folder: Path,
    run: str,
    step: tuple[str, str],
    begin: Meta,
    task: bytes,
) -> None:
    """Do what `inject --run` does, without a prompt."""
    place = Place(
        project.root, folder.absolute(), project.repo, project.loaded, project.root
    )
    text = task.removeprefix(b"\xef\xbb\xbf").decode(errors="replace")

    def render() -> Block:
        workflow, name = step
        return rendered(
            place,
            context_of(place, task=text, paths=(), workflow=workflow, step=name),
        )

    block_text(project.repo, run, step, begin, render)


def _prompt(folder: Path, name: str | None) -> bytes:
    return _kept(name, _read(folder, name)) if name else b""


def _transcript(folder: Path, name: str) -> bytes:
    """A transcript as it is kept: of a host's own, what was said in it."""
    if name != "-":
        with _opened(folder, name) as stream:
            return _said(name, stream)
    from io import BytesIO

    return _said(name, BytesIO(_read(folder, name)))


def _said(name: str, stream: BinaryIO) -> bytes:
    from git_intent.hosts.transcripts.read import recognised, said_in
    from git_intent.hosts.transcripts.turn import lines

    data = stream.read(LARGEST + MARGIN)
    if data.startswith(_DATABASE):
        raise IntentError(
            f"{name}: is a database of many chats",
            "name the one you mean: `git intent transcripts record SESSION`",
        )
    host = recognised(data)
    if not host:
        return _kept(name, data)
    stream.seek(0)
    found = said_in(host, stream)
    for words in found.problems:
        output.note(f"note: {name}: {words}")
    if not found.turns:
        output.note(f"note: {name}: holds no prompt and no decision")
    data = b"".join(lines(found.turns))
    return data if len(data) <= LARGEST else _first_lines(name, data)


def _read(folder: Path, name: str) -> bytes:
    """As much of a file as can be kept."""
    if name == "-":
        return sys.stdin.buffer.read(LARGEST + MARGIN)
    with _opened(folder, name) as stream:
        return stream.read(LARGEST + MARGIN)


@contextmanager
def _opened(folder: Path, name: str) -> Iterator[BinaryIO]:
    try:
        with (folder / name).open("rb") as stream:
            yield stream
    except OSError as error:
        raise IntentError(
            f"{name}: {error.strerror}", "name a file that can be read"
        ) from error


def _kept(name: str, data: bytes) -> bytes:
    clean = without_secrets(data)
    return clean if len(data) <= LARGEST else _first_lines(name, clean)


def _first_lines(name: str, data: bytes) -> bytes:
    output.note(f"note: {name}: only the first {LARGEST >> 20} MiB are kept")
    return first_lines(data)


def _summary(record: Record) -> str:
    meta = record.meta
    parts = [
        "excluded" if meta.opted_out else meta.state,
        *(["prompt"] if record.prompt else []),
        *_counted(len(record.transcripts), "transcript"),
        *_counted(len(record.steps), "step"),
    ]
    return f"{output.one_line(record.run)}: {', '.join(parts)}"


def _counted(number: int, noun: str) -> list[str]:
    return [f"{number} {noun}{'s' if number != 1 else ''}"] if number else []
