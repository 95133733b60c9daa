"""`git intent ledger log`: the journal in the order of its numbers, or of one id."""

from typing import TYPE_CHECKING

import click

from git_intent.cli import output
from git_intent.cli.ledger_address import Address, addressed, find
from git_intent.cli.ledger_answer import answers, document
from git_intent.cli.options import examples, json_option
from git_intent.ledger.event import Event

if TYPE_CHECKING:
    from git_intent.ledger.story import Read

_CLAUSES = ("obj-", "pol-", "con-", "pro-", "out-")


@click.command(
    epilog=examples(
        "ledger log --chat 1b2c",
        "ledger log act-14 --chat 1b2c",
        "ledger log out-57.2 --host claude --session 1b2c --json",
    )
)
@click.argument("name", metavar="[ID]", default="")
@addressed(owner=False)
@json_option
@answers
def command(address: Address, name: str, as_json: bool) -> None:
    """Tell what happened in a chat, event by event, the first one first.

    With the ID of a prompt, a gap, an action, a clause or an event, only what has to do
    with it: of a clause also those it came from and those that came after it, of an
    action its first fault and every later word on it.
    """
    from git_intent.ledger.looking import look
    from git_intent.ledger.story import History

    descent: list[str] = []
    with look(find(address).ledger) as found:
        events = list(found.events())
        if name:
            history = History(events)
            name = history.whole(name)
            descent = history.descent(name) if name.startswith(_CLAUSES) else []
            events = history.concerning(descent or [name])
        if as_json:
            told = {"id": name or None, "descent": descent}
            document({**told, "events": [_record(event) for event in events]})
            return
        if len(descent) > 1:
            output.say(f"Line of descent: {' -> '.join(descent)}\n")
        for event in events:
            _say(event, lambda digest: found.tip.bytes_of("evidence", digest))
    if not events:
        output.say("The journal is empty: what was captured waits in the inbox.")


def _record(event: Event) -> dict[str, object]:
    told = ("seq", "id", "type", "at", "actor", "prev", "body")
    return {name: getattr(event, name) for name in told}


def _say(event: Event, read: "Read") -> None:
    from git_intent.ledger.story import tell
    from git_intent.ledger.wording import visible

    line, below = tell(event, read)
    at = event.at[:19].replace("T", " ")
    output.say(f"{event.seq:>5}  {at}  {visible(line)}")
    for text in below:
        for each in text.split("\n"):
            output.say(f"{'':>28}{visible(each)}")
