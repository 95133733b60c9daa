"""Wire a scan: which extractor, which reconciler, which model, for this project."""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from git_intent.cli import approvals, output
from git_intent.cli.project import Project
from git_intent.config import CONFIG
from git_intent.scan.agent_call import parse_command
from git_intent.scan.artifacts import Candidate, Decision, Sources
from git_intent.scan.builtin import Extraction, Extractor
from git_intent.scan.classify import Classifier
from git_intent.scan.job import Options, Tools
from git_intent.scan.known import Known
from git_intent.scan.pipeline import Scanner
from git_intent.store.domains import Domain
from git_intent.workflow import catalog, trust


def scanner(project: Project, options: Options, log: Path) -> Scanner:
    """A scanner for `project`.

    Raises IntentError if a workflow file cannot be read, since it may hold an opt-out,
    or if an agent that the work tree names was not approved.
    """
    known = catalog.load(catalog.read_files(project.root))
    for finding in known.findings:
        output.note(f"{finding}")
    trust.require(
        approvals.agent_subjects(project),
        lambda key: approvals.read(project.repo, key),
    )
    return Scanner(
        project.repo, project.loaded.config, _tools(project, log), project.now, options
    )


def agent_logs(project: Project) -> Path:
    """Where the exchange with an agent is kept, for its user to read."""
    return project.repo.common_dir / "intent" / "agent"


def _tools(project: Project, log: Path) -> Tools:
    progress: Callable[[str], None] = _progress
    if not project.loaded.config.git.agent:
        return Tools(_builtin(project), similarity, progress=progress)
    agent = _Agent(project, log)
    return Tools(agent.extract, similarity, agent.decide, progress=progress)


def _progress(step: str) -> None:
    output.progress(f"{step} …")


def _builtin(project: Project) -> Callable[[Sources, Sequence[Domain]], Extraction]:
    weights = os.environ.get("GIT_INTENT_CLASSIFIER")

    def extract(sources: Sources, domains: Sequence[Domain]) -> Extraction:
        classifier = Classifier.load(Path(weights) if weights else None)
        extractor = Extractor(classifier, domains, project.now)
        return extractor(sources, _count)

    return extract


def _count(done: int, of: int) -> None:
    if done % 25 == 0:
        output.progress(f"extract … {done} of {of} sources")


class _Agent:
    """The configured agent as extractor and reconciler."""

    def __init__(self, project: Project, log: Path) -> None:
        self.project = project
        self.git = project.loaded.config.git
        self.command = parse_command(self.git.agent)
        self.log = log

    def extract(self, sources: Sources, domains: Sequence[Domain]) -> Extraction:
        from git_intent.scan.agent import extract

        return Extraction(
            extract(
                sources,
                command=self.command,
                cwd=self.project.root,
                log_dir=self.log,
                timeout=self.git.agent_timeout,
                nonce=secrets.token_hex(16),
                now=self.project.now,
                known_domains=[domain.name for domain in domains],
            )
        )

    def decide(
        self, candidates: Sequence[Candidate], known: Mapping[str, Known]
    ) -> Sequence[Decision]:
        from git_intent.scan.agent_reconcile import reconcile

        return reconcile(
            candidates,
            known,
            command=self.command,
            cwd=self.project.root,
            log_dir=self.log,
            timeout=self.git.agent_timeout,
            nonce=secrets.token_hex(16),
        )


def similarity(a: Sequence[str], b: Sequence[str]) -> Sequence[float]:
    """Cosine of each pair (a[i], b[i]), by the bundled model."""
    from git_intent.embed.bulk import encode

    texts = list(dict.fromkeys([*a, *b]))
    vectors = dict(zip(texts, encode(texts), strict=True))
    return [
        sum(x * y for x, y in zip(vectors[one], vectors[other], strict=True))
        for one, other in zip(a, b, strict=True)
    ]


def repositories(root: Path) -> dict[str, Path]:
    """The repositories that `[[repositories]]` of config.toml lists, by name.

    An unreadable file has been reported when the settings were read.
    """
    import tomllib

    try:
        read = tomllib.loads((root / CONFIG).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}
    found = read.get("repositories", [])
    rows = (
        [row for row in found if isinstance(row, dict)]
        if isinstance(found, list)
        else []
    )
    return {
        str(row["name"]): root / str(row["path"])
        for row in rows
        if row.get("name") and row.get("path")
    }
