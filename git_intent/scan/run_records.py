"""What a scan may read of the records that `workflow/runs.py` describes.

A run that is still under way is left alone. A record whose `meta.json` cannot be read
is passed over by name: it may say that the run is opted out. Prompts and transcripts
are judged as those of Cloche's folders are: by what the workflow files say today, and
said when the run began. A workflow that none of these knows is a host's own name, if
it is known when the run began; else it may have been one that was out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from git_intent.git import objects
from git_intent.git.repository import Repository
from git_intent.store.stamps import instant
from git_intent.workflow.catalog import FOLDER, is_workflow_file
from git_intent.workflow.opt_out import OptOuts, opt_outs
from git_intent.workflow.runs import PROMPT, Record, read, step_of

_UNDER_WAY = ("", "running", "started", "open")


def read_record(repo: Repository, run: str, ref: str) -> Record | None:
    """One record; None while its run is under way."""
    record = read(repo, run, ref)
    if not record.oid or (not record.broken and record.meta.state in _UNDER_WAY):
        return None
    return record


def began(record: Record) -> int:
    """When the run began, in seconds since 1970; 0 if nobody knows."""
    found = instant(record.meta.started_at)
    return int(found.timestamp()) if found else 0


def at_start(repo: Repository, record: Record) -> OptOuts | None:
    """What the workflow files said at the commit that the run began with."""
    commit = repo.resolve(record.meta.start)
    if not commit:
        return None
    entries = objects.tree(repo, commit, FOLDER)
    files = {e.path: e.oid for e in entries if e.regular and is_workflow_file(e.path)}
    found = objects.read_blobs(repo, files.values())
    return opt_outs({path: found[oid] for path, oid in files.items() if oid in found})


@dataclass(frozen=True, slots=True)
class Judge:
    """Tells why a file of a record may not be read.

    `states` are those of the workflow files that every workflow has to stand in.
    `start` counts only for the workflows in it: others may have come into being since.
    """

    record: Record
    states: Sequence[OptOuts]
    start: OptOuts | None = None

    def whole(self) -> str:
        """Why nothing of the record may be read, or nothing."""
        if self.record.broken:
            return self.record.broken
        return "opted out" if self.record.meta.opted_out else ""

    def reason(self, path: str) -> str:
        """Why the prompt or a transcript may not be read, or nothing.

        One that belongs to no step may speak of any step that the record names.
        """
        if path == PROMPT:
            return _first(self._step(name, "") for name in self._workflows())
        workflow, step = step_of(path)
        if workflow:
            return self._step(workflow, step)
        return _first(
            state.mixed_reason([name])
            for name in self._workflows()
            for state in self._concerned(name)
        )

    def _workflows(self) -> list[str]:
        named = {step_of(path)[0] for path in self.record.transcripts}
        named |= {workflow for workflow, _ in self.record.steps}
        named.add(str(self.record.meta.others.get("workflow", "")))
        return sorted(filter(None, named))

    def _step(self, workflow: str, step: str) -> str:
        states = self._concerned(workflow)
        return _first(state.reason(workflow, step) for state in states)

    def _concerned(self, workflow: str) -> list[OptOuts]:
        """The states that have a say about a workflow; none about a host's own."""
        known = [*self.states]
        if self.start and workflow in self.start.workflows:
            known.append(self.start)
        defined = any(s.broken or workflow in s.workflows for s in known)
        return known if defined or not began(self.record) else []


def _first(reasons: Iterable[str]) -> str:
    return next(filter(None, reasons), "")
