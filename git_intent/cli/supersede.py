"""`git intent supersede`: replace a requirement by another one."""

import click

from git_intent.cli.find import requirement
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import open_project
from git_intent.cli.status_change import each
from git_intent.errors import IntentError
from git_intent.store import mutate


@click.command(epilog=examples("supersede req-a3f8 --by req-b91c"))
@click.argument("req", metavar="REQ")
@click.option(
    "--by", required=True, metavar="REQ", help="The successor; it must exist."
)
@actor_option
@click.pass_obj
def command(directory: str, req: str, by: str, actor: str | None) -> None:
    """Mark REQ as superseded by another requirement; this is final."""
    store = open_project(directory).store()
    successor = requirement(store, by).id
    if requirement(store, req).id == successor:
        raise IntentError(
            f"{successor} cannot be its own successor",
            "name another requirement, or `git intent add` one first",
        )
    each(
        directory,
        [req],
        actor,
        lambda data, now, path: mutate.supersede(data, successor, now, path),
        f"superseded by {successor}",
    )
