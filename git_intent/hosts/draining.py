"""When a hook brings prompts into the journal: at once, or by a process of its own.

The first prompt of a chat makes its ledger before the hook ends, so that what the
context points at is there. Later ones are safe in the inbox, and the hook does not wait
for git: it starts a drainer, unless one is on its way. Light, but for the first prompt.
"""

import fcntl
import os

from git_intent.git.detached import start

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_intent.ledger.hot import Place

#: How long the first prompt of a chat waits for the lock.
WAIT = 1.0
#: Beside the inbox; a lock on it says that a drainer is on its way.
GUARD = "drain.start"


def at_once(place: "Place", spool: str) -> list[str]:
    """Drain within this process; gives what went wrong, in words."""
    from git_intent.ledger.ledger import Ledger

    ledger = Ledger(place.home, place.namespace, place.chat, spool=spool)
    answer = ledger.drain(WAIT)
    if answer.exit_code == 0:
        return []
    said = [fault.message for fault in answer.faults]
    if answer.refusal is not None:
        said.insert(0, answer.refusal.message)
    return [f"the prompt is safe, but not yet in the journal: {', '.join(said)}"]


def detached(place: "Place", spool: str, environ: "Mapping[str, str]") -> None:
    """Start a drainer, unless one is on its way. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    guard = os.open(f"{place.folder}/{GUARD}", flags, 0o600)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.set_inheritable(guard, True)
        chat = [place.home.path, place.namespace, place.chat, spool]
        start("git_intent.hosts.drainer", [str(guard), *chat], environ)
    except BlockingIOError:
        return
    finally:
        os.close(guard)
