"""The document that a command of the ledger is given: JSON from stdin or a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from git_intent.errors import IntentError
from git_intent.ledger.strict_json import DOCUMENT_BYTES


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
    """The bytes of a document; of one that is too long no more than shows it."""
    if path == "-":
        if sys.stdin.isatty():
            raise click.UsageError(
                "the document is read from standard input or from --file; "
                "--example prints one"
            )
        return sys.stdin.buffer.read(DOCUMENT_BYTES + 1)
    try:
        with Path(path).open("rb") as stream:
            return stream.read(DOCUMENT_BYTES + 1)
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
