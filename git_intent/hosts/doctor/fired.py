"""Whether hooks have run, going by what they left: they set no stamp of their own.

A capture pins its session, a recorded chat has its ref, and a host's transcript holds
what a hook put in. Transcripts are only looked into for our words, the newest first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.hosts.transcripts.place import Homes, Roots, Session, entries
from git_intent.hosts.transcripts.read import sessions
from git_intent.ledger.context import END
from git_intent.ledger.home import state_dir
from git_intent.ledger.names import escape
from git_intent.store.marks import HEADING
from git_intent.workflow.runs import run_refs

_LOOKED_AT = 5  # sessions
_TAIL = 4 << 20  # bytes of a transcript
_OURS = (END.encode(), HEADING.encode())


@dataclass(frozen=True, slots=True)
class Fired:
    """`captures` are sessions of the host in any project; the rest is of this one.

    `last` is when the newest of them was captured first, `chats` how many the host
    has kept of this project, and `seen` in how many of the newest stands our text.
    """

    captures: int = 0
    last: str = ""
    runs: int = 0
    chats: int = 0
    seen: int = 0

    @property
    def ever(self) -> bool:
        return bool(self.captures or self.runs or self.seen)

    def as_json(self) -> dict[str, int | str]:
        return {name: getattr(self, name) for name in self.__slots__}


def fired(host: str, repo: Repository | None, environ: Mapping[str, str]) -> Fired:
    """What is left of a host's hooks."""
    pins = list(entries(f"{state_dir(environ)}/pins/{escape(host)}"))
    last = max((pin.stat().st_mtime for pin in pins), default=0)
    stamp = datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    runs = chats = seen = 0
    if repo is not None:
        runs = sum(name.startswith(f"{host}-") for name in run_refs(repo))
        found = _sessions(host, repo, environ)
        chats = len(found)
        seen = sum(map(_holds_ours, islice(reversed(found), _LOOKED_AT)))
    return Fired(len(pins), stamp if last else "", runs, chats, seen)


def _sessions(host: str, repo: Repository, environ: Mapping[str, str]) -> list[Session]:
    """The project's sessions, the oldest first."""
    try:
        found = list(sessions(host, Homes.of(environ), Roots.of(repo)))
    except IntentError:
        return []  # `git intent transcripts` says what is wrong with them
    return sorted(found, key=lambda session: _changed(session.path))


def _changed(path: str) -> float:
    try:
        return Path(path).stat().st_mtime
    except OSError:
        return 0


def _holds_ours(session: Session) -> bool:
    try:
        with open(session.path, "rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - _TAIL))
            data = stream.read(_TAIL)
    except OSError:
        return False
    return any(words in data for words in _OURS)
