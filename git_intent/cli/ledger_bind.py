"""`git intent ledger bind` and `exclude`: who may speak in which chat."""

from typing import Any

import click

from git_intent.cli.ledger_address import configured, world
from git_intent.cli.ledger_answer import answers, tell
from git_intent.cli.options import examples
from git_intent.ledger.bound import CHILD, EXCLUDED, OWNER, READER

_host = click.option("--host", metavar="H", required=True, help="Host of the session.")
_session = click.option(
    "--session", metavar="S", required=True, help="The session that is spoken of."
)
_namespace = click.option(
    "--namespace", metavar="NS", default="", help="Namespace of the chat."
)
_note = click.option("--note", default="", help="Why; a review note is needed.")


@click.command(
    epilog=examples(
        'ledger bind --host claude --session 9f8e --chat 1b2c --note "resumed"',
        "ledger bind --host codex --session 77aa --chat 1b2c --role reader "
        '--note "reviews it"',
    )
)
@_host
@_session
@_namespace
@click.option("--chat", metavar="ID", required=True, help="The chat to bind it to.")
@click.option(
    "--role",
    type=click.Choice([OWNER, READER, CHILD]),
    default=OWNER,
    help="What it is there; an owner takes the place of the last one.",
)
@_note
@click.pass_obj
@answers
def bind(directory: str, role: str, chat: str, **who: str) -> int:
    """Let a session speak in a chat that is not the one of its own id.

    A ledger of its own that holds prompts and nothing else is absorbed: its prompts
    are captured again in the chat, and it is closed. One with a contract is left alone,
    and the bind is refused.
    """
    return _bind(directory, role, chat=chat, **who)


@click.command(
    epilog=examples(
        'ledger exclude --host claude --session 9f8e --note "a private chat"'
    )
)
@_host
@_session
@_namespace
@click.option(
    "--chat", metavar="ID", default="", help="The chat; where it is led if left out."
)
@_note
@click.pass_obj
@answers
def exclude(directory: str, chat: str, **who: str) -> int:
    """Capture nothing of a session any more. This outranks every binding."""
    if not chat:
        led = world(directory).route(who["host"], who["session"]).place
        chat = led.chat if led else who["session"]
    return _bind(directory, EXCLUDED, chat=chat, **who)


def _bind(directory: str, role: str, **who: Any) -> int:
    from git_intent.ledger.binding import Binder, Wish

    around = world(directory)
    home, namespace = configured(around)
    wish = Wish(
        who["host"],
        who["session"],
        who["namespace"] or namespace,
        who["chat"],
        role,
        who["note"],
    )
    actor = {"kind": "owner", "host": wish.host, "session": wish.session}
    answer = Binder(home, actor, spool=around.fallback).bind(wish)
    return tell(answer)
