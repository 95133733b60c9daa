"""`git intent enable`: put disabled requirements back into use."""

import click

from git_intent.cli.project import actor_option, examples
from git_intent.cli.status_change import each
from git_intent.store import mutate


@click.command(epilog=examples("enable req-a3f8"))
@click.argument("reqs", nargs=-1, required=True, metavar="REQ…")
@actor_option
@click.pass_obj
def command(directory: str, reqs: tuple[str, ...], actor: str | None) -> None:
    """Put disabled requirements back into use; superseded ones stay superseded."""
    each(directory, reqs, actor, mutate.enable, "active")
