"""The commands that write one event from a document: `git intent ledger progress` …

All of them are one command with another name: who calls is checked, the document is
read, and the ledger answers. `git_intent.ledger.fold.COMMANDS` has their rules.
"""

from functools import partial
from typing import Any

import click

from git_intent.cli import ledger_document
from git_intent.cli.ledger_address import (
    Address,
    Addressed,
    addressed,
    find,
    pin,
    refusal_of,
)
from git_intent.cli.ledger_answer import answers, tell
from git_intent.cli.options import examples
from git_intent.ledger import strict_json
from git_intent.ledger.hot import opened
from git_intent.ledger.refusal import Refusal


def _command(name: str, help: str) -> click.Command:
    """The command of one kind of event."""
    session = "--host claude --session 1b2c"

    @click.command(
        name,
        help=help,
        epilog=examples(
            f"ledger {name} {session} --example > document.json",
            f"ledger {name} {session} --file document.json",
        ),
    )
    @addressed(owner=True)
    @ledger_document.given
    @answers
    def command(address: Address, path: str, example: bool) -> int:
        if example:
            state = ledger_document.state_for_example(partial(find, address))
            ledger_document.print_example(name, state)
            return 0
        return _write(name, find(address), address, ledger_document.read(path))

    return command


def _write(name: str, found: Addressed, address: Address, data: bytes) -> int:
    ledger = found.ledger

    def allowed(now: Addressed) -> None:
        refusal = refusal_of(now, address)
        if refusal is not None:
            raise refusal

    document: Any = data
    try:
        if name != "capture" and not opened(ledger.place):
            raise Refusal("no-ledger", "", f"chat {ledger.chat!r} has no ledger yet")
        document = strict_json.document(data)
        allowed(found)
    except Refusal as refusal:
        return tell(ledger.reject(name, document, refusal))
    # under the lock again: ownership may have moved while it was waited for
    answer = ledger.write(
        name, document, address.actor, allowed=lambda: allowed(find(address))
    )
    if name == "capture" and answer.recorded:
        pin(found, address)
    return tell(answer)


capture = _command(
    "capture",
    """Keep a prompt of the user that no hook delivered, byte for byte.

    The bytes are given as text, as base64 or by a reference, or a prompt that belongs
    to no chat is named by its id. They are marked as supplied by the caller, and wait
    for classification like any other prompt.
    """,
)
classify = _command(
    "classify-source",
    """Say what a prompt means: INITIAL, ADD, CLARIFY, CORRECT, REPLACE or WITHDRAW.

    This alone changes objective, policies, constraints, prohibitions and outcomes.
    Every clause is bound to the bytes of the prompt that it rests on; `read-source
    --find` prints such bindings. All parts of a document are recorded, or none.
    """,
)
dispose = _command(
    "dispose-source",
    """Settle a prompt that does not change what the user wants.

    INTERNAL, CHILD, IRRELEVANT, NON_USER, or a DUPLICATE of one that is classified. Its
    bytes stay.
    """,
)
recover = _command(
    "recover-source",
    """Give the bytes of a prompt that is known to be missing.

    They must have exactly the sha256 and the size on record.
    """,
)
dispose_gap = _command(
    "dispose-gap",
    """Give up a prompt that is known to be missing, with a review note.""",
)
progress = _command(
    "progress",
    """Say how outcomes stand, on what evidence, what blocks them, and what is next.

    It names the contract that it was planned against. It can neither make nor end an
    outcome, nor say one in other words.
    """,
)
start = _command(
    "action-start",
    """Record an action before it is taken.

    Refused while a prompt waits for classification or is known to be missing, and while
    an action it depends on is open.
    """,
)
finish = _command(
    "action-finish",
    """Record what came of an action: one result that stays, and its effect.

    SUCCEEDED, FAILED, CANCELLED or UNKNOWN_EFFECT. Nothing holds this command.
    """,
)
reconcile = _command(
    "reconcile-effect",
    """Say what an unknown effect turned out to be, with evidence.

    The first fault stays in the journal, and so does every later word on it.
    """,
)
