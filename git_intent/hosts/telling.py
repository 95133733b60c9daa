"""The compact context of a chat, for one session of a host.

Light, unless the projection is not certain or a lock looks abandoned.
"""

# pathlib costs the hooks:
# ruff: noqa: PTH110

import os
import time

from git_intent.errors import IntentError
from git_intent.hosts.reply import LONGEST
from git_intent.ledger import briefing, context, durable, hot, spool
from git_intent.ledger.context import Section, Speaker
from git_intent.ledger.digest import sha256
from git_intent.ledger.frontier import GAP, Frontier, spooled_headers
from git_intent.ledger.light_json import loads

TYPE_CHECKING = False  # as typing's, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from git_intent.hosts.world import World
    from git_intent.ledger.hot import Hot, Place
    from git_intent.ledger.owner import Route
    from git_intent.ledger.spool import Entry


#: The journal takes longer to read than a writer needs to write its files.
_LOOKS, _PAUSE = 20, 0.004


class Seen:
    """A chat as it is now: what stands open, its gaps' files, what is wrong."""

    __slots__ = ("fault", "found", "gap_files", "hot", "place")

    def __init__(self, place: "Place", seen: "Hot", elsewhere: "list[Entry]") -> None:
        self.place, self.hot = place, seen
        self.fault = seen.fault
        view = seen.view
        if view is None and seen.tip:
            view, self.fault = _read_journal(place)
        entries = [*seen.entries, *elsewhere]
        self.gap_files = [
            entry.path for entry in entries if entry.header.get("kind") == GAP
        ]
        self.found = Frontier(view, spooled_headers(entries))

    @property
    def pointer(self) -> str:
        """What the context points at first."""
        projected = os.path.exists(self.place.objective)
        if projected or self.hot.tip or not self.gap_files:
            return self.place.objective
        return self.gap_files[0]


def look(place: "Place", fallback: str) -> Seen:
    """The chat, with what could not be kept in its home but in `fallback`."""
    elsewhere = [
        entry for entry in spool.entries(fallback) if belongs(entry.header, place)
    ]
    return Seen(place, settled(place), elsewhere)


def settled(place: "Place") -> "Hot":
    """The chat's projection; if a writer is in the middle of it, a moment later."""
    for _ in range(_LOOKS):
        seen = hot.read(place)
        if seen.certain or not os.path.lexists(f"{place.folder}/lock"):
            break
        time.sleep(_PAUSE)
    return seen


def refresh(seen: Seen) -> None:
    """Bring the projection up to date if it is not what the journal says, so that what
    the context points at can be read. Nothing is done while somebody writes."""
    if not seen.hot.tip or seen.fault or _fresh(seen):
        return
    from git_intent.ledger.ledger import Ledger

    place = seen.place
    Ledger(place.home, place.namespace, place.chat).refresh()


def _fresh(seen: Seen) -> bool:
    try:
        data = durable.read(seen.place.objective)
    except OSError:
        return False
    return data is not None and sha256(data) == seen.hot.objective


def belongs(header: "Any", place: "Place") -> bool:
    """Whether a file outside of the chat's folder is of this chat."""
    homes = (place.home.path, place.home.common_dir)
    return (
        header.get("home") in homes
        and header.get("namespace") == place.namespace
        and header.get("chat") == place.chat
    )


def _read_journal(place: "Place") -> "tuple[dict[str, Any] | None, str]":
    from git_intent.ledger.owner import read_journal

    try:
        return read_journal(place), ""
    except IntentError as error:
        return None, error.message
    except OSError as error:
        return None, str(error)


def tell(
    route: "Route", seen: Seen, world: "World", notes: "Iterable[str]" = ()
) -> str:
    """The context for a session that is led to this chat."""
    speaker = Speaker(route.host, route.session)
    told = [*notes, *_of_the_route(route), *_of_the_ledger(seen, speaker)]
    sections: list[Section] = [
        *briefing.sections(speaker, seen.found, dead_lock(seen.place), told)
    ]
    limit = min(world.settings().context_bytes, LONGEST)
    return context.render(seen.pointer, sections, limit, speaker.command("show"))


def _of_the_route(route: "Route") -> "Iterable[str]":
    if route.elsewhere:
        yield (
            f"This folder is configured for another ledger ({route.elsewhere}): here "
            "the session is REFERENCE_ONLY. The chat's own ledger is the one above."
        )
    elif route.role == "reader":
        yield "This session reads this ledger and does not own it: REFERENCE_ONLY."


def _of_the_ledger(seen: Seen, speaker: Speaker) -> "Iterable[str]":
    if seen.fault:
        yield (
            f"The journal cannot be trusted now ({seen.fault}); prompts are kept. "
            f"{speaker.command('verify')}"
        )
    moved = seen.found.view.get("moved_to")
    if moved:
        yield f"This chat went on in namespace {moved['namespace']}: {moved['chat']}"


def dead_lock(place: "Place") -> str:
    """The hash of the chat's lock if its owner is proved dead, else empty."""
    try:
        data = durable.read(f"{place.folder}/lock")
    except OSError:
        return ""
    if data is None or _runs(data):
        return ""
    from git_intent.ledger.ledger_lock import LedgerLock
    from git_intent.ledger.processes import Processes
    from git_intent.lock import Verdict

    lock = LedgerLock(place.folder, place.ref, Processes())
    return sha256(data) if lock.judged(data) is Verdict.DEAD else ""


def _runs(lock: bytes) -> bool:
    """Whether something has the process id of a lock's owner: then it is not proved
    dead in so short a time."""
    try:
        os.kill(loads(lock)["pid"], 0)
    except ProcessLookupError:
        return False
    except (OSError, ValueError, LookupError, TypeError, OverflowError):
        pass
    return True
