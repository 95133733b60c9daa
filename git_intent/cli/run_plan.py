"""What is to be run: a workflow and all that it may run, checked and approved."""

from collections.abc import Mapping
from dataclasses import dataclass

from git_intent.cli import approvals, output
from git_intent.cli.project import Project
from git_intent.errors import IntentError
from git_intent.workflow import catalog, trust
from git_intent.workflow.catalog import Catalog
from git_intent.workflow.model import Field, Workflow
from git_intent.workflow.wiring import judge


@dataclass(frozen=True, slots=True)
class Plan:
    """A workflow and all that it may run. `files` are the bytes that define them."""

    workflow: Workflow
    known: Catalog
    files: Mapping[str, bytes]

    @property
    def reachable(self) -> list[Workflow]:
        """The workflow and those that its steps run, directly or not."""
        return self.known.reachable(self.workflow.name)

    @property
    def definitions(self) -> dict[str, bytes]:
        paths = {w.path for w in self.reachable if not w.builtin}
        return {path: self.files[path] for path in sorted(paths)}


def plan(project: Project, workflow: str) -> Plan:
    """The workflow of that name, if it can be run and every byte of it is approved.

    Raises IntentError, with what to do, if not.
    """
    project.need_worktree()
    found = catalog.read_files(project.root)
    known = catalog.load(found)
    made = Plan(known.find(workflow), known, found)
    for one in made.reachable:
        _check(one)
    _require(project, made)
    return made


def _check(workflow: Workflow) -> None:
    """Raises IntentError for what cannot run, or not here."""
    if errors := [finding for finding in judge(workflow) if finding.error]:
        raise IntentError(
            "\n  ".join(map(str, errors)), "`git intent workflow check` shows all"
        )
    places = {block.name for block in workflow.blocks}
    inside = [s.name for s in workflow.steps if _in_container(s.fields)]
    if "container" in places:
        inside = [step.name for step in workflow.steps]
    if inside:
        raise IntentError(
            f"{workflow.source}: steps of '{workflow.name}' run in a container, which "
            f"git-intent has none of: {', '.join(inside)}",
            "run it with `cloche run`, which gives each step its block by "
            "`git intent inject --run`; or say `host {}` to run the steps right here",
        )
    if not places and not workflow.builtin:
        output.note(
            f"note: '{workflow.name}' says neither host nor container; "
            "its steps run here, as with `host {}`"
        )


def _in_container(fields: tuple[Field, ...]) -> bool:
    return any(field.key.startswith("container.") for field in fields)


def _require(project: Project, made: Plan) -> None:
    """Raises IntentError unless the bytes that were read are approved."""
    subjects: dict[str, trust.Subject] = {}
    for workflow in made.reachable:
        for subject in approvals.workflow_subjects(project, made.known, workflow):
            subjects.setdefault(subject.path, subject)
    trust.require(subjects.values(), lambda key: approvals.read(project.repo, key))
    for path, data in made.definitions.items():
        if subjects[path].data != data:
            raise IntentError(
                f"{path}: was changed while it was read", "run the command again"
            )
