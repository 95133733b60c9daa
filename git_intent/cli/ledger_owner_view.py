"""`git intent ledger owner-view`: which ledger a session speaks in, and as whom."""

import click

from git_intent.cli.ledger_address import world
from git_intent.cli.ledger_answer import answers
from git_intent.cli.options import examples


@click.command(epilog=examples("ledger owner-view --host claude --session 1b2c"))
@click.option("--host", metavar="H", default="", help="The host of your session.")
@click.option("--session", metavar="S", default="", help="The host's id of it.")
@click.pass_obj
@answers
def command(directory: str, host: str, session: str) -> None:
    """Print the ledger that a session is led to, and whether it is the owner.

    Creates nothing, whatever it finds. Prompts that belong to no chat are listed as
    unbound. OWNER is what the caller says of itself: it proves nothing.
    """
    from git_intent.cli import output
    from git_intent.files import canonical_json
    from git_intent.hosts.owner_view import owner_view

    output.exact(canonical_json(owner_view(world(directory), host, session)))
