"""`git intent domains`: the domain map."""

from collections.abc import Callable

import click

from git_intent.cli import output
from git_intent.cli.options import actor_option, examples, json_option
from git_intent.cli.project import Project, claim, open_project
from git_intent.errors import IntentError
from git_intent.store.domains import (
    Domain,
    add_domain,
    edit_domain,
    parse_domains,
    remove_domain,
)
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.rules import Actor


@click.group(epilog=examples("domains list", 'domains add api --path "src/api/**"'))
def command() -> None:
    """List and edit the domain map, .cloche/intent/domains.yaml."""


@command.command(
    "list", short_help="List domains.", epilog=examples("domains list --json")
)
@json_option
@click.pass_obj
def show(directory: str, as_json: bool) -> None:
    """List domains, with the number of tracked files that each one's globs match."""
    from git_intent.store.globs import matches

    project = open_project(directory)
    store = project.store()
    tracked = _tracked(project)
    rows = []
    for domain in store.domains.domains:
        files = sum(matches(domain.paths, path) for path in tracked)
        named = sum(domain.name in r.scope.domains for r in store.requirements.values())
        rows.append((domain, files, named))
    if as_json:
        output.document({"domains": [_record(*row) for row in rows]})
    elif not rows:
        output.say("No domains yet; `git intent scan` proposes them.")
    else:
        output.table(
            ["name", "files", "requirements", "globs", "description"],
            [
                [d.name, str(f), str(n), " ".join(d.paths), d.description]
                for d, f, n in rows
            ],
        )


def _tracked(project: Project) -> list[str]:
    from git_intent.git.objects import index_entries, tree

    if not project.repo.bare:
        return [entry.path for entry in index_entries(project.repo)]
    if project.repo.head().unborn:
        return []
    return [entry.path for entry in tree(project.repo, "HEAD")]


def _record(domain: Domain, files: int, named: int) -> dict[str, object]:
    return {
        "name": domain.name,
        "description": domain.description,
        "paths": list(domain.paths),
        "user_edited": domain.user_edited,
        "files": files,
        "requirements": named,
    }


@command.command(
    "add",
    short_help="Add a domain.",
    epilog=examples('domains add api --path "src/api/**"'),
)
@click.argument("name")
@click.option("--description", default="", help="One line on what belongs here.")
@click.option(
    "--path", "paths", multiple=True, metavar="GLOB", help="Where it applies."
)
@actor_option
@click.pass_obj
def add(
    directory: str,
    name: str,
    description: str,
    paths: tuple[str, ...],
    actor: str | None,
) -> None:
    """Add a domain NAME; as a person's entry it is kept by every later scan."""
    mine = claim(actor).actor is Actor.PERSON
    made = Domain(name, description, paths, user_edited=mine)
    project = open_project(directory)
    project.need_worktree()
    if _named(project, name):
        raise IntentError(
            f"{DOMAINS}: there is a domain {name!r} already",
            f"`git intent domains edit {name}` changes it",
        )
    _write(project, actor, lambda data: add_domain(data or None, made, DOMAINS))
    output.say(f"{name} added")


@command.command(
    "edit",
    short_help="Change a domain's description or globs.",
    epilog=examples('domains edit api --path "lib/api/**"'),
)
@click.argument("name")
@click.option("--description", help="The new description.")
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="The new globs.")
@actor_option
@click.pass_obj
def edit(
    directory: str,
    name: str,
    description: str | None,
    paths: tuple[str, ...],
    actor: str | None,
) -> None:
    """Change the description or the globs of NAME; what is not given stays."""
    if description is None and not paths:
        raise click.UsageError("say what to change: --description or --path")
    mine = claim(actor).actor is Actor.PERSON or None
    project = open_project(directory)
    _need(project, name)
    changed = _write(
        project,
        actor,
        lambda data: edit_domain(
            data,
            name,
            description=description,
            paths=paths or None,
            user_edited=mine,
            path=DOMAINS,
        ),
    )
    output.say(f"{name} {'changed' if changed else 'unchanged'}")


@command.command(
    "remove", short_help="Remove a domain.", epilog=examples("domains remove api")
)
@click.argument("name")
@actor_option
@click.pass_obj
def remove(directory: str, name: str, actor: str | None) -> None:
    """Remove NAME from the map; requirements that name it keep the name."""
    project = open_project(directory)
    _need(project, name)
    store = project.store()
    naming = [r.id for r in store.requirements.values() if name in r.scope.domains]
    _write(project, actor, lambda data: remove_domain(data, name, DOMAINS))
    output.say(f"{name} removed")
    if naming:
        output.note(f"note: {name} is still named by {', '.join(sorted(naming))}")


def _write(
    project: Project, actor: str | None, change: Callable[[bytes], bytes]
) -> bool:
    """Apply `change` to domains.yaml; give whether that made a difference."""
    old = project.files().get(DOMAINS, b"")
    new = change(old)
    project.change({DOMAINS: new}, claim(actor))
    return new != old


def _named(project: Project, name: str) -> Domain | None:
    data = project.files().get(DOMAINS, b"")
    return parse_domains(data, DOMAINS).get(name) if data else None


def _need(project: Project, name: str) -> None:
    """Raise IntentError, with the names there are, if the map has no `name`."""
    project.need_worktree()
    if _named(project, name) is None:
        names = [domain.name for domain in project.store().domains.domains]
        raise IntentError(
            f"{DOMAINS}: there is no domain {name!r}",
            f"there are: {', '.join(names) or 'none'}",
        )
