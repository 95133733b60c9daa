"""Prompts and transcripts of runs that no scan has read.

Two kinds of runs are found: those of Cloche (`run_folders`) and our own records
(`run_records`). At most 64 KiB of each run are read. What is opted out is not opened,
and its run counts as read all the same: an opt-out that is taken back later does not
bring old logs to light.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from git_intent.git import objects
from git_intent.git.repository import Repository
from git_intent.scan.artifacts import Notice, Source
from git_intent.scan.noise import strip_own
from git_intent.scan.run_folders import Attempt, RunFolder, RunFolders
from git_intent.scan.run_records import Judge, at_start, began, read_record
from git_intent.scan.tracking import states_at
from git_intent.scan.transcript import agent_lines, spoken
from git_intent.store.requirement import Kind
from git_intent.workflow.model import SCAN, StepKind
from git_intent.workflow.opt_out import MIXED, OptOuts, judge_logs
from git_intent.workflow.runs import PROMPT, Record, run_refs

CAP = 1 << 16  # bytes of a run that are read, once everything else is taken away
_LONGEST_LINE = 1 << 20
_RUN = re.compile(r"[0-9a-z]{4}-(.+)")
_LLM = re.compile(r"(?:.*[-/])?llm-[^/]*\.log")


@dataclass(frozen=True, slots=True)
class RunMaterial:
    """`ids` are the runs that count as read from now on, `present` all there are."""

    ids: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    items: tuple[Source, ...] = ()
    skipped: tuple[Notice, ...] = ()


def collect_runs(
    repo: Repository,
    read_before: Collection[str],
    *,
    transcripts: bool = True,
    only: str = "",
) -> RunMaterial:
    """The runs that are not in `read_before`; with `only`, that one alone.

    Without `transcripts`, nothing but prompts is opened. Scans are no runs here, and a
    run on record is none before it is over.
    """
    folders = RunFolders(repo.root)
    refs = {run: ref for run, ref in run_refs(repo).items() if not _is_scan(run)}
    present = {run.id for run in folders.runs if not _is_scan(run.id)} | set(refs)
    wanted = {only} if only else present
    unread = sorted(wanted & present - set(read_before))
    records = {i: read_record(repo, i, refs[i]) for i in unread if i in refs}
    runs = {run.id: run for run in folders.runs}
    ids = tuple(i for i in unread if (records[i] if i in refs else i in runs))
    found = list(folders.skipped)
    items: list[Source] = []
    if ids:
        states = states_at(repo)
        for id in ids:
            reading = _Reading(repo, id, transcripts)
            if run := runs.get(id):
                reading.read_folder(run, states(_time(repo, run)))
            if record := records.get(id):
                reading.read_record(record, states(began(record)))
            items += reading.items
            found += reading.skipped
    skipped = tuple(sorted(found, key=_key))
    return RunMaterial(ids, tuple(sorted(present)), tuple(items), skipped)


def _is_scan(run: str) -> bool:
    """Whether the name is that of a scan, which would find its own words anew for ever
    after."""
    found = _RUN.fullmatch(run)
    return found is not None and found[1] == SCAN


def _key(notice: Notice) -> tuple[str, str]:
    return notice.path, notice.reason


def _time(repo: Repository, run: RunFolder) -> int:
    """When the run began: the age of its oldest file, 0 if none is left."""
    files = [*run.prompts, *(f"{a.folder}/{f}" for a in run.attempts for f in a.files)]
    times = []
    for file in files:
        try:
            times.append(int((repo.root / file).lstat().st_mtime))
        except FileNotFoundError:  # somebody clears old runs meanwhile
            continue
    return min(times, default=0)


@dataclass(slots=True)
class _Reading:
    """Reads one run, until its share is used up."""

    repo: Repository
    id: str
    transcripts: bool
    left: int = CAP
    items: list[Source] = field(default_factory=list)
    skipped: list[Notice] = field(default_factory=list)

    def read_folder(self, run: RunFolder, states: Iterable[OptOuts]) -> None:
        states = tuple(states)
        workflow = _workflow(run, states)
        judged = [(a, judge_logs(a.files, states, workflow)) for a in run.attempts]
        out = _prompt_reason(
            workflow, states, [r for _, j in judged for r in j.values()]
        )
        for path in run.prompts:
            if out:
                self._skip(path, out)
            else:
                self._take(Kind.PROMPT, path, _lines(self.repo, path))
        for attempt, reasons in judged:
            for file, reason in sorted(reasons.items()):
                if reason:
                    self._skip(f"{attempt.folder}/{file}", reason)
            if self.transcripts:
                allowed = [
                    file for file, reason in sorted(reasons.items()) if not reason
                ]
                self._read_logs(attempt, allowed, states)

    def _read_logs(
        self, attempt: Attempt, allowed: list[str], states: tuple[OptOuts, ...]
    ) -> None:
        """The agents' own streams; without any, what else their steps printed."""
        streams = [file for file in allowed if _LLM.fullmatch(file)]
        agents = _agent_stems(states)
        plain = [f for f in allowed if _stem(f) in agents]
        mixed = [f for f in allowed if f in MIXED[:1]]
        for file in streams or plain or mixed:
            path = f"{attempt.folder}/{file}"
            lines = _lines(self.repo, path)
            said = agent_lines(lines) if file in mixed else lines
            self._take(Kind.TRANSCRIPT, path, spoken(said))

    def read_record(self, record: Record, states: Sequence[OptOuts]) -> None:
        judge = Judge(record, states, at_start(self.repo, record))
        if reason := judge.whole():
            self._skip(record.ref, reason)
            return
        wanted = {PROMPT: record.prompt} if record.prompt else {}
        if self.transcripts:
            wanted |= dict(sorted(record.transcripts.items()))
        for path, blob in wanted.items():
            place = f"{record.ref}:{path}"
            if reason := judge.reason(path):
                self._skip(place, reason)
                continue
            data = objects.read_blobs(self.repo, [blob]).get(blob, b"")
            lines = data.decode(errors="replace").splitlines()
            if path == PROMPT:
                self._take(Kind.PROMPT, place, lines)
            else:
                self._take(Kind.TRANSCRIPT, place, spoken(lines))

    def _take(self, kind: Kind, path: str, pieces: Iterable[str]) -> None:
        kept: list[str] = []
        try:
            for piece in pieces:
                self.left -= len(piece.encode("utf-8", "replace")) + 1
                if self.left < 0:
                    self._skip(path, f"what lies beyond {CAP >> 10} KiB of its run")
                    break
                kept.append(piece)
        except OSError as error:
            self._skip(path, f"cannot be read: {error.strerror}")
        text = strip_own("\n".join(kept)).strip()
        if text:
            self.items.append(Source(kind, self.id, f"{text}\n", path=path))

    def _skip(self, path: str, reason: str) -> None:
        self.skipped.append(Notice(path, reason))


