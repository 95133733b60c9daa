"""`git intent ledger sources` and `read-source`: what the user said, byte for byte."""

import base64
from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.ledger_address import Address, addressed, find
from git_intent.cli.ledger_answer import answers, document
from git_intent.cli.options import examples, json_option
from git_intent.ledger.refusal import Refusal

_WAITS = "UNCLASSIFIED"


@click.command(
    epilog=examples(
        "ledger sources --host claude --session 1b2c",
        "ledger sources --chat 1b2c --pending --json",
    )
)
@addressed(owner=False)
@click.option("--pending", is_flag=True, help="Only those that wait.")
@json_option
@answers
def sources(address: Address, pending: bool, as_json: bool) -> None:
    """List the prompts of a chat in the order of its journal, and what became of them.

    What is UNCLASSIFIED waits for the owner; so does a gap, a prompt that is known to
    be missing.
    """
    from git_intent.ledger.looking import look

    with look(find(address).ledger) as found:
        listed = found.sources()
        gaps = found.gaps()
    if pending:
        listed = [record for record in listed if record["state"] == _WAITS]
    if as_json:
        document({"sources": listed, "gaps": gaps})
        return
    rows = [
        [record["id"], record["state"], str(record["bytes"]), _became(record)]
        for record in listed
    ]
    rows += [
        [gap["id"], "MISSING", str(gap["bytes"] or "?"), gap["reason"]] for gap in gaps
    ]
    if rows:
        output.table(["id", "state", "bytes", "what"], rows)
    else:
        output.say("No prompt waits." if pending else "No prompts.")


def _became(record: dict[str, Any]) -> str:
    if "disposal" in record:
        return f"{record['disposal']['reason']} by {record['disposed']}"
    if "classified" in record:
        return f"by {record['classified']}"
    facts = [f"arrived {record['at']}", *(record.get("flags") or ())]
    facts += ["late"] if record.get("late") else []
    facts += ["not in the journal yet"] if record.get("spooled") else []
    return ", ".join(facts)


@click.command(
    "read-source",
    epilog=examples(
        "ledger read-source src-5f2a --chat 1b2c > prompt.txt",
        "ledger read-source src-5f2a --chat 1b2c --json",
        'ledger read-source src-5f2a --chat 1b2c --find "never push"',
    ),
)
@click.argument("source", metavar="ID")
@addressed(owner=False)
@click.option(
    "--find",
    "wanted",
    metavar="TEXT",
    help="Print a binding for each place that says TEXT, as JSON.",
)
@json_option
@answers
def read_source(
    address: Address, source: str, wanted: str | None, as_json: bool
) -> None:
    """Print the exact bytes of a prompt: nothing added, nothing left out.

    They are read and hashed again; bytes that are not those that were captured are
    refused. ID may be cut short as long as it is unique. --json prints text and record.
    """
    from git_intent.ledger.looking import look

    with look(find(address).ledger) as found:
        record = found.source(source)
        data = found.bytes_of(record)
    if wanted is not None:
        document({"bindings": _bindings(record, data, wanted)})
    elif as_json:
        document({"source": record, **_text(record, data)})
    else:
        output.exact(data)


def _text(record: dict[str, Any], data: bytes) -> dict[str, str]:
    """The bytes as JSON can hold them without loss."""
    if record["encoding"] == "binary":
        return {"base64": base64.b64encode(data).decode("ascii")}
    return {"text": data.decode("utf-8", "surrogatepass")}


def _bindings(record: dict[str, Any], data: bytes, wanted: str) -> list[dict[str, Any]]:
    from git_intent.ledger.citation import binding

    words = wanted.encode("utf-8", "surrogatepass")
    if record["seq"] is None:
        raise Refusal(
            "not-allowed",
            "",
            f"{record['id']} is not in the journal yet, so nothing can be bound to it",
            "any writing command brings it there",
        )
    found, start = [], data.find(words) if words else -1
    while start >= 0:
        found.append(binding(record, [start, start + len(words)], data))
        start = data.find(words, start + 1)
    if not found:
        raise Refusal(
            "unknown-id",
            "",
            f"{record['id']} does not say {wanted!r}",
            "give its words exactly; read-source prints them",
        )
    return found
