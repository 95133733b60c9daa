"""`git intent mcp`: the same over the Model Context Protocol."""

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.options import examples
from git_intent.errors import IntentError


@click.command(epilog=examples("mcp"))
@click.pass_obj
def command(directory: str) -> None:
    """Serve requirements and the ledger to an agent's host, on stdin and stdout.

    A host starts this and speaks the Model Context Protocol with it. Its tools are
    commands of git intent, and do what these do: they list and show requirements, give
    the block for a task, check the store, show the objective of a chat, and let the
    chat's owner write its ledger. Nothing else is written, and no scan is started.

    Needs the extra: pip install 'git-intent[mcp]'.
    """
    if find_spec("mcp") is None:
        raise IntentError(
            "the SDK of the Model Context Protocol is not installed",
            "pip install 'git-intent[mcp]'",
        )
    from git_intent.cli.mcp_server import serve

    if sys.stdin.isatty():
        output.note("note: a host starts this and speaks JSON-RPC; ctrl-D ends it")
    serve(str(Path(directory).absolute()))
