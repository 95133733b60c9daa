"""The document that a command of the ledger is given: JSON from stdin or a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from git_intent.errors import IntentError


def given(act: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--file` and `--example`."""
    file = click.option(
        "--file",
        "path",
        metavar="FILE",
        default="-",
        help="Read the document from FILE instead of standard input.",
    )
    example = click.option(
        "--example",
        is_flag=True,
        help="Print a document that would be accepted now; record nothing.",
    )
    return file(example(act))


def read(path: str) -> bytes:
    """The bytes of a document."""
    if path == "-":
        if sys.stdin.isatty():
            raise click.UsageError(
                "the document is read from standard input or from --file; "
                "--example prints one"
            )
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise click.UsageError(f"--file: {path}: {why}") from None


def print_example(command: str, state: Any) -> None:
    """Print an example for a ledger's state, or for none in particular."""
    import json

    from git_intent.cli import output
    from git_intent.ledger.examples import example

    text = json.dumps(example(command, state), indent=2)
    output.exact(text.encode("ascii") + b"\n")


def state_for_example(find: Callable[[], Any]) -> Any:
    """The state that an example is made for, with what waits brought into the journal;
    None if there is no ledger to be read."""
    try:
        ledger = find().ledger
        if ledger.waiting():
            ledger.drain()
        return ledger.read().state
    except (IntentError, OSError, click.UsageError):
        return None
