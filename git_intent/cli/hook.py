"""`git intent hook`: what a coding agent's host calls.

Usual command lines are answered in `__main__`, before this is loaded.
"""

import os
from pathlib import Path

import click

from git_intent.cli.options import examples


@click.command(
    epilog=examples(
        "hook --host claude --event UserPromptSubmit < payload.json",
        "hook --host codex < payload.json",
        "hook --host copilot --event userPromptSubmitted < payload.json",
    )
)
@click.option(
    "--host",
    required=True,
    help="The host: claude, codex, copilot, cursor, gemini or opencode.",
)
@click.option(
    "--event",
    default="",
    help="The host's name of the event; the payload tells it if this does not.",
)
@click.pass_obj
def command(directory: str, host: str, event: str) -> int:
    """Answer one event of a coding agent, told on standard input.

    A prompt of the user is kept for the chat's ledger. The answer says what waits
    there, and which requirements of the project bear on the prompt. The start of a
    session, and its going on after compaction or resume, is answered with what waits,
    and with what holds in the whole project. A tool that is configured as a mutation is
    denied while a prompt waits. Every other event, and whatever a host marks as a
    subagent's, changes nothing.

    The exit code is always 0, and the output is nothing or JSON in the host's form,
    with a text of 9,500 bytes at most. Without intent.ledgerHome and intent.namespace
    nothing is captured.

    Capture is no authority: some hosts do not tell a subagent's prompt from the user's,
    and anybody who knows a session's id can write as its owner. A prompt stays
    unclassified until the owner has looked at it.
    """
    from git_intent.hosts import lane

    cwd = str(Path(directory).absolute())
    return lane.run(["--host", host, "--event", event], os.environ, cwd)
