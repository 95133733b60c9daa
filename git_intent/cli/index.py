"""`git intent index`: the file of vectors that relevance is computed from."""

import os
from collections.abc import Sequence

import click

from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.config import Floor
from git_intent.embed.backends import KEYWORD, Backend, resolve
from git_intent.embed.index import FILE, FOLDER, covered
from git_intent.embed.relevance import embedded
from git_intent.errors import IntentError
from git_intent.files import effect
from git_intent.inject.entry import Entry, entries

PATH = f"{FOLDER}/{FILE}"


@click.group(epilog=examples("index status", "index rebuild"))
def command() -> None:
    """Look at the index of vectors, or make it anew.

    Nobody needs to: whatever reads the index brings it up to date. It lies in
    .cloche/intent-index/, and git ignores it.
    """


@command.command(epilog=examples("index status --json"))
@json_option
@click.pass_obj
def status(directory: str, as_json: bool) -> None:
    """Say what compares texts and how much of the index is current.

    Nothing is written.
    """
    project = open_project(directory)
    backend = _backend(project, (), in_memory=True)
    _report(project, backend, entries(project.store().requirements), as_json)


@command.command(epilog=examples("index rebuild"))
@json_option
@click.pass_obj
def rebuild(directory: str, as_json: bool) -> None:
    """Embed every active requirement again."""
    project = open_project(directory)
    project.need_worktree()
    active = entries(project.store().requirements)
    _remove(project)
    backend = _backend(project, active)
    if not backend.stored:
        raise IntentError(
            f"{project.root / PATH}: cannot be written",
            "the index is made in memory each time; allow writing to make that faster",
        )
    _report(project, backend, active, as_json)


def _backend(
    project: Project, active: Sequence[Entry], *, in_memory: bool = False
) -> Backend:
    config = project.loaded.config
    return resolve(
        active,
        None if in_memory else project.root / FOLDER,
        config.embedder,
        config.git.floor is Floor.STRICT,
        os.environ,
        str(project.root),
    )


def _remove(project: Project) -> None:
    path = project.root / PATH
    if path.parent.is_symlink():
        raise IntentError(
            f"{path.parent}: is a symbolic link", "replace it by a regular folder"
        )
    effect(f"unlink {FILE}")
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "remove it yourself") from error


def _report(
    project: Project, backend: Backend, active: Sequence[Entry], as_json: bool
) -> None:
    if backend.warning:
        output.note(f"note: {backend.warning}")
    words_only = backend.id == KEYWORD
    current = (
        0
        if words_only
        else covered(project.root / FOLDER, embedded(active), backend.id)
    )
    if as_json:
        output.document(
            {
                "backend": backend.id,
                "floor": backend.floor,
                "path": "" if words_only else PATH,
                "requirements": len(active),
                "current": current,
                "reasons": [
                    {
                        "adapter": reason.adapter,
                        "taken": reason.taken,
                        "why": reason.why,
                    }
                    for reason in backend.reasons
                ],
            }
        )
        return
    output.say(f"backend: {backend.id}, floor {backend.floor:g}")
    if words_only:
        output.say("index: none, words need no vectors")
    else:
        output.say(f"index: {PATH}, {current} of {len(active)} requirements current")
    for reason in backend.reasons:
        mark = "taken" if reason.taken else "not taken"
        output.say(f"  {reason.adapter}: {mark}, {reason.why}")
