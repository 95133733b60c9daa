"""An append on its way: what a writer that is killed in the middle leaves half done.

Right before the ref moves, the file `pending` in the ledger's folder says which commit
it is to move to, from where, and under which lock. Objects that were written just now
can be taken away by a `git gc --prune=now` until the writer has looked after them; if
he is killed before that, the ref may lead to a commit that is not whole. Nothing of it
was acknowledged and its prompts still lie in the spool, so whoever writes next puts the
ref back: only from that very commit, and only if the writer was proved dead.
"""

import json
from typing import Any

from git_intent.files import canonical_json
from git_intent.ledger import durable, ref
from git_intent.ledger.chain import S
from git_intent.ledger.journal import Journal, is_ancestor
from git_intent.ledger.objects import outlast_gc, whole


def announce(journal: Journal[S], new: str, old: str, nonce: str) -> None:
    """Say that the ref is about to move."""
    content = {"commit": new, "nonce": nonce, "old": old}
    durable.note(_path(journal), canonical_json(content))


def undo(journal: Journal[S]) -> None:
    """Put the ref back from a commit that is not whole and was never acknowledged.

    The ledger's lock is held. Raises Unmoved or OSError if that fails.
    """
    left = _read(journal)
    commit, old = left.get("commit"), left.get("old")
    if not (commit and isinstance(old, str) and _is_left(journal, commit, old)):
        return
    if left.get("nonce") not in journal.evidence.nonces():
        return
    outlast_gc(journal.home)
    if whole(journal.home, commit, old):
        return
    if old:
        ref.move(journal.home, journal.ref, old, commit, "undo a killed append")
    else:
        ref.remove(journal.home, journal.ref, commit)
    journal.evidence.record("fault", {"kind": "undone", **left})


def _is_left(journal: Journal[S], commit: str, old: str) -> bool:
    """Whether the ref stands at `commit`, and the anchor not further on than `old`."""
    try:
        if ref.read(journal.home, journal.ref) != commit:
            return False
    except ref.Broken:
        return False
    known = journal.anchor()
    if known is None or known.commit == old:
        return True
    return known.commit != commit and is_ancestor(journal.home, known.commit, old)


def _read(journal: Journal[S]) -> dict[str, Any]:
    try:
        left = json.loads(durable.read(_path(journal)) or b"{}")
    except (OSError, ValueError):
        return {}
    return left if isinstance(left, dict) else {}


def _path(journal: Journal[S]) -> str:
    return f"{journal.folder}/pending"
