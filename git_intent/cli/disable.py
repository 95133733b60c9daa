"""`git intent disable`: take requirements out of use."""

import click

from git_intent.cli.find import complete, requirements
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import open_project
from git_intent.cli.status_change import each
from git_intent.store import mutate


@click.command(epilog=examples("disable req-a3f8"))
@click.argument(
    "reqs", nargs=-1, required=True, metavar="REQ…", shell_complete=complete
)
@actor_option
@click.pass_obj
def command(directory: str, reqs: tuple[str, ...], actor: str | None) -> None:
    """Take requirements out of use; a scan never brings them back."""
    project = open_project(directory)
    each(project, requirements(project, reqs), actor, mutate.disable, "disabled")
