"""`git intent scan`: from documents and commits to requirement files, in one commit."""

import contextlib
from collections.abc import Iterator

import click

from git_intent.cli import output
from git_intent.cli.project import examples, json_option, open_project
from git_intent.cli.report import print_report
from git_intent.cli.scanning import agent_logs, repositories, scanner
from git_intent.scan.job import Options
from git_intent.scan.pipeline import StepFailed


@click.command(epilog=examples("scan", "scan --dry-run", "scan --full --max-commits 0"))
@click.option("--full", is_flag=True, help="Survey and read everything anew.")
@click.option("--dry-run", is_flag=True, help="Decide and print; change no byte.")
@click.option("--no-commit", is_flag=True, help="Write the store, make no commit.")
@click.option("--resume", is_flag=True, help="Go on with the scan that failed last.")
@click.option(
    "--max-commits",
    type=click.IntRange(min=0),
    metavar="N",
    help="Read at most N commits without a cursor; 0 reads all.",
)
@json_option
@click.pass_obj
def command(
    directory: str,
    full: bool,
    dry_run: bool,
    no_commit: bool,
    resume: bool,
    max_commits: int | None,
    as_json: bool,
) -> int:
    """Extract what documents and commits decide into requirement files, in one commit.

    Reads what is new since the last scan; nothing new changes nothing. The commit holds
    exactly the files that the scan wrote, whatever else is staged or modified.
    """
    if dry_run and (no_commit or resume):
        raise click.UsageError("--dry-run goes with neither --no-commit nor --resume")
    project = open_project(directory)
    options = Options(
        full=full,
        dry_run=dry_run,
        no_commit=no_commit,
        resume=resume,
        max_commits=max_commits,
        repositories=repositories(project.root),
    )
    try:
        with _clear_progress():
            work = scanner(project, options, agent_logs(project))
            report = work.scan()
    except StepFailed as error:
        if as_json:
            output.document(
                {"error": error.message, "step": error.step, "log": str(error.log)}
            )
        output.error(error.message, error.hint)
        output.note(f"  log: {error.log}\n  go on with: git intent scan --resume")
        return error.exit_code
    if as_json:
        output.document(report.to_json())
    else:
        print_report(report)
    return 0


@contextlib.contextmanager
def _clear_progress() -> Iterator[None]:
    try:
        yield
    finally:
        output.progress("")
