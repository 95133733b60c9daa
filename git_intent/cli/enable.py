"""`git intent enable`: put disabled requirements back into use."""

import click

from git_intent.cli.find import complete, requirements
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import open_project
from git_intent.cli.status_change import each
from git_intent.store import mutate


@click.command(epilog=examples("enable req-a3f8"))
@click.argument(
    "reqs", nargs=-1, required=True, metavar="REQ…", shell_complete=complete
)
@actor_option
@click.pass_obj
def command(directory: str, reqs: tuple[str, ...], actor: str | None) -> None:
    """Put disabled requirements back into use; superseded ones stay superseded."""
    project = open_project(directory)
    each(project, requirements(project, reqs), actor, mutate.enable, "active")
