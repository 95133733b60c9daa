"""What only the owner decides: a lock whose owner died, a ref that was moved.

`recover_lock` needs the exact hash of the lock and a proof of death, and renames the
lock into `faults/`. `recover_ref` puts the ref back to the commit that the anchor
names, after that ledger was replayed from its first line. `accept_head` takes the ref
as it is, reviewed by the owner, for what the ledger comes to. Commits that the ref
leaves are kept under `refs/intent/aside/`, so nothing is lost by either.
"""

import time
from contextlib import suppress
from typing import Any

from git_intent.files import sha256
from git_intent.ledger import durable, ref
from git_intent.ledger.anchor import Anchor, path
from git_intent.ledger.answer import Answer
from git_intent.ledger.chain import S, Tip, read_frame, replayed
from git_intent.ledger.journal import Journal, is_ancestor
from git_intent.ledger.ledger_lock import LedgerLock, parse
from git_intent.ledger.objects import Objects
from git_intent.ledger.refusal import Corrupt, Refusal
from git_intent.ledger.writing import Writing, free_ref, writing
from git_intent.lock import Verdict

_WAIT = 10.0
_ASIDE = "refs/intent/aside/"
_CODES = {Verdict.ALIVE: "owner-alive", Verdict.UNKNOWN: "owner-unknown"}


def recover_lock(journal: Journal[S], digest: str) -> str:
    """Set aside the lock with this sha256, whose owner is dead; gives where it is now.

    Raises Refusal unless both can be proved; then the lock stays.
    """
    lock = journal.lock
    durable.make_folder(journal.folder)
    with lock.guarded(time.monotonic() + _WAIT):
        data = _exactly(lock, digest)
        verdict = lock.judged(data)
        owner = parse(data)
        if verdict is not Verdict.DEAD or owner is None:
            who = str(owner) if owner else "an owner that cannot be read"
            message = f"{lock.path}: held by {who}, which is {verdict}"
            raise Refusal(_CODES[verdict], "", message)
        name = journal.evidence.keep_lock(owner.nonce, lock.path)
    with Objects(journal.home) as objects, suppress(ref.Broken):
        free_ref(journal, objects, ref.read(journal.home, journal.ref))
    return f"{journal.evidence.folder}/{name}"


def _exactly(lock: LedgerLock, digest: str) -> bytes:
    try:
        data = lock.read()
    except OSError as error:
        raise Refusal("owner-unknown", "", f"{lock.path}: {error.strerror}") from error
    if data is None:
        raise Refusal("not-allowed", "", f"{lock.path}: nobody holds the lock")
    if sha256(data) != digest:
        raise Refusal(
            "not-allowed",
            "/sha256",
            f"{lock.path}: its sha256 is {sha256(data)}, not {digest}",
            "look at the lock again: it may be another one by now",
        )
    return data


def recover_ref(journal: Journal[S]) -> Answer:
    """Put the ref back to where the last append left it; `already` if it is there."""
    with writing(journal, _WAIT) as work:
        known = journal.anchor()
        if known is None:
            raise Refusal(
                "not-allowed",
                "",
                f"{path(journal.folder)}: there is no anchor to recover from",
            )
        objects = work.objects
        tip = _proved(journal, objects, known)
        now = _present(journal, objects)
        there = now == known.commit
        if not there:
            if now and is_ancestor(journal.home, known.commit, now):
                raise Refusal(
                    "not-allowed", "", f"{journal.ref} is ahead of its anchor: no fault"
                )
            _keep_aside(journal, objects, now)
            _record(journal, "ref-recovered", now, known.commit)
            _move(journal, known.commit, now or objects.zero)
        seq, head = tip.state.seq, work.tip.state.head
    return _answer(work, seq, head, already=there)


def accept_head(journal: Journal[S], head: str, note: str) -> Answer:
    """Take the ref as it is; `head` is the hash of its last line, as the owner saw it,
    and `note` why. A ref that is gone is accepted as `none`. `already` if the last
    append left it there."""
    if not note.strip():
        raise Refusal("invalid-document", "/note", "a review note is needed")
    with writing(journal, _WAIT) as work:
        known, objects = journal.anchor(), work.objects
        commit = _commit(journal)
        found = "none"
        if commit:
            frame, _ = read_frame(objects, journal.fold, commit)
            found = replayed(frame, journal.fold).state.head
        if head != found:
            raise Refusal(
                "not-allowed", "/head", f"the head of {journal.ref} is {found}"
            )
        there = known is not None and known.commit == commit
        if known is not None and not there:
            _keep_aside(journal, objects, known.commit)
            _record(journal, "head-accepted", known.commit, commit, note=note)
            journal.evidence.keep_tail(known.encode(), elsewhere=False)
            durable.remove(path(journal.folder))
        state = work.tip.state
    return _answer(work, state.seq, state.head, already=there)


def _answer(work: Writing[S], seq: int, head: str, already: bool) -> Answer:
    faults = tuple(work.faults)
    return Answer(not faults, seq, head, already=already, faults=faults)


def _proved(journal: Journal[S], objects: Objects, known: Anchor) -> Tip[S]:
    """The ledger at the anchor, replayed from its first line."""
    frame, _ = read_frame(objects, journal.fold, known.commit)
    tip = replayed(frame, journal.fold)
    if (tip.state.seq, tip.state.head) != (known.seq, known.head):
        raise Corrupt(tip.state.seq, "the anchor names another head", "ledger-unproven")
    return tip


def _commit(journal: Journal[S]) -> str:
    """The commit that the ref holds. Raises Refusal if it cannot be read."""
    try:
        return ref.read(journal.home, journal.ref)
    except ref.Broken as broken:
        raise Refusal("ref-rewound", "", str(broken)) from None


def _present(journal: Journal[S], objects: Objects) -> str:
    """The commit that the ref holds; a file without one is kept and taken away."""
    try:
        return ref.read(journal.home, journal.ref)
    except ref.Broken as broken:
        data = durable.read(broken.path) or b""
        journal.evidence.keep_tail(data, elsewhere=False)
        durable.remove(broken.path)
        return ref.read(journal.home, journal.ref)


def _keep_aside(journal: Journal[S], objects: Objects, commit: str) -> None:
    """Let a ref of its own lead to a commit that the ledger's ref leaves."""
    if commit and objects.ask(commit) is not None:
        _move(journal, commit, objects.zero, f"{_ASIDE}{commit}")


def _move(journal: Journal[S], new: str, old: str, name: str = "") -> None:
    try:
        ref.move(journal.home, name or journal.ref, new, old, "recover")
    except ref.Unmoved as unmoved:
        if not (name and unmoved.tip == new):
            raise Refusal("ref-locked", "", unmoved.words) from None


def _record(journal: Journal[S], kind: str, old: str, new: str, **more: Any) -> None:
    failed = journal.evidence.record(
        "fault", {"kind": kind, "old": old, "new": new, **more}
    )
    if failed is not None:
        raise OSError(failed.errno or 5, failed.message, failed.path)
