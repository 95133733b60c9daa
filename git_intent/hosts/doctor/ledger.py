"""The chats' ledgers: home, namespace, journals, locks and inboxes, and the spool."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from git_intent.config_ledger import LedgerSettings
from git_intent.errors import IntentError
from git_intent.hosts.doctor.finding import Finding, broken, look, off, ok
from git_intent.hosts.telling import look as look_at
from git_intent.ledger import spool
from git_intent.ledger.chats import chats
from git_intent.ledger.home import (
    HOME_KEY,
    NAMESPACE_KEY,
    fallback,
    open_home,
    state_dir,
)
from git_intent.ledger.hot import Place
from git_intent.ledger.ledger_lock import LedgerLock
from git_intent.ledger.names import usable
from git_intent.ledger.processes import Processes
from git_intent.ledger.refusal import CODES
from git_intent.lock import Verdict


def findings(settings: LedgerSettings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Everything of the ledgers that the settings name."""
    for fault in settings.faults:
        yield broken("ledger settings", fault, "git intent config")
    yield from _chats(settings, environ)
    yield from _unbound(environ)


def _chats(settings: LedgerSettings, environ: Mapping[str, str]) -> Iterator[Finding]:
    if not settings.home or not settings.namespace:
        missing = NAMESPACE_KEY if settings.home else HOME_KEY
        yield off(
            "ledger",
            f"{missing} is not set, so no prompt is kept",
            "git intent ledger init",
        )
        return
    if not usable(settings.namespace):
        yield broken(
            "ledger",
            f"{NAMESPACE_KEY}: {settings.namespace!r} cannot be part of a ref",
            "git intent ledger init",
        )
        return
    try:
        home = open_home(settings.home, environ.get("HOME", ""))
        found = chats(home)
    except IntentError as error:
        yield broken("ledger", error.message, error.hint)
        return
    yield ok(
        "ledger",
        f"namespace {settings.namespace} in {home.path}, {_count(len(found), 'chat')}",
    )
    for namespace, chat in found:
        yield from _chat(Place(home, namespace, chat), fallback(state_dir(environ)))


def _chat(place: Place, elsewhere: str) -> Iterator[Finding]:
    about = f"chat {place.namespace}/{place.chat}"
    seen = look_at(place, elsewhere)
    if seen.fault:
        meaning, _ = CODES.get(seen.fault, (seen.fault, ""))
        address = f"--namespace {place.namespace} --chat {place.chat}"
        yield broken(about, meaning, f"git intent ledger verify {address}")
    entries = seen.hot.entries
    damaged = sum(bool(entry.damage) for entry in entries)
    if damaged:
        yield broken(
            about,
            f"{_count(damaged, 'file')} in {place.inbox} damaged",
            "the next write to the chat keeps the bytes and goes on",
        )
    elif entries:
        waiting = _count(len(entries), "prompt")
        yield look(about, f"{waiting} safe in the inbox, not yet in the journal")
    yield from _lock(place, about)


def _lock(place: Place, about: str) -> Iterator[Finding]:
    lock = LedgerLock(place.folder, place.ref, Processes())
    if lock.verdict() is not Verdict.DEAD:
        return
    from git_intent.files import sha256

    digest = sha256(lock.read() or b"")
    address = f"--namespace {place.namespace} --chat {place.chat}"
    yield broken(
        f"{about} lock",
        "held by a process that is dead",
        f"git intent ledger recover-lock {address} --sha256 {digest}, as its owner",
    )


def _unbound(environ: Mapping[str, str]) -> Iterator[Finding]:
    folder = fallback(state_dir(environ))
    if not Path(folder).is_dir():
        return
    try:
        left = len(spool.entries(folder))
    except OSError as error:
        yield broken("spool", f"{folder}: {error.strerror}", "make it readable")
        return
    if left:
        yield look(
            "spool",
            f"{_count(left, 'prompt')} of no chat in {folder}",
            "git intent ledger owner-view lists them",
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
