"""What of this work tree would be run, and what of it this machine approved."""

from collections.abc import Sequence

from git_intent import files
from git_intent.cli.project import Project
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.workflow import catalog, trust
from git_intent.workflow.catalog import Catalog
from git_intent.workflow.model import Workflow


def subjects(project: Project) -> list[trust.Subject]:
    """Every file whose bytes decide what a scan or a workflow runs."""
    found: dict[str, trust.Subject] = {}
    known = catalog.load(catalog.read_files(project.root))
    for workflow in known.own.values():
        for subject in workflow_subjects(project, known, workflow):
            found.setdefault(subject.path, subject)
    for subject in agent_subjects(project):
        found.setdefault(subject.path, subject)
    return list(found.values())


def workflow_subjects(
    project: Project, known: Catalog, workflow: Workflow
) -> list[trust.Subject]:
    """What must be approved before a workflow may run; of one that a scan runs, its
    programs too."""
    try:
        scanned = [found.name for found in known.reachable(catalog.SCAN)]
    except IntentError:  # it runs a workflow that does not exist, so it cannot run
        scanned = [catalog.SCAN]
    unasked = workflow.name in scanned
    return trust.workflow_subjects(project.root, workflow, unasked=unasked)


def agent_subjects(project: Project) -> list[trust.Subject]:
    """What must be approved before the configured agent may start."""
    agent = project.loaded.config.git.agent
    if not agent:
        return []
    origin = project.loaded.origins["git.agent"]
    return trust.agent_subjects(project.root, agent, origin)


def read(repo: Repository, key: str) -> Sequence[str]:
    """All values of `key` in the repository's own configuration."""
    out = repo.git("config", "--local", "-z", "--get-all", key, check=False)
    return out.decode(errors="surrogateescape").split("\0")[:-1]


def add(repo: Repository, key: str, value: str) -> None:
    """One more value of `key` in the repository's own configuration."""
    files.effect("write git config")
    repo.git("config", "--local", "--add", key, value)
