"""`git intent workflow`: which workflows there are, what they say, what is wrong."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from git_intent.cli import approvals, output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.errors import IntentError
from git_intent.guard.report import FORMS, Report, hints
from git_intent.store.issue import Issue, Severity
from git_intent.workflow import catalog, trust
from git_intent.workflow.catalog import Catalog
from git_intent.workflow.model import Finding, Step, Workflow


@click.group(epilog=examples("workflow list", "workflow show intent-scan"))
def command() -> None:
    """Look at the workflows of `.cloche/*.cloche` files, and at the built-in ones."""


@command.command(
    "list",
    short_help="List workflows.",
    epilog=examples("workflow list", "workflow list --json"),
)
@json_option
@click.pass_obj
def list_(directory: str, as_json: bool) -> None:
    """List every workflow that can be run, and the place it comes from.

    A project's own definition takes the place of a built-in one of the same name, as
    a whole. Such a workflow is marked.
    """
    project = open_project(directory)
    known = catalog.load(_files(project))
    _warn(known)
    rows = [_facts(project, known, found) for found in known.listed()]
    if as_json:
        output.document({"workflows": rows})
        return
    output.table(
        ["name", "from", "steps", "note"],
        [[r["name"], r["source"], str(r["steps"]), _note(r)] for r in rows],
    )


@command.command(
    "show",
    short_help="Show one workflow.",
    epilog=examples("workflow show intent-scan", "workflow show main --json"),
)
@click.argument("name", metavar="NAME")
@json_option
@click.pass_obj
def show(directory: str, name: str, as_json: bool) -> None:
    """Print the workflow NAME in canonical form, below the place it comes from.

    What is printed is a workflow file again: with the built-in one it is a start for
    your own.
    """
    from git_intent.workflow.printer import render

    project = open_project(directory)
    known = catalog.load(_files(project))
    _warn(known)
    found = known.find(name)
    facts, text = _facts(project, known, found), render([found])
    if as_json:
        steps = [_step(found, step) for step in found.steps]
        output.document({"workflow": {**facts, "steps": steps, "text": text}})
        return
    said = ", ".join(filter(None, (output.one_line(found.source), _note(facts))))
    output.say(f"// {said}\n{text.removesuffix(chr(10))}")


@command.command(
    "check",
    short_help="Check workflow files.",
    epilog=examples("workflow check", "workflow check .cloche/team.cloche"),
)
@click.argument("files", nargs=-1, metavar="[FILE…]")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@json_option
@click.pass_obj
def check(directory: str, files: tuple[str, ...], form: str, as_json: bool) -> int:
    """Say what is wrong with workflow files, each with its place.

    Without FILE all of the project are checked. FILE may lie anywhere; it is judged
    as if it lay among the project's. Exit 1 if anything is an error.
    """
    from git_intent.workflow.soundness import examine

    project = open_project(directory)
    asked = _asked(project, directory, files)
    found = examine({**_files(project), **asked}, partial(_is_file, project))
    form = "json" if as_json else form
    report = Report(tuple(_issue(f) for f in found if not asked or f.path in asked))
    if text := FORMS[form](report):
        output.say(text.removesuffix("\n"))
    if form == "text":
        if not report.issues:
            output.note("Nothing found.")
        for line in hints(report):
            output.note(line)
    return 0 if report.ok else 1


def _files(project: Project) -> Mapping[str, bytes]:
    """The workflow files of the work tree; those of HEAD in a bare repository."""
    if not project.repo.bare:
        return catalog.read_files(project.root)
    if project.repo.head().unborn:
        return {}
    from git_intent.git.objects import snapshot

    found = snapshot(project.repo, "HEAD", catalog.FOLDER)
    return {path: found[path] for path in filter(catalog.is_workflow_file, found)}


def _asked(
    project: Project, directory: str, files: tuple[str, ...]
) -> dict[str, bytes]:
    """The files to check, by their path from the root, or as they were typed."""
    found = {}
    for typed in files:
        path = Path(directory) / typed
        try:
            data = path.read_bytes()
        except OSError as error:
            raise IntentError(
                f"{typed}: {error.strerror}", "name a workflow file"
            ) from error
        inside = path.resolve()
        if inside.is_relative_to(project.root):
            typed = inside.relative_to(project.root).as_posix()
        found[typed] = data
    return found


def _is_file(project: Project, path: str) -> bool:
    if project.repo.bare:
        return True  # there is no work tree to look for it in
    try:
        return (project.root / path).is_file()
    except ValueError:  # a zero byte
        return False


def _warn(known: Catalog) -> None:
    for finding in known.findings:
        output.note(f"{finding}")


def _facts(project: Project, known: Catalog, found: Workflow) -> dict[str, Any]:
    approved = project.repo.bare or not trust.missing(
        approvals.workflow_subjects(project, known, found),
        partial(approvals.read, project.repo),
    )
    return {
        "name": found.name,
        "source": found.source,
        "builtin": found.builtin,
        "replaces_builtin": known.replaces_builtin(found),
        "approved": approved,
        "intent_tracking": not found.opted_out,
        "steps": len(found.steps),
    }


def _note(facts: Mapping[str, Any]) -> str:
    notes = (
        "replaces the built-in" if facts["replaces_builtin"] else "",
        "" if facts["approved"] else "not approved (git intent trust)",
        "" if facts["intent_tracking"] else "no intent tracking",
    )
    return ", ".join(filter(None, notes))


def _step(workflow: Workflow, step: Step) -> dict[str, Any]:
    kinds = [kind.value for kind in step.kinds]
    return {
        "name": step.name,
        "line": step.at.line,
        "kind": kinds[0] if len(kinds) == 1 else "",
        "results": list(step.results or ()),
        "timeout": step.text("timeout"),
        "domains": list(workflow.domains(step.name)),
        "intent_tracking": not (workflow.opted_out or step.opted_out),
    }


def _issue(found: Finding) -> Issue:
    severity = Severity.ERROR if found.error else Severity.WARNING
    return Issue(found.path, found.line, found.col, found.code, found.message, severity)
