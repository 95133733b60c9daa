"""`recover-lock`, `recover-ref` and `accept-head`: what only a person should decide."""

import click

from git_intent.cli.ledger_address import Address, addressed, find_damaged, refusal_of
from git_intent.cli.ledger_answer import answers, document, tell
from git_intent.cli.options import examples


@click.command(
    "recover-lock",
    epilog=examples(
        "ledger recover-lock --sha256 5891b5…6be03 --host claude --session 1b2c"
    ),
)
@addressed(owner=False)
@click.option(
    "--sha256",
    "digest",
    metavar="HASH",
    required=True,
    help="Hash of the lock's bytes.",
)
@answers
def lock(address: Address, digest: str) -> int:
    """Set aside the lock of a process that died, if that can be proved.

    Needs the exact hash of the lock, as the refusal `lock-busy` or the context prints
    it. An owner that lives or may live keeps it, however old the lock is.
    """
    answer = find_damaged(address).ledger.recover_lock(digest)
    if not answer.recorded:
        return tell(answer)
    document({"recovered": True, **answer.named})
    return 0


@click.command(
    "recover-ref", epilog=examples("ledger recover-ref --host claude --session 1b2c")
)
@addressed(owner=True)
@answers
def ref(address: Address) -> int:
    """Put the ledger's ref back to where its last append left it.

    The ledger there is replayed from its first line before. Commits that the ref leaves
    stay under refs/intent/aside/.
    """
    found = find_damaged(address)
    refusal = refusal_of(found, address)
    if refusal is not None:
        return tell(found.ledger.reject("recover-ref", {}, refusal))
    return tell(found.ledger.recover_ref())


@click.command(
    "accept-head",
    epilog=examples(
        "ledger accept-head --head 5891b5…6be03 --host claude --session 1b2c "
        '--note "restored from the backup of Monday"'
    ),
)
@addressed(owner=True)
@click.option(
    "--head", metavar="HASH", required=True, help="Hash of the last line; or `none`."
)
@click.option("--note", default="", help="Why; a review note is needed.")
@answers
def head(address: Address, head: str, note: str) -> int:
    """Take a ref that was moved for what the ledger comes to from now on.

    Says that you looked at it; `git log` of the ref shows the commits. The head is the
    hash of its last line as it is now, which `verify` prints. What the last append left
    stays under refs/intent/aside/.
    """
    found = find_damaged(address)
    refusal = refusal_of(found, address)
    if refusal is not None:
        document = {"head": head, "note": note}
        return tell(found.ledger.reject("accept-head", document, refusal))
    return tell(found.ledger.accept_head(head, note))
