"""`git intent ledger verify`: read a ledger whole, and say what was proved."""

from typing import TYPE_CHECKING

import click

from git_intent.cli import output
from git_intent.cli.ledger_address import Address, addressed, find_damaged
from git_intent.cli.ledger_answer import answers, document
from git_intent.cli.options import examples, json_option

if TYPE_CHECKING:
    from git_intent.ledger.ledger import Ledger
    from git_intent.ledger.verify import Verified


@click.command(epilog=examples("ledger verify --chat 1b2c"))
@addressed(owner=False)
@json_option
@answers
def command(address: Address, as_json: bool) -> int:
    """Read every byte of a ledger again, and prove it. Writes nothing.

    Each line and its hash, every rule from the first event on, each source and piece of
    evidence, the archive and the checkpoint, the anchor and the projection. Exit 1, and
    the number of the first bad event, if anything is not as it was written.
    """
    from git_intent.ledger.refusal import Refusal
    from git_intent.ledger.verify import verify

    ledger = find_damaged(address).ledger
    found = verify(ledger.journal)
    if not found.seq and not found.findings and not ledger.waiting():
        raise Refusal("no-ledger", "", f"chat {ledger.chat!r} has no ledger yet")
    waiting = len(ledger.waiting())
    if as_json:
        document(
            {
                "ref": ledger.place.ref,
                "whole": not found.findings,
                "seq": found.seq,
                "head": found.head,
                "sources": found.sources,
                "evidence": found.evidence,
                "waiting": waiting,
                "first_bad_seq": _first_bad(found),
                "findings": [finding.as_json() for finding in found.findings],
            }
        )
    else:
        _say(ledger, found, waiting)
    return 1 if found.findings else 0


def _say(ledger: "Ledger", found: "Verified", waiting: int) -> None:
    chat = output.one_line(ledger.chat)
    if not found.findings:
        output.say(f"The ledger of chat {chat} is whole.")
        output.say(f"  {ledger.place.ref}")
        output.say(f"  {_count(found.seq, 'event')}, each line and each rule, to head")
        output.say(f"  {found.head}")
        output.say(f"  {_count(found.sources, 'source')}, read and hashed")
        output.say(f"  {_count(found.evidence, 'text')} of evidence, read and hashed")
        output.say(
            "  archive, checkpoint, anchor and projection agree with the journal"
        )
    else:
        first = _first_bad(found)
        where = f": the first bad event is {first}" if first else ""
        output.say(f"The ledger of chat {chat} is NOT whole{where}.")
        for finding in found.findings:
            number = f"event {finding.seq}: " if finding.seq else ""
            output.say(output.one_line(f"  {finding.code}: {number}{finding}"))
        if found.seq:
            output.say(f"  read up to event {found.seq}, head {found.head}")
    if waiting:
        output.say(
            f"  {_count(waiting, 'file')} in the inbox, safe and not judged here"
        )


def _first_bad(found: "Verified") -> int | None:
    return min((f.seq for f in found.findings if f.seq), default=None)


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
