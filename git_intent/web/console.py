"""What all requests share: the project, who asks, what has been read already."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from git_intent import config
from git_intent.git.repository import Repository
from git_intent.ledger.home import Home
from git_intent.store.intent_dir import Store
from git_intent.store.requirement import Scope
from git_intent.store.rules import Actor
from git_intent.web.served import Refused
from git_intent.web.stored import Stored
from git_intent.web.tracked import Tracked


@dataclass(frozen=True, slots=True)
class Wording:
    """What a new requirement is to say."""

    statement: str
    why: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class Services:
    """What the command line hands in: the outside world, and what only it can do.

    `add` writes a requirement into a store that was read, and gives its id. `ledgers`
    gives the home of the ledgers and the folder of what could not be kept there; None
    if none is configured. `scan` begins a scan with these options in a process of its
    own, whose output goes to an open file, and gives its process id.
    """

    environ: Mapping[str, str]
    clock: Callable[[], datetime]
    actor: Actor
    reason: str
    add: Callable[[Store, Wording], str]
    ledgers: Callable[[], tuple[Home, str] | None]
    scan: Callable[[list[str], int], int]


@dataclass(frozen=True, slots=True)
class Console:
    """One project being served. Whoever writes to its store holds `writing`."""

    repo: Repository
    services: Services
    read_only: bool = False
    stored: Stored = field(init=False)
    tracked: Tracked = field(init=False)
    writing: threading.Lock = field(default_factory=threading.Lock)
    quick: ThreadPoolExecutor = field(default_factory=lambda: _pool("quick", 4))
    slow: ThreadPoolExecutor = field(default_factory=lambda: _pool("slow", 4))
    ending: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stored", Stored(self.repo))
        object.__setattr__(self, "tracked", Tracked(self.repo))

    @property
    def root(self) -> Path:
        return self.repo.root

    def settings(self) -> config.Loaded:
        """The settings as they are now."""
        return config.load(self.repo, self.root, self.services.environ, {})

    def close(self) -> None:
        """Take no more work; what is under way ends by itself."""
        self.ending.set()
        for pool in (self.quick, self.slow):
            pool.shutdown(wait=False, cancel_futures=True)

    def may_write(self) -> None:
        """Raise if nothing may be changed here."""
        if self.repo.bare:
            raise Refused(403, "a bare repository has no files to change")
        if self.read_only:
            raise Refused(
                403, "this console is read-only", "start it without --read-only"
            )


def _pool(name: str, threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, f"git-intent-{name}")
