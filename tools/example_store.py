"""The store of the worked example in docs/injection.md, and the work that it is for."""

from pathlib import Path

from git_intent.store.domains import Domain, Domains, render_domains
from git_intent.store.intent_dir import DOMAINS, requirement_path, write_changes
from git_intent.store.requirement import Level, Requirement, Scope, Status
from git_intent.store.requirement_file import render_requirement

TASK = "Drop the old file format, which is a breaking change"
PATH = "src/archive/names.py"
STAMP = "2026-09-13T10:00:00Z"


def _rule(
    id: str,
    statement: str,
    *domains: str,
    why: str = "",
    hints: tuple[str, ...] = (),
    status: Status = Status.ACTIVE,
) -> Requirement:
    return Requirement(
        id,
        statement,
        why,
        status,
        scope=Scope(Level.DOMAIN if domains else Level.PROJECT, domains),
        hints=hints,
        created=STAMP,
        updated=STAMP,
    )


RULES = (
    _rule("req-7779", "Do not add a runtime dependency without asking."),
    _rule(
        "req-47a7",
        "Station names are lower case.",
        "archive",
        why="They become folder names.",
    ),
    _rule("req-51c0", "Readings are never rounded before they are stored.", "archive"),
    _rule(
        "req-4d55",
        "Never bump the major version unless explicitly told to.",
        "versioning",
        hints=(
            "is this change a breaking change",
            "when to bump minor or build number",
        ),
    ),
    _rule(
        "req-c711",
        "Every bug fix comes with a test that fails without it.",
        "testing",
    ),
    _rule("req-3e2b", "Tests must not open a network connection.", "testing"),
    _rule("req-90d2", "Colours of the charts come from the theme.", "web"),
    _rule("req-1f6e", "Every page works without JavaScript.", "web"),
    _rule(
        "req-b3cc",
        "Major releases are batched by hand.",
        "versioning",
        status=Status.DISABLED,
    ),
)
MAP = Domains(
    domains=(
        Domain("archive", "How readings are kept.", ("src/archive/**",)),
        Domain("testing", "Tests and what they may do.", ("tests/**",)),
        Domain("versioning", "Versions and releases.", ("CHANGELOG.md",)),
        Domain("web", "Pages and charts.", ("web/**",)),
    )
)


def write(root: Path) -> None:
    """Put the store into the project at `root`."""
    files = {requirement_path(rule.id): render_requirement(rule) for rule in RULES}
    write_changes(root, {**files, DOMAINS: render_domains(MAP)})
