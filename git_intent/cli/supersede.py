"""`git intent supersede`: replace a requirement by another one."""

import click

from git_intent.cli import output
from git_intent.cli.find import complete, requirements
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import open_project
from git_intent.cli.status_change import each
from git_intent.errors import IntentError
from git_intent.store import mutate
from git_intent.store.requirement import Status


@click.command(epilog=examples("supersede req-a3f8 --by req-b91c"))
@click.argument("req", metavar="REQ", shell_complete=complete)
@click.option(
    "--by",
    required=True,
    metavar="REQ",
    shell_complete=complete,
    help="The successor; it must exist.",
)
@actor_option
@click.pass_obj
def command(directory: str, req: str, by: str, actor: str | None) -> None:
    """Mark REQ as superseded by another requirement; this is final."""
    project = open_project(directory)
    old, new = requirements(project, [req, by])
    if old.id == new.id:
        raise IntentError(
            f"{new.id} cannot be its own successor",
            "name another requirement, or `git intent add` one first",
        )
    if new.status is not Status.ACTIVE:
        output.note(f"note: {new.id} is {new.status}, so that neither is in use")
    each(
        project,
        [old],
        actor,
        lambda data, now, path: mutate.supersede(data, new.id, now, path),
        f"superseded by {new.id}",
    )
