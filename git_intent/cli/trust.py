"""`git intent trust`: approve commands that come from the work tree."""

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from git_intent.cli import approvals, output
from git_intent.cli.options import examples
from git_intent.cli.project import Project, open_project
from git_intent.errors import IntentError
from git_intent.workflow import trust


@click.command(epilog=examples("trust", "trust .cloche/team.cloche --yes"))
@click.argument("paths", nargs=-1, metavar="[PATH…]", type=click.Path())
@click.option("--yes", is_flag=True, help="Approve without asking.")
@click.pass_obj
def command(directory: str, paths: tuple[str, ...], yes: bool) -> int:
    """Approve the exact bytes of files that decide which commands run.

    Workflow files, an agent set in .cloche/config.toml and prompts that run commands
    come with a clone; none of them runs until you approved it here. A changed file
    needs a new approval. Without PATH all that is not approved yet is shown.
    """
    project = open_project(directory)
    project.need_worktree()
    wanted = _chosen(project, [_from_root(project, directory, p) for p in paths])
    waiting = trust.missing(wanted, partial(approvals.read, project.repo))
    if not waiting:
        output.say("Nothing waits for approval.")
        return 0
    if not yes and not sys.stdin.isatty():
        for subject in waiting:
            output.say(f"{subject.path}: {subject.why}")
        output.error(
            "nothing was approved: there is nobody to ask",
            "run this in a terminal, or with --yes once you have read them",
        )
        return 1
    approved = [s for s in waiting if yes or _agrees(s)]
    trust.approve(
        approved,
        partial(approvals.read, project.repo),
        partial(approvals.add, project.repo),
    )
    for subject in approved:
        output.say(f"{subject.path} approved")
    return 0 if len(approved) == len(waiting) else 1


def _from_root(project: Project, directory: str, path: str) -> str:
    """A path as it is named from the root, also when it was typed in a subfolder."""
    typed = Path(os.path.abspath(Path(directory) / path))  # noqa: PTH100 - keeps links
    if not (project.root / path).exists() and typed.is_relative_to(project.root):
        return typed.relative_to(project.root).as_posix()
    return path


def _chosen(project: Project, paths: Sequence[str]) -> list[trust.Subject]:
    known = {subject.path: subject for subject in approvals.subjects(project)}
    if not paths:
        return list(known.values())
    unknown = [path for path in paths if path not in known]
    if unknown:
        raise IntentError(
            f"{', '.join(unknown)}: decides no command of this project",
            f"approvable: {', '.join(known) or 'nothing'}",
        )
    return [known[path] for path in paths]


def _agrees(subject: trust.Subject) -> bool:
    """Show all of the bytes, for all of them would be approved, and ask once."""
    output.note(f"{subject.path}: {subject.why}\n")
    output.note(subject.data.decode(errors="replace"))
    return click.confirm(f"Approve {output.one_line(subject.path)}?", err=True)
