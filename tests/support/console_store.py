"""Stores to look at: some requirements of every kind, and any number of them."""

from collections.abc import Iterable

from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import render_requirement
from tests.support.repo import STORE, Repo

DOMAINS = """\
# What belongs together.
version: 1

domains:
  - name: versioning
    description: Version strings, releases, the change log.
    paths: ["src/version/**", "docs/*release*"]

  # Everything that people type.
  - name: cli
    description: Commands and their output.
    paths: ["src/cli/**"]
    user_edited: true
"""
FOUND = "2026-03-04T05:06:07Z"
TEXTS = (
    "Never bump the major version unless explicitly told to.",
    "Every error names the file, the line and what to do.",
    "Keep the binary free of CGO.",
    "Commit messages say why, in the imperative.",
)


def put(repo: Repo, requirements: Iterable[Requirement]) -> None:
    for requirement in requirements:
        path = f"{STORE}/requirements/{requirement.id}.md"
        repo.write(path, render_requirement(requirement))


def some() -> list[Requirement]:
    """One of each kind of source, status, confidence and scope."""
    versioning = Scope(Level.DOMAIN, ("versioning",), ("src/version/**",), ("python",))

    def said(kind: Kind, ref: str = "") -> Provenance:
        return Provenance(kind, ref, FOUND, "intent-scan")

    return [
        Requirement(
            "req-0001",
            TEXTS[0],
            "Major releases are batched by hand.",
            scope=versioning,
            hints=("when to bump the minor number", "is this a breaking change"),
            provenance=said(Kind.DOC, "CLAUDE.md#versioning"),
            created=FOUND,
            updated="2026-03-06T00:00:00Z",
        ),
        Requirement(
            "req-0002",
            TEXTS[1],
            scope=Scope(Level.DOMAIN, ("cli",)),
            confidence=Confidence.MEDIUM,
            user_edited=True,
            created=FOUND,
            updated="2026-03-05T00:00:00Z",
        ),
        Requirement(
            "req-0003",
            TEXTS[2],
            status=Status.DISABLED,
            confidence=Confidence.LOW,
            provenance=said(Kind.TRANSCRIPT, "task-12"),
            created=FOUND,
            updated=FOUND,
        ),
        Requirement(
            "req-0004",
            "Write commit messages in the past tense.",
            status=Status.SUPERSEDED,
            superseded_by="req-0005",
            created=FOUND,
            updated=FOUND,
        ),
        Requirement("req-0005", TEXTS[3], created=FOUND, updated=FOUND),
    ]


def documents(repo: Repo) -> None:
    """Files that the sources and the domains lead to."""
    repo.write(
        "CLAUDE.md",
        "# Heron\n\nA bird.\n\n## Versioning\n\n"
        "- Never bump the major version unless explicitly told to.\n",
    )
    for path in ("src/version/a.py", "src/version/b.py", "src/cli/main.py"):
        repo.write(path, "pass\n")
    repo.write(f"{STORE}/domains.yaml", DOMAINS)


def many(number: int) -> Iterable[Requirement]:
    """Requirements that differ, the last one the newest."""
    for index in range(number):
        scope = Scope(Level.DOMAIN, (("versioning", "cli")[index % 2],))
        stamp = f"2026-{1 + index * 12 // number:02d}-{1 + index % 28:02d}T00:00:00Z"
        yield Requirement(
            f"req-{index:04x}",
            f"{TEXTS[index % len(TEXTS)]} This is rule {index}.",
            scope=Scope() if index % 3 == 0 else scope,
            confidence=tuple(Confidence)[index % 3],
            created=FOUND,
            updated=stamp,
        )
