"""Why the ledger refused: a closed list of codes, each with what to do about it.

A refusal changes nothing: not the journal, not its head. It carries a code for
programs, a JSON pointer into the document that was refused (empty if the document is
not at fault), the ids concerned, and words for a reader. The documentation's table is
made from CODES.

Light: nothing but `errors` is loaded.
"""

from __future__ import annotations

from git_intent.errors import IntentError

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

#: Code -> what it means, what to do.
CODES = {
    "invalid-document": (
        "the input is not what the command takes",
        "correct it at the pointer; `--example` prints a valid one",
    ),
    "unknown-id": (
        "an id names nothing in this ledger, or nothing of the kind needed there",
        "look it up with `git intent ledger show` or `log`",
    ),
    "ambiguous-id": (
        "several ids begin like that",
        "give more of the id, or all of it",
    ),
    "request-reused": (
        "the same request id was used with another document",
        "use a new request id for a new document",
    ),
    "stale-contract": (
        "it was planned against another contract than the current one",
        "read objective.txt again and plan against its contract hash",
    ),
    "unclassified-source": (
        "a prompt of the user waits for classification",
        "classify or dispose the sources named, oldest first",
    ),
    "gap-open": (
        "a prompt is known to be missing",
        "recover it with its exact bytes, or dispose the gap",
    ),
    "dependency-held": (
        "an action it depends on has no result or an unreconciled unknown effect",
        "finish or reconcile that action first",
    ),
    "source-unproven": (
        "the bytes of a source it rests on are missing or altered",
        "restore the source's exact bytes, or correct what rests on it",
    ),
    "evidence-unproven": (
        "evidence or a scope reference is missing, or has other bytes than recorded",
        "give evidence that can be read again",
    ),
    "secret-found": (
        "a clause, or what was to be pushed, holds what looks like a password or key",
        "say the clause without it; the exact prompt is kept anyway",
    ),
    "not-allowed": (
        "the rules of the ledger do not allow it in the present state",
        "see the message; nothing was changed",
    ),
    "already-settled": (
        "the source, gap or action has its one answer already",
        "nothing to do, or use the event that adds to it",
    ),
    "no-home": (
        "no repository and namespace for ledgers are configured, or none that is one",
        "`git intent ledger init --namespace NS` sets both",
    ),
    "no-ledger": (
        "this chat has no ledger yet",
        "it is made by the chat's first prompt; see `git intent ledger owner-view`",
    ),
    "ledger-closed": (
        "this ledger was closed when its chat moved to another one",
        "write to the ledger it names",
    ),
    "reference-only": (
        "the session does not own this ledger",
        "read it, or let the owner write; `git intent ledger bind` moves ownership",
    ),
    "owner-alive": (
        "the lock's owner still runs",
        "wait until it is done",
    ),
    "owner-unknown": (
        "it cannot be proved that the lock's owner is dead",
        "wait, or look on the machine that the lock names",
    ),
    "lock-busy": (
        "another process held the lock for the whole wait",
        "try again; the document was not recorded",
    ),
    "ref-locked": (
        "git's own lock of the ledger's ref is in the way",
        "wait for the git process that holds it, or remove the file it names",
    ),
    "ref-rewound": (
        "the ledger's ref is not where its last append left it",
        "`git intent ledger recover-ref`, or `accept-head` after a review",
    ),
    "ledger-unproven": (
        "the ledger cannot be proved whole",
        "`git intent ledger verify` names what is missing",
    ),
    "ledger-corrupt": (
        "a journal line is damaged, out of order, or breaks a rule",
        "`git intent ledger verify` names the line; restore it from another copy",
    ),
    "not-forward": (
        "of two copies of a ledger, one does not continue the other",
        "nothing is forced or merged: both stay; go on in one of them",
    ),
    "remote-failed": (
        "git could not exchange with the remote",
        "see what git said; nothing else waits for it",
    ),
    "newer-version": (
        "the ledger was written by a newer version of git-intent",
        "use that version",
    ),
}


class Refusal(IntentError):
    """A document, or a line of a journal, that may not be appended.

    `code` is one of CODES; `pointer` a JSON pointer into the document.
    """

    def __init__(
        self,
        code: str,
        pointer: str,
        message: str,
        hint: str = "",
        ids: Iterable[str] = (),
    ) -> None:
        super().__init__(message, hint or CODES[code][1])
        self.code = code
        self.pointer = pointer
        self.ids = tuple(ids)

    def as_json(self) -> dict[str, Any]:
        """The reason as commands print and keep it."""
        return {
            "code": self.code,
            "pointer": self.pointer,
            "message": self.message,
            "hint": self.hint,
            "ids": list(self.ids),
        }


class Corrupt(Refusal):
    """A journal line that is not what was appended; `seq` is its sequence number."""

    def __init__(self, seq: int, reason: str, code: str = "ledger-corrupt") -> None:
        super().__init__(code, "", f"event {seq}: {reason}")
        self.seq = seq
        self.reason = reason


class Newer(Corrupt):
    """A journal line that only a newer version understands: reading stops there."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(seq, f"{what}: written by a newer version", "newer-version")
