"""`git intent redact`: remove a requirement's text, keep its id."""

import click

from git_intent.cli import output
from git_intent.cli.find import complete, requirements
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import open_project
from git_intent.cli.status_change import each
from git_intent.store import mutate


@click.command(epilog=examples("redact req-a3f8"))
@click.argument("req", metavar="REQ", shell_complete=complete)
@actor_option
@click.pass_obj
def command(directory: str, req: str, actor: str | None) -> None:
    """Replace the text of REQ by a notice and disable it; id and file stay.

    Hints go too; where it came from stays. Earlier commits still hold the old text: to
    remove a leaked secret from history, rewrite history, and revoke the secret.
    """
    project = open_project(directory)
    each(
        project,
        requirements(project, [req]),
        actor,
        lambda data, now, path: mutate.redact(data, now, path=path),
        "redacted",
    )
    output.note("the text is still in git's history; revoke what leaked")
