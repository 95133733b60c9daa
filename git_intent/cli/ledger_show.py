"""`git intent ledger show`: what the chat is for, what is open, what is next."""

import click

from git_intent.cli import output
from git_intent.cli.ledger_address import Address, addressed, find
from git_intent.cli.ledger_answer import answers, document
from git_intent.cli.options import examples, json_option


@click.command(
    epilog=examples(
        "ledger show --host claude --session 1b2c", "ledger show --chat 1b2c --json"
    )
)
@addressed(owner=False)
@json_option
@answers
def command(address: Address, as_json: bool) -> None:
    """Show a chat's objective, policies, outcomes, effects, gaps, and next work.

    It is the text of objective.txt with what arrived since. Every source and every
    piece of evidence that it rests on is read again; what cannot be proved is marked.
    A projection that is behind, or was edited, is put right.
    """
    from git_intent.ledger.frontier import spooled_headers
    from git_intent.ledger.objective import render
    from git_intent.ledger.publish import CURRENT, JOURNAL
    from git_intent.ledger.refusal import Refusal

    found = find(address)
    ledger = found.ledger
    if not found.writes_nothing:
        ledger.refresh()
    reading = ledger.read()
    if not reading.tip and not reading.inbox:
        raise Refusal("no-ledger", "", f"chat {ledger.chat!r} has no ledger yet")
    headers = spooled_headers(reading.inbox)
    folder = ledger.folder
    if as_json:
        document(
            {
                "home": ledger.home.path,
                "ref": ledger.place.ref,
                "commit": reading.tip or None,
                "folder": folder,
                "fresh": reading.fresh,
                "state": reading.view,
                "inbox": headers,
                "unproven": [doubt.as_json() for doubt in reading.proofs.doubts],
            }
        )
        return
    paths = [f"{folder}/{CURRENT}", f"{folder}/{JOURNAL}"]
    owner = ledger.owner(reading.view)
    output.exact(render(reading.view, reading.proofs, paths, headers, owner))
