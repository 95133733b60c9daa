"""`git intent scan-step`: one step, for a project's own workflow to call."""

import os

import click

from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import open_project
from git_intent.scan.job import Options
from git_intent.scan.pipeline import STEPS


@click.command(epilog=examples("scan-step discover-domains", "scan-step commit"))
@click.argument("name", type=click.Choice(list(STEPS)), metavar="NAME")
@click.option("--full", is_flag=True, help="With discover-domains: begin a full scan.")
@json_option
@click.pass_obj
def command(directory: str, name: str, full: bool, as_json: bool) -> None:
    """Run one step of a scan; it reads the previous step's artifact and writes its own.

    NAME is discover-domains, collect-sources, extract, reconcile, apply-reconcile or
    commit. In a workflow that `git intent scan` runs, all work on that scan. Elsewhere
    the first one begins a run, and the others go on with the run under way. Prints the
    result: success, or none if there was nothing to do.
    """
    from git_intent.cli.scanning import agent_logs, repositories, scanner
    from git_intent.scan.orders import lent

    project = open_project(directory)
    options = Options(full=full, repositories=repositories(project.root))
    made = scanner(project, options, agent_logs(project))
    result = made.step(name, lent(project.repo, os.environ))
    if as_json:
        output.document({"step": name, "result": result.value})
    else:
        nonce = os.environ.get("CLOCHE_RESULT_NONCE")
        framed = f"{nonce}:" if nonce else ""
        output.say(f"CLOCHE_RESULT:{framed}{result.value}")
