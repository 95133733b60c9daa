"""`git intent record`: put what a run was asked, and what was said in it, on record."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.injecting import Block, context_of, rendered
from git_intent.cli.options import examples
from git_intent.cli.place import Place
from git_intent.cli.project import Project, open_project
from git_intent.cli.recording import beginning, block_text
from git_intent.errors import IntentError
from git_intent.git.objects import blob_id
from git_intent.store.stamps import stamp
from git_intent.workflow import runs
from git_intent.workflow.runs import Change, Meta, Record, State

#: More of one file is not kept: no scan reads that far.
LARGEST = 1 << 22
_MARGIN = 1 << 16  # so that a secret is seen whole where the file is cut


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
@click.option("--complete", is_flag=True, help="The run is over: a scan may read it.")
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
    task = b"" if task_file is None else _read(folder, task_file)
    said = [_read(folder, name) for name in transcripts]
    begin = beginning(project.repo, project.now, start)
    if workflow:
        _record_block(project, folder, run, (workflow, step), begin, task)
    recording = _Recording(
        project,
        runs.transcript_folder(workflow, step),
        _clean(task_file or "", task),
        tuple(_clean(name, data) for name, data in zip(transcripts, said, strict=True)),
        begin.start if start else "",
        complete,
        exclude,
    )
    record = runs.update(project.repo, run, recording.change, begin)
    for words in recording.skipped:
        output.note(f"note: {words}")
    output.say(_summary(record))


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


@dataclass(slots=True)
class _Recording:
    """What one command adds to a record; `skipped` says what it left out."""

    project: Project
    folder: str
    prompt: bytes
    transcripts: tuple[bytes, ...]
    start: str
    complete: bool
    exclude: bool
    skipped: list[str] = field(default_factory=list)

    def change(self, record: Record) -> Change:
        self.skipped = []
        meta = record.meta
        if self.start:
            meta = replace(meta, start=self.start)
        if self.complete:
            end = self.project.repo.resolve("HEAD") or ""
            ended = stamp(self.project.now)
            meta = replace(meta, state=State.DONE, end=end, ended_at=ended)
        record = replace(record, meta=meta)
        if self.exclude or meta.opted_out:
            if self.prompt or self.transcripts:
                self.skipped.append("the run is excluded; nothing said in it is kept")
            return runs.opt_out(record)
        return Change(meta, self._allowed(record))

    def _allowed(self, record: Record) -> Mapping[str, bytes]:
        """The files to add, without those of steps that opted out."""
        found = dict(self._files(record))
        if not found:
            return found
        from git_intent.scan.run_records import Judge
        from git_intent.scan.tracking import states_at

        whole = replace(record, files={**record.files, **dict.fromkeys(found, "")})
        judge = Judge(whole, states_at(self.project.repo)(0))
        reasons = {path: judge.reason(path) for path in found}
        self.skipped += [f"{path} is not kept: {r}" for path, r in reasons.items() if r]
        return {path: data for path, data in found.items() if not reasons[path]}

    def _files(self, record: Record) -> Iterator[tuple[str, bytes]]:
        if self.prompt:
            yield runs.PROMPT, self.prompt
        if self.transcripts and not self.project.loaded.config.git.transcripts:
            self.skipped.append(
                "transcripts are not kept: intent.git.transcripts = off"
            )
            return
        known = set(record.transcripts.values())
        places = runs.free_paths(record, self.folder)
        for data in self.transcripts:
            blob = blob_id(data, self.project.repo.object_format)
            if data and blob not in known:
                known.add(blob)
                yield next(places), data


def _read(folder: Path, name: str) -> bytes:
    """As much of a file as can be kept."""
    wanted = LARGEST + _MARGIN
    try:
        if name == "-":
            return sys.stdin.buffer.read(wanted)
        with (folder / name).open("rb") as stream:
            return stream.read(wanted)
    except OSError as error:
        raise IntentError(
            f"{name}: {error.strerror}", "name a file that can be read"
        ) from error


def _clean(name: str, data: bytes) -> bytes:
    """Without secrets; bytes that are no UTF-8 stay what they are."""
    from git_intent.secrets import scrub

    text = data.decode("utf-8", "surrogateescape")
    clean = scrub(text).encode("utf-8", "surrogateescape")
    if len(data) <= LARGEST:
        return clean
    output.note(f"note: {name}: only the first {LARGEST >> 20} MiB are kept")
    return clean[: clean.rfind(b"\n", 0, LARGEST) + 1 or LARGEST]


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
