"""`git intent export`: keep the requirements in a host's instruction file."""

from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.options import examples
from git_intent.cli.project import Project, open_project
from git_intent.errors import IntentError
from git_intent.files import effect, write_atomic
from git_intent.inject import export
from git_intent.inject.entry import Entry, entries
from git_intent.inject.render import cost


@click.command(
    epilog=examples(
        "export --to AGENTS.md",
        "export --to AGENTS.md --to .cursor/rules --check",
        "export --to CLAUDE.md --remove",
    )
)
@click.option(
    "--to",
    "names",
    type=click.Choice(list(export.TARGETS)),
    multiple=True,
    required=True,
    help="The file to keep a section in; may be given again.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if not current.")
@click.option("--remove", is_flag=True, help="Take the section out again.")
@click.pass_obj
def command(
    directory: str, /, names: tuple[str, ...], check: bool, remove: bool
) -> int:
    """Write every active requirement into a marked section of a file.

    For hosts that read such a file and run no hooks. What stands around the section
    stays as it is; a scan does not read the section.
    """
    if check and remove:
        raise click.UsageError("--check and --remove exclude each other.")
    project = open_project(directory)
    project.need_worktree()
    active = [] if remove else _active(project)
    targets = [export.TARGETS[name] for name in dict.fromkeys(names)]
    stale = False
    for target in targets:
        old = _read(project.root, target.path)
        new = _wanted(old, active, target)
        if old == new:
            output.say(f"{target.path}: current")
        elif check:
            stale = True
            output.say(f"{target.path}: not current")
        else:
            _write(project.root / target.path, new)
            output.say(f"{target.path}: {'section removed' if remove else 'written'}")
    if stale:
        output.note("`git intent export` without --check brings it up to date")
    elif active and not check:
        _tell_size(project, active)
    return int(stale)


def _active(project: Project) -> list[Entry]:
    store = project.store()
    if store.issues:
        raise IntentError(
            "the store has broken files, so that the section would lack something",
            "mend the lines named above",
        )
    return entries(store.requirements)


def _wanted(
    old: bytes | None, active: list[Entry], target: export.Target
) -> bytes | None:
    if active:
        return export.written(old, active, target)
    return None if old is None else export.removed(old, target)


def _read(root: Path, path: str) -> bytes | None:
    file = root / path
    if file.is_symlink():
        raise IntentError(
            f"{path}: is a symbolic link to {file.readlink()}",
            "export to the file that it points at",
        )
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "make it readable") from error
    if b"\0" in data:
        raise IntentError(f"{path}: is no text in UTF-8", "convert the file first")
    return data


def _write(file: Path, data: bytes | None) -> None:
    if data is not None:
        write_atomic(file, data)
        return
    effect(f"unlink {file.name}")
    file.unlink()


def _tell_size(project: Project, active: list[Entry]) -> None:
    tokens = sum(cost(entry.statement_line) for entry in active)
    budget = project.loaded.config.token_budget
    if tokens > budget:
        output.note(
            f"note: {len(active)} requirements take about {tokens} tokens of every "
            f"prompt; `git intent inject` keeps to those that matter, in {budget}"
        )
