"""`git intent enable`: put disabled requirements back into use."""

from datetime import datetime

import click

from git_intent.cli.find import complete, requirements
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import open_project
from git_intent.cli.status_change import each
from git_intent.errors import IntentError
from git_intent.store import mutate
from git_intent.store.requirement_file import parse_requirement


@click.command(epilog=examples("enable req-a3f8"))
@click.argument(
    "reqs", nargs=-1, required=True, metavar="REQ…", shell_complete=complete
)
@actor_option
@click.pass_obj
def command(directory: str, reqs: tuple[str, ...], actor: str | None) -> None:
    """Put disabled requirements back into use; superseded ones stay superseded."""
    project = open_project(directory)
    each(project, requirements(project, reqs), actor, _enable, "active")


def _enable(data: bytes, now: datetime, path: str) -> bytes:
    found = parse_requirement(data, path)
    if found.statement == mutate.NOTICE:
        raise IntentError(
            f"{found.id}: was redacted and says nothing to follow",
            "`git intent add` writes a new requirement",
        )
    return mutate.enable(data, now, path)
