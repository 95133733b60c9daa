"""`git intent ledger`: the commands of the chat ledger, each in a module of its own.

What they share stands in `ledger_address` (which ledger), `ledger_document` (what is
given) and `ledger_answer` (what is printed).
"""

import click

from git_intent.cli.lazy import LazyGroup
from git_intent.cli.options import examples

#: Command -> where it is, and its line in the overview.
COMMANDS = {
    "init": ("ledger_init", "Say in git config where ledgers are kept."),
    "owner-view": ("ledger_owner_view", "Say whose ledger this is, and where."),
    "bind": ("ledger_bind:bind", "Bind a session to a chat, with a review note."),
    "exclude": ("ledger_bind:exclude", "Keep a session out of every chat."),
    "capture": ("ledger_write:capture", "Keep a prompt that no hook delivered."),
    "sources": ("ledger_sources:sources", "List the prompts of a chat."),
    "read-source": ("ledger_sources:read_source", "Print the exact bytes of a prompt."),
    "classify-source": ("ledger_write:classify", "Say what a prompt means."),
    "dispose-source": ("ledger_write:dispose", "Settle a prompt that changes nothing."),
    "recover-source": ("ledger_write:recover", "Give the bytes of a missing prompt."),
    "dispose-gap": ("ledger_write:dispose_gap", "Give a missing prompt up."),
    "progress": ("ledger_write:progress", "Say how outcomes stand and what is next."),
    "action-start": ("ledger_write:start", "Record an action before it is taken."),
    "action-finish": ("ledger_write:finish", "Record what came of an action."),
    "reconcile-effect": ("ledger_write:reconcile", "Say what an effect turned out as."),
    "preflight": ("ledger_preflight", "Ask whether a tool may be used now."),
    "show": ("ledger_show", "Show objective, outcomes, effects and what waits."),
    "log": ("ledger_log", "Tell the journal, or the history of one id."),
    "verify": ("ledger_verify", "Read every byte again and prove it."),
    "recover-lock": ("ledger_recover:lock", "Set a dead owner's lock aside."),
    "recover-ref": ("ledger_recover:ref", "Put the ref back to its last append."),
    "accept-head": ("ledger_recover:head", "Take a moved ref as it is, reviewed."),
    "export": ("ledger_exchange:export", "Write a ledger into a folder of files."),
    "import": ("ledger_exchange:imported", "Take over a ledger from such a folder."),
    "push": ("ledger_exchange:push", "Give a ledger to a remote, never by force."),
    "fetch": ("ledger_exchange:fetch", "Bring a ledger from a remote, beside this."),
}


@click.command(
    cls=LazyGroup,
    table=COMMANDS,
    name="ledger",
    epilog=examples(
        "ledger init --namespace team",
        "ledger show --host claude --session 1b2c",
        "ledger classify-source --host claude --session 1b2c < document.json",
    ),
)
def command() -> None:
    """Keep what one chat is for: prompts, contract, outcomes, effects, next work.

    The journal of a chat is a chain of commits that no branch sees. Its owner writes,
    anybody may read. Commands that take a document read JSON from standard input, or
    from --file; --example prints a document that would be accepted.

    Exit codes: 0 done, 1 refused or a fault, 2 usage, 3 a bug of ours. A command that
    answers in JSON prints a refusal as JSON too, and in words on standard error.
    """
