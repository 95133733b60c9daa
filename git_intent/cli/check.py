"""`git intent check`: is the store sound, and may it change like this?"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from git_intent.cli import output
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import claim
from git_intent.git.repository import Repository
from git_intent.guard.report import FORMS, Report, hints

if TYPE_CHECKING:
    from git_intent.guard.request import Judgement, Request


@dataclass(frozen=True, slots=True)
class _Options:
    """The command line, read."""

    folder: Path
    files: tuple[str, ...]
    staged: bool
    from_ref: str
    to_ref: str
    rules: bool
    fix: bool
    thorough: bool
    told: str | None

    def refuse(self) -> None:
        """Raise UsageError for what makes no sense together."""
        if self.to_ref and not self.from_ref:
            raise click.UsageError("--to-ref needs --from-ref")
        states = {
            "--staged": self.staged,
            "--from-ref": self.from_ref,
            "--rules": self.rules,
        }
        given = [name for name, value in states.items() if value]
        if len(given) > 1:
            raise click.UsageError(f"{given[0]} and {given[1]} exclude each other")
        if self.files and (self.from_ref or self.rules):
            raise click.UsageError(f"{given[0]} is about the whole store; name no file")
        if self.fix and (self.staged or self.from_ref):
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
@click.option("--fix", is_flag=True, help="Repair what can be repaired safely.")
@click.option(
    "--all", "thorough", is_flag=True, help="Let detect-secrets look for secrets too."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@actor_option
@click.pass_obj
def command(
    directory: str,
    files: tuple[str, ...],
    staged: bool,
    from_ref: str,
    to_ref: str,
    rules: bool,
    fix: bool,
    thorough: bool,
    form: str,
    actor: str | None,
) -> int:
    """Check the store: its formats, its settings, and the hard rules.

    Alone it checks the store in the work tree and the step there from HEAD. With FILES
    only the formats of these files are checked. Exit 1 if anything is an error.
    """
    options = _Options(
        Path(directory).absolute(),
        *(files, staged, from_ref, to_ref, rules, fix, thorough, actor),
    )
    options.refuse()
    report = _check_files(options) if files else _check_all(options)
    _print(report, form)
    return 1 if report.errors or report.repaired else 0


def _check_all(options: _Options) -> Report:
    from git_intent.guard.projects import Side, State, commit_of
    from git_intent.guard.whole import Question, check_all

    repo = Repository.discover(options.folder)
    output.detail(f"repository: {repo.worktree or repo.root}")
    from_ref = ""
    side = Side(State.INDEX if options.staged or options.rules else State.WORK_TREE)
    if options.from_ref:
        from_ref = commit_of(repo, options.from_ref)
        side = Side(State.COMMIT, commit_of(repo, options.to_ref or "HEAD"))
    elif repo.bare:
        side = Side(State.COMMIT, commit_of(repo, "HEAD"))
    who = claim(options.told)
    question = Question(
        side,
        from_ref,
        hook=options.rules,
        fix=options.fix,
        thorough=options.thorough,
        actor=who.actor,
        actor_reason=who.reason,
        told=options.told is not None,
    )
    answer = check_all(repo, question, os.environ, _judge)
    for line in answer.notes:
        output.note(line)
    return answer.report


def _judge(request: "Request") -> "Judgement":
    from importlib import import_module, util

    from git_intent.guard.request import Judgement

    if util.find_spec("git_intent.guard.rules") is None:
        return Judgement(actor=request.actor, reason=request.actor_reason)
    found: Judgement = import_module("git_intent.guard.rules").judge(request)
    return found


def _check_files(options: _Options) -> Report:
    from git_intent.guard.given import check_given, from_work_tree, in_stores

    given = in_stores(options.files, options.folder)
    return Report(tuple(check_given(given, from_work_tree, lambda root: "")))


def _print(report: Report, form: str) -> None:
    text = FORMS[form](report)
    if text:
        output.say(text.removesuffix("\n"))
    if form != "text" or not report.issues:
        return
    for line in hints(report):
        output.note(f"  {line}")
    if report.actor:
        output.note(f"taken for {report.actor}: {report.reason}")
