"""What one act of recording adds to a run's record, and what it leaves out of it.

Left out is what a run, a workflow, a step or the setting for transcripts opts out of.
Commands and hosts that record a run all do it through `Recording`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from git_intent.git.objects import blob_id
from git_intent.git.repository import Repository
from git_intent.scan.run_records import Judge
from git_intent.scan.tracking import states_at
from git_intent.secrets import scrub
from git_intent.workflow import runs
from git_intent.workflow.runs import Change, Record, State

#: More of one file is not kept: no scan reads that far.
LARGEST = 1 << 22
MARGIN = 1 << 16  # so that a secret is seen whole where the file is cut


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over: a scan may read it. `commit` is what HEAD was, if anything."""

    commit: str
    at: str


@dataclass(slots=True)
class Recording:
    """Prompt and transcripts have their secrets removed. `mined` is the setting for
    transcripts, `skipped` says what was left out."""

    repo: Repository
    folder: str = runs.TRANSCRIPT
    prompt: bytes = b""
    transcripts: tuple[bytes, ...] = ()
    mined: bool = True
    start: str = ""
    ended: Ended | None = None
    exclude: bool = False
    skipped: list[str] = field(default_factory=list)

    def change(self, record: Record) -> Change:
        self.skipped = []
        meta = record.meta
        if self.start:
            meta = replace(meta, start=self.start)
        if self.ended:
            meta = replace(
                meta, state=State.DONE, end=self.ended.commit, ended_at=self.ended.at
            )
        record = replace(record, meta=meta)
        if self.exclude or meta.opted_out:
            if self.prompt or self.transcripts:
                self.skipped.append("the run is excluded; nothing said in it is kept")
            return runs.opt_out(record)
        return Change(meta, self._allowed(record))

    def _allowed(self, record: Record) -> Mapping[str, bytes]:
        """The files to add, without those of steps that opted out."""
        found = dict(self._files(record))
        if not found:
            return found
        whole = replace(record, files={**record.files, **dict.fromkeys(found, "")})
        judge = Judge(whole, states_at(self.repo)(0))
        reasons = {path: judge.reason(path) for path in found}
        self.skipped += [f"{path} is not kept: {r}" for path, r in reasons.items() if r]
        return {path: data for path, data in found.items() if not reasons[path]}

    def _files(self, record: Record) -> Iterator[tuple[str, bytes]]:
        if self.prompt:
            yield runs.PROMPT, self.prompt
        if self.transcripts and not self.mined:
            self.skipped.append(
                "transcripts are not kept: intent.git.transcripts = off"
            )
            return
        known = set(record.transcripts.values())
        places = runs.free_paths(record, self.folder)
        for data in self.transcripts:
            blob = blob_id(data, self.repo.object_format)
            if data and blob not in known:
                known.add(blob)
                yield next(places), data


def without_secrets(data: bytes) -> bytes:
    """The bytes without secrets; those that are no UTF-8 stay what they are."""
    text = data.decode("utf-8", "surrogateescape")
    return scrub(text).encode("utf-8", "surrogateescape")


def first_lines(data: bytes) -> bytes:
    """As much of too long a file as is kept, up to the end of a line."""
    return data[: data.rfind(b"\n", 0, LARGEST) + 1 or LARGEST]
