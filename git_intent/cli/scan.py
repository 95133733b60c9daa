"""`git intent scan`: from documents and commits to requirement files, in one commit."""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace

import click

from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import open_project
from git_intent.errors import IntentError
from git_intent.lock import LockHeld
from git_intent.scan.job import Options
from git_intent.scan.pipeline import StepFailed
from git_intent.scan.quiet_record import Watch
from git_intent.scan.summary import BUILTIN, ScanReport


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
@click.option("--queued", is_flag=True, help="Scan the completed runs that wait.")
@click.option(
    "--quiet",
    is_flag=True,
    help="Print nothing but what went wrong; while another scan is at work, be queued.",
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
    queued: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Extract what documents and commits decide into requirement files, in one commit.

    Reads what is new since the last scan; nothing new changes nothing. The commit holds
    exactly the files that the scan wrote, whatever else is staged or modified.
    """
    if dry_run and (no_commit or resume):
        raise click.UsageError("--dry-run goes with neither --no-commit nor --resume")
    if queued:
        if full or dry_run or no_commit or resume or max_commits is not None:
            raise click.UsageError("--queued goes with --quiet and --json only")
        return _scan_queued(directory, as_json, quiet)
    options = Options(
        full=full,
        dry_run=dry_run,
        no_commit=no_commit,
        resume=resume,
        max_commits=max_commits,
    )
    try:
        with _clear_progress():
            report = _scan(directory, options, quiet)
    except IntentError as error:
        plain = quiet and not as_json and options == Options()
        if plain and isinstance(error, LockHeld) and _later(directory):
            return 0
        if as_json:
            output.document(_failure(error))
        if isinstance(error, StepFailed):
            go_on = _GO_ON if error.resumable else ""
            hints = (error.hint, f"log: {error.log}", go_on)
            error.hint = "\n".join(filter(None, hints))
        raise
    if as_json:
        output.document(report.to_json())
    elif not quiet:
        from git_intent.cli.report import print_report

        print_report(report)
    return 0


def _scan_queued(directory: str, as_json: bool, quiet: bool) -> int:
    from git_intent.cli.queued import drain

    with _clear_progress():
        return drain(open_project(directory), as_json=as_json, quiet=quiet)


def _later(directory: str) -> bool:
    from git_intent.cli.queued import later

    return later(directory)


_GO_ON = "`git intent scan --resume` goes on where it stopped"


def _scan(directory: str, options: Options, quiet: bool) -> ScanReport:
    from git_intent.cli.queued import start_due
    from git_intent.cli.scanning import repositories
    from git_intent.cli.workflow_scan import scan_of

    project = open_project(directory)
    listed = repositories(project.root)
    options = replace(options, repositories=listed)
    globs = project.loaded.config.git.doc_globs
    watch = Watch.begin(project.repo, os.environ, time.time_ns(), globs, listed)
    try:
        report = scan_of(project, options, quiet=quiet).scan()
        own = report.workflow != BUILTIN  # what that would do now, nobody knows
        if not (report.deferred or options.dry_run or options.no_commit or own):
            watch.end(report.commit)
    finally:
        if not options.dry_run:  # runs that were completed while we held the lock
            start_due(directory)
    return report


def _failure(error: IntentError) -> dict[str, object]:
    """What a machine gets to read instead of the report."""
    if isinstance(error, StepFailed):
        return {
            "error": error.message,
            "hint": error.hint,
            "step": error.step,
            "log": str(error.log),
        }
    return {"error": error.message, "hint": error.hint}


@contextlib.contextmanager
def _clear_progress() -> Iterator[None]:
    try:
        yield
    finally:
        output.progress("")
