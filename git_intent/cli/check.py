"""`git intent check`: is the store sound, and may it change like this?"""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.options import actor_option, examples, json_option
from git_intent.cli.project import claim, open_project
from git_intent.git.repository import Repository
from git_intent.guard.report import FORMS, Report, hints


@dataclass(frozen=True, slots=True)
class _Options:
    """The command line, read."""

    folder: Path
    files: tuple[str, ...]
    staged: bool
    from_ref: str
    to_ref: str
    rules: bool
    hook: bool
    fix: bool
    thorough: bool
    semantic: bool
    told: str | None

    def refuse(self) -> None:
        """Raise UsageError for what makes no sense together."""
        if self.to_ref and not self.from_ref:
            raise click.UsageError("--to-ref needs --from-ref")
        states = {
            "--staged": self.staged,
            "--from-ref": self.from_ref,
            "--rules": self.rules,
            "--hook": self.hook,
        }
        given = [name for name, value in states.items() if value]
        if len(given) > 1:
            raise click.UsageError(f"{given[0]} and {given[1]} exclude each other")
        if self.semantic and (self.files or given):
            raise click.UsageError("--semantic compares the store in the work tree")
        if self.files and given and not self.staged:
            raise click.UsageError(f"{given[0]} is about the whole store; name no file")
        if self.fix and given and not self.rules:
            raise click.UsageError(
                f"--fix rewrites the work tree; leave out {given[0]}"
            )


@click.command(epilog=examples("check", "check --from-ref origin/main --to-ref HEAD"))
@click.argument("files", nargs=-1)
@click.option("--staged", is_flag=True, help="Check what is staged.")
@click.option(
    "--from-ref", metavar="A", default="", help="Check the step from commit A."
)
@click.option(
    "--to-ref",
    metavar="B",
    default="",
    help="The step ends at commit B; HEAD if not given.",
)
@click.option(
    "--rules",
    is_flag=True,
    help="Only what needs several files and the hard rules, as a commit hook asks.",
)
@click.option(
    "--hook",
    is_flag=True,
    help="As --staged, and set a missing mark of a person's change.",
)
@click.option("--fix", is_flag=True, help="Repair what can be repaired safely.")
@click.option(
    "--all", "thorough", is_flag=True, help="Let detect-secrets look for secrets too."
)
@click.option(
    "--semantic",
    is_flag=True,
    help="Also look for requirements that say the same, or the opposite.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@json_option
@actor_option
@click.pass_obj
def command(
    directory: str,
    files: tuple[str, ...],
    staged: bool,
    from_ref: str,
    to_ref: str,
    rules: bool,
    hook: bool,
    fix: bool,
    thorough: bool,
    semantic: bool,
    form: str,
    as_json: bool,
    actor: str | None,
) -> int:
    """Check the store: its formats, its settings, and the hard rules.

    Alone it checks the store in the work tree and the step there from HEAD. With FILES
    only the formats of these files are checked. Exit 1 if anything is an error.
    """
    options = _Options(
        Path(directory).absolute(),
        *(files, staged, from_ref, to_ref, rules, hook, fix, thorough, semantic),
        told=actor,
    )
    options.refuse()
    form = "json" if as_json else form
    report = _check_files(options) if files else _check_all(options)
    if semantic:
        from git_intent.cli.kin import kin

        found = kin(open_project(directory).store())
        report = replace(report, issues=(*report.issues, *found.issues))
    _print(report, form)
    if semantic and form == "text":
        output.say(found.text)
    alone = form == "text" and not (files or staged or rules or hook)
    if alone and report.ok and not report.issues:
        output.note("Nothing found.")
    return 0 if report.ok else 1


def _check_all(options: _Options) -> Report:
    from git_intent.guard.request import Request
    from git_intent.guard.whole import check_all

    repo = Repository.discover(options.folder)
    output.detail(f"repository: {repo.worktree or repo.root}")
    who = claim(options.told)
    request = Request(
        repo.root,
        staged=options.staged or options.hook,
        from_ref=options.from_ref,
        to_ref=options.to_ref,
        hook=options.rules,
        actor=who.actor,
        actor_reason=who.reason,
        told=options.told is not None,
        fix=options.fix or options.hook,
        environ=os.environ,
    )
    return check_all(repo, request, thorough=options.thorough)


def _check_files(options: _Options) -> Report:
    from git_intent.guard.given import Asked, check_given

    asked = Asked(options.staged, options.fix, options.thorough)
    return check_given(options.folder, options.files, asked, os.environ)


def _print(report: Report, form: str) -> None:
    if text := FORMS[form](report):
        output.say(text.removesuffix("\n"))
    for path in report.repaired:
        output.note(f"repaired {output.one_line(path)}; look at it and stage it")
    if form == "text" and report.issues:
        _explain(report)
    else:
        for line in report.notes:
            output.detail(line)
    if report.failure:
        output.error(report.failure.message, report.failure.hint)


def _explain(report: Report) -> None:
    """What helps a person to see why something was found, and to repair it."""
    warnings = len(report.issues) - report.errors
    output.note(f"{_count(report.errors, 'error')}, {_count(warnings, 'warning')}")
    for line in hints(report):
        output.note(line)
    for line in report.notes:
        output.note(line)
    if report.actor:
        output.note(f"taken for {report.actor}: {report.reason}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
