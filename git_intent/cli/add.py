"""`git intent add`: a requirement written by hand."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from git_intent.cli import output
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import Project, claim, open_project
from git_intent.errors import IntentError
from git_intent.git.history import paths_in_refs
from git_intent.scan.hints import hints as derived
from git_intent.store import mutate
from git_intent.store.domains import NAME
from git_intent.store.ids import new_id
from git_intent.store.intent_dir import REQUIREMENTS, Store, requirement_path
from git_intent.store.malformed import MalformedFile
from git_intent.store.requirement import (
    Confidence,
    Kind,
    Level,
    Provenance,
    Requirement,
    Scope,
    Status,
)
from git_intent.store.requirement_file import normalise
from git_intent.store.rules import Actor
from git_intent.store.stamps import stamp

if TYPE_CHECKING:
    from git_intent.cli.actor import Claim


@click.command(
    epilog=examples('add "Never bump the major version." --domain versioning')
)
@click.argument("statement", metavar="TEXT")
@click.option("--domain", "-d", "domains", multiple=True, help="A domain it is about.")
@click.option("--why", default="", metavar="TEXT", help="The reason.")
@click.option(
    "--hint",
    "hints",
    multiple=True,
    help="A phrase to find it by; derived if not given.",
)
@click.option(
    "--path", "paths", multiple=True, metavar="GLOB", help="Only these paths."
)
@click.option("--language", "languages", multiple=True, help="Only this language.")
@actor_option
@click.pass_obj
def command(
    directory: str,
    statement: str,
    domains: tuple[str, ...],
    why: str,
    hints: tuple[str, ...],
    paths: tuple[str, ...],
    languages: tuple[str, ...],
    actor: str | None,
) -> None:
    """Write TEXT as a requirement; without --domain it concerns the whole project."""
    project = open_project(directory)
    project.need_worktree()
    store = project.store()
    level = Level.DOMAIN if domains else Level.PROJECT
    scope = Scope(level, domains, paths, languages)
    made = write(project, store, statement, why, scope, hints, claim(actor))
    note_unknown(store, domains)
    output.say(f"{made.id}  {requirement_path(made.id)}")


def write(
    project: Project,
    store: Store,
    statement: str,
    why: str,
    scope: Scope,
    hints: Sequence[str],
    who: "Claim",
) -> Requirement:
    """Write a new requirement, if the store does not have it and nothing forbids it."""
    refuse_known(store, statement)
    check_names(scope.domains)
    person = who.actor is Actor.PERSON
    made = Requirement(
        id=free_id(project, statement),
        statement=statement,
        rationale=why,
        scope=scope,
        hints=tuple(hints) or derived(statement, scope.domains),
        confidence=Confidence.HIGH if person else Confidence.MEDIUM,
        user_edited=person,
        provenance=Provenance(
            Kind.USER if person else Kind.TRANSCRIPT,
            extracted_at=stamp(project.now),
            extracted_by="git intent add",
        ),
    )
    project.change({requirement_path(made.id): rendered(made, project.now)}, who)
    return made


def rendered(made: Requirement, now: datetime) -> bytes:
    try:
        return mutate.add(made, now)
    except MalformedFile as error:  # its place is in a file that does not exist
        raise IntentError(
            f"this text cannot stand in a requirement: {error.text}",
            "nothing was written; say it in other words",
        ) from error


def check_names(names: Sequence[str]) -> None:
    """Refuse what can be no domain's name."""
    for name in names:
        if not NAME.fullmatch(name):
            raise IntentError(
                f"domain name {name!r} is not like-this",
                "use a-z, 0-9 and single hyphens",
            )


def note_unknown(store: Store, names: Sequence[str]) -> None:
    """Say which domains the map does not have."""
    for name in names:
        if store.domains.get(name) is None:
            output.note(
                f"note: {name} is not in domains.yaml; "
                f"`git intent domains add {name}` puts it there"
            )


def refuse_known(store: Store, statement: str) -> None:
    """The same statement twice is one too many, whatever became of the first."""
    wanted = normalise(statement)
    for known in store.requirements.values():
        if normalise(known.statement) != wanted or known.status is Status.SUPERSEDED:
            continue
        hint = (
            f"`git intent enable {known.id}` puts it back into use"
            if known.status is Status.DISABLED
            else f"`git intent edit {known.id}` changes it"
        )
        raise IntentError(f"{known.id} says the same and is {known.status}", hint)


def free_id(project: Project, statement: str, beside: Collection[str] = ()) -> str:
    """An id that no branch known here has ever used, and none of `beside`."""
    seen = {
        path.rpartition("/")[2] for path in paths_in_refs(project.repo, REQUIREMENTS)
    }
    return new_id(
        statement,
        lambda id: (
            id in beside
            or f"{id}.md" in seen
            or (project.root / requirement_path(id)).exists()
        ),
    )
