"""`git intent ledger preflight`: may a tool be used now? The usual call is answered in
`hosts.preflight_lane` before this is loaded; the answer is the same."""

import os
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.ledger_address import world
from git_intent.cli.options import examples


@click.command(
    epilog=examples(
        "ledger preflight --host claude --session 1b2c --tool Edit",
        "ledger preflight --host claude --chat 1b2c --namespace team --tool Edit "
        "--depends act-14",
    )
)
@click.option("--host", metavar="H", required=True, help="Whose tool it is.")
@click.option("--session", metavar="S", default="", help="Your session of that host.")
@click.option("--namespace", metavar="NS", default="", help="Namespace of --chat.")
@click.option(
    "--chat", metavar="ID", default="", help="The chat, if no session is named."
)
@click.option("--tool", metavar="NAME", required=True, help="The tool's exact name.")
@click.option(
    "--depends", metavar="ID", multiple=True, help="An id that the call depends on."
)
@click.option("--command", "line", metavar="TEXT", help="What a shell would run.")
@click.pass_obj
def command(
    directory: str,
    host: str,
    session: str,
    namespace: str,
    chat: str,
    tool: str,
    depends: tuple[str, ...],
    line: str | None,
) -> int:
    """Answer ALLOW, HOLD or OUTSIDE_CONTROL for one call of a tool.

    HOLD, with exit code 1, is for tools that are configured as mutation, and names what
    ends it. Reading is always allowed. Mixed and unknown tools are outside of this
    control: nothing is held or vouched for.
    """
    from git_intent.hosts.preflight import Call
    from git_intent.hosts.preflight_lane import decided, encoded

    if bool(session) == bool(chat) or (namespace and not chat):
        raise click.UsageError("say which chat: --session, or --chat")
    if chat and not namespace:
        namespace = world(directory).settings().namespace
    named = (namespace, chat) if chat else None
    call = Call(host, session, tool, depends, chat=named, command=line)
    cwd = str(Path(directory).absolute())
    document, code, note = decided(call, os.environ, cwd)
    output.exact(encoded(document))
    if note:
        output.error(output.one_line(note))
    return code
