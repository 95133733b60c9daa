"""Chats of hosts as runs on record.

The run of a chat is called `<host>-<session>`. A scan reads a run once, so what is said
after a chat was recorded goes into a run of its own: `<host>-<session>.2` and so on. A
chat is excluded if any of its runs is; nothing of it is read any more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from git_intent.git import objects
from git_intent.git.repository import Repository
from git_intent.hosts.transcripts.place import Session
from git_intent.hosts.transcripts.turn import Turn, lines
from git_intent.scan.recording import LARGEST, Ended, Recording, first_lines
from git_intent.store.stamps import instant, stamp
from git_intent.workflow import runs
from git_intent.workflow.runs import Meta, Record, State, run_refs


@dataclass(frozen=True, slots=True)
class Range:
    """The commits of a chat: those that `end` reaches and `start` does not. `start` is
    empty if there was none yet, None if nobody knows: then none are counted."""

    start: str | None
    end: str


class Kept(StrEnum):
    """How much of a chat is on record."""

    NO = "no"
    PART = "part"
    ALL = "all"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Chat:
    """The records of a chat, the oldest first, and the lines that they hold."""

    session: Session
    records: tuple[Record, ...]
    lines: frozenset[bytes] = frozenset()

    @property
    def excluded(self) -> bool:
        """Whether nothing of it may be read; in doubt, nothing may."""
        return any(r.meta.opted_out or r.broken for r in self.records)

    @property
    def open(self) -> str:
        """The run that what is new goes into."""
        name = run_of(self.session)
        if not self.records:
            return name
        last = self.records[-1]
        if last.meta.state != State.DONE:
            return last.run
        return f"{name}.{len(self.records) + 1}"

    def new(self, found: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """Those of the turns that are not on record."""
        pairs = zip(found, lines(found), strict=True)
        return tuple(turn for turn, line in pairs if line not in self.lines)

    def kept(self, found: tuple[Turn, ...]) -> Kept:
        if self.excluded:
            return Kept.EXCLUDED
        new = len(self.new(found))
        if new == len(found):
            return Kept.NO
        return Kept.PART if new else Kept.ALL


def run_of(session: Session) -> str:
    """What the run of a chat is called; of one that went on, the first."""
    return f"{session.host}-{session.id}"


def chat(
    repo: Repository, session: Session, refs: Mapping[str, str] | None = None
) -> Chat:
    """What is on record of a chat; `refs` are those of all runs."""
    refs = run_refs(repo) if refs is None else refs
    names, name = list[str](), run_of(session)
    while name in refs:
        names.append(name)
        name = f"{run_of(session)}.{len(names) + 1}"
    records = tuple(runs.read(repo, name, refs[name]) for name in names)
    blobs = [blob for record in records for blob in record.transcripts.values()]
    contents = objects.read_blobs(repo, blobs).values()
    said = (line for data in contents for line in data.splitlines(keepends=True))
    return Chat(session, records, frozenset(said))


def record(
    repo: Repository,
    known: Chat,
    new: tuple[Turn, ...],
    mined: bool,
    commits: Range | None = None,
) -> list[str]:
    """Put on record what is new of a chat; gives what was left out.

    `mined` is the setting for transcripts, `commits` what was made meanwhile.
    """
    data, skipped = b"".join(lines(new)), []
    if len(data) > LARGEST:
        data = first_lines(data)
        skipped.append(f"only the first {LARGEST >> 20} MiB are kept")
    times = sorted(filter(None, (_second(turn.at) for turn in new)))
    start, end = _ends(repo, known, commits)
    begin = Meta(
        start=start,
        started_at=times[0] if times else "",
        others={"host": known.session.host, "session": known.session.id},
    )
    recording = Recording(
        repo,
        transcripts=(data,),
        mined=mined,
        ended=Ended(end, times[-1] if times else ""),
    )
    runs.update(repo, known.open, recording.change, begin)
    return skipped + recording.skipped


def _ends(repo: Repository, known: Chat, commits: Range | None) -> tuple[str, str]:
    if commits is not None and commits.start is not None:
        return commits.start, commits.end
    return repo.resolve(known.session.commit) or "", ""


def _second(at: str) -> str:
    found = instant(at)
    return stamp(found) if found else ""