def _workflow(run: RunFolder, states: tuple[OptOuts, ...]) -> str:
    """The workflow in a run's id; a task may look alike, so it has to be a known one,
    or to go with an attempt of the name."""
    found = _RUN.fullmatch(run.id)
    if not found:
        return ""
    known = any(found[1] in state.workflows for state in states)
    paired = any(attempt.name == run.id[:4] for attempt in run.attempts)
    return found[1] if known or paired else ""


def _prompt_reason(workflow: str, states: tuple[OptOuts, ...], logs: list[str]) -> str:
    """Why the prompt of a run may not be read; `logs` are the reasons of its logs.

    If nothing tells which workflow ran, it may have been one that is out.
    """
    if workflow:
        return _first(state.reason(workflow) for state in states)
    if logs:
        return logs[0] if all(logs) else ""
    return _first(_any_out(state) for state in states)


def _any_out(state: OptOuts) -> str:
    if state.broken:
        return state.unknown("the workflow that ran")
    own = (one for one in state.workflows.values() if not one.builtin)
    return _first(state.reason(one.name) for one in own if one.opted_out)


def _first(reasons: Iterable[str]) -> str:
    return next(filter(None, reasons), "")


def _agent_stems(states: tuple[OptOuts, ...]) -> frozenset[str]:
    """How the logs of steps in which an agent speaks can be called."""
    steps = (
        (workflow.name, step.name)
        for state in states
        for workflow in state.workflows.values()
        for step in workflow.steps
        if StepKind.AGENT in step.kinds
    )
    return frozenset(stem for w, s in steps for stem in (s, f"{w}-{s}"))


def _stem(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(".log")


def _lines(repo: Repository, path: str) -> Iterator[str]:
    """The lines of a log; a monstrous one is cut, links are not followed."""
    handle = os.open(repo.root / path, os.O_RDONLY | os.O_NOFOLLOW)
    with open(handle, "rb") as stream:
        while line := stream.readline(_LONGEST_LINE):
            yield line.decode(errors="replace").replace("\0", "").rstrip("\r\n")
