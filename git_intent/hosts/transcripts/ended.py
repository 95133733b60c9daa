"""A host says that a chat has ended: what is new of it becomes a completed run.

The run covers the chat since it was last recorded: what was said, and the commits from
where HEAD stood then to where it stands now. Where it stood is asked of the reflog; if
that does not tell, the run has no commits, and the next plain scan reads them.

Hosts write their transcripts while they end: what was changed a moment ago is waited
for. One process at a time records, so that two hooks for one end make one run.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.git.reflog import head_at
from git_intent.git.repository import Repository
from git_intent.hosts.transcripts import chats, read
from git_intent.hosts.transcripts.chats import Chat, Range
from git_intent.hosts.transcripts.place import Homes, Roots, Session
from git_intent.hosts.transcripts.turn import Turn
from git_intent.store.stamps import instant
from git_intent.workflow.runs import State

#: A transcript at rest has not changed for so many seconds; longer is not waited.
REST, PATIENCE, _PAUSE = 1.0, 10.0, 0.1


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of one session in a project. `expect` is told the run that is about to be
    completed, so that it is not forgotten if this process dies in between."""

    repo: Repository
    host: str
    id: str
    environ: Mapping[str, str]
    expect: Callable[[str], None]

    def record(self) -> str:
        """Put the chat on record; gives its last completed run, or nothing if it has
        none: it began elsewhere, is excluded, or nobody said anything.

        Raises IntentError if the transcript cannot be read.
        """
        head = self.repo.resolve("HEAD") or ""
        session = self._session()
        if session is None:
            return ""
        _let_rest(session.path)
        with _turn(self.repo.common_dir):
            known = chats.chat(self.repo, session)
            if known.excluded:
                return ""
            new = known.new(read.said(session).turns)
            if not new:
                return _last(known)
            run = known.open
            self.expect(run)
            done = Range(self._start(known, new), head)
            chats.record(self.repo, known, new, mined=True, commits=done)
            return run

    def _session(self) -> Session | None:
        homes, roots = Homes.of(self.environ), Roots.of(self.repo)
        found = read.sessions(self.host, homes, roots)
        return next((one for one in found if one.id == self.id), None)

    def _start(self, known: Chat, new: tuple[Turn, ...]) -> str | None:
        """Where the run began: the commit at its first word, else what the host says
        of the chat's beginning."""
        times = [at for turn in new if (at := instant(turn.at)) is not None]
        began = head_at(self.repo, min(times).timestamp()) if times else None
        if began is None and not known.records and known.session.commit:
            return self.repo.resolve(known.session.commit)
        return began


def _last(known: Chat) -> str:
    last = known.records[-1] if known.records else None
    return last.run if last is not None and last.meta.state == State.DONE else ""


def _let_rest(path: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            age = time.time() - Path(path).stat().st_mtime
        except OSError:
            return
        if not 0 <= age < REST:
            return
        time.sleep(_PAUSE)


@contextmanager
def _turn(common_dir: Path) -> Iterator[None]:
    path = common_dir / "intent" / "chats.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(path, flags, 0o600)
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "make it writable") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
