"""`export`, `import`, `push` and `fetch`: a ledger that goes to another place.

None of them is for the owner alone: what comes in from elsewhere belongs to nobody here
until somebody binds a session to it.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from git_intent.cli.ledger_address import Address, Addressed, addressed, find
from git_intent.cli.ledger_answer import answers, document, tell
from git_intent.cli.options import examples
from git_intent.ledger.refusal import Refusal

if TYPE_CHECKING:
    from git_intent.ledger.remote import Remote


@click.command("export", epilog=examples("ledger export --chat 1b2c heron-ledger"))
@addressed(owner=False)
@click.argument("folder")
@answers
def export(address: Address, folder: str) -> int:
    """Write a chat's ledger into a new FOLDER of plain files.

    journal.jsonl with every line, and the exact bytes of all sources and evidence. The
    whole ledger is proved before. The prompts of people are in it: keep it as private
    as the chat is.
    """

    def act(found: Addressed) -> int:
        from git_intent.ledger.export import export as write

        path = _path(address, folder)
        done = write(found.ledger, path)
        document({"exported": str(path), **done.as_json()})
        return 0

    return _carried_out("export", address, folder, act)


@click.command("import", epilog=examples("ledger import --chat 1b2c heron-ledger"))
@addressed(owner=False)
@click.argument("folder")
@answers
def imported(address: Address, folder: str) -> int:
    """Take over a ledger that was exported into FOLDER.

    All of it is proved first, and a mistake is named by its line. Only what continues
    the ledger here is taken. It is REFERENCE_ONLY until somebody is bound to it.
    """

    def act(found: Addressed) -> int:
        from git_intent.ledger.imported import take

        _refuse_children(found)
        path = _path(address, folder)
        return tell(take(found.ledger, path, _actor(address)))

    return _carried_out("import", address, folder, act)


@click.command("push", epilog=examples("ledger push --chat 1b2c origin"))
@addressed(owner=False)
@click.argument("remote")
@click.option(
    "--allow-secrets",
    is_flag=True,
    help="Push what looks like a secret too; it cannot be taken back.",
)
@answers
def push(address: Address, remote: str, allow_secrets: bool) -> int:
    """Give a chat's ledger to REMOTE, one that the home's git config names.

    It is proved first, and refused if anything in it looks like a password or key, also
    if only an earlier commit has it. Nothing is ever forced.
    """

    def act(found: Addressed) -> int:
        from git_intent.ledger.push import push as give

        done = give(found.ledger, _remote(found, remote), allow_secrets=allow_secrets)
        ref = found.ledger.place.ref
        document({"pushed": True, "remote": remote, "ref": ref, **done.as_json()})
        return 0

    return _carried_out("push", address, remote, act)


@click.command("fetch", epilog=examples("ledger fetch --chat 1b2c origin"))
@addressed(owner=False)
@click.argument("remote")
@answers
def fetch(address: Address, remote: str) -> int:
    """Bring a chat's ledger from REMOTE, beside the one here.

    It lies under refs/intent/remotes/ and is proved whole. If it is the ledger here
    further on, that moves forward to it, and is REFERENCE_ONLY until somebody is bound
    to it. If both went on, both stay.
    """

    def act(found: Addressed) -> int:
        from git_intent.ledger.fetch import fetch as bring

        _refuse_children(found)
        return tell(bring(found.ledger, _remote(found, remote), _actor(address)))

    return _carried_out("fetch", address, remote, act)


def _carried_out(
    command: str, address: Address, given: str, act: Callable[[Addressed], int]
) -> int:
    """Do it; a refusal is kept as evidence."""
    found = find(address)
    try:
        return act(found)
    except Refusal as refusal:
        return tell(found.ledger.reject(command, {"from": given}, refusal))


def _refuse_children(found: Addressed) -> None:
    if found.writes_nothing:
        raise Refusal("reference-only", "", "your session writes nothing")


def _path(address: Address, folder: str) -> Path:
    return Path(os.path.normpath(Path(address.directory, folder).absolute()))


def _remote(found: Addressed, name: str) -> "Remote":
    from git_intent.ledger.remote import Remote

    return Remote(found.ledger.home, name, terminal=sys.stdin.isatty())


def _actor(address: Address) -> dict[str, str]:
    return {"kind": "recovery", "host": address.host, "session": address.session}
