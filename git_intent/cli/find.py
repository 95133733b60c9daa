"""Find the requirement that an argument names, or say which come near."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path, PurePath

import click

from git_intent.cli.project import Project
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.store.ids import ID
from git_intent.store.intent_dir import REQUIREMENTS, Store, requirement_path
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import examine


def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Ids for a shell to offer, with or without `req-` typed before them."""
    directory = ctx.find_root().params.get("directory") or "."
    try:
        folder = Repository.discover(Path(directory)).root / REQUIREMENTS
    except IntentError:
        return []
    ids = sorted(file.stem for file in folder.glob("req-*.md"))
    return [
        id for id in ids if id.startswith(incomplete) or id[4:].startswith(incomplete)
    ]


def requirements(project: Project, given: Sequence[str]) -> list[Requirement]:
    """What each of `given` names in the store of `project`."""
    store = project.store()
    return [requirement(store, one) for one in given]


def one(project: Project, given: str) -> Requirement:
    """As `requirement`, without parsing more than the one file if that can be read."""
    id = _named(given).lower()
    path = requirement_path(id)
    data = project.file(path) if ID.fullmatch(id) else None
    found = examine(data, path).requirement if data is not None else None
    if found is None or found.id != id:
        return requirement(project.store(), given)
    return found


def requirement(store: Store, given: str) -> Requirement:
    """`given` is an id, with or without `req-`, or the path of a requirement file.

    Raises IntentError that lists ids or statements which come near.
    """
    wanted = _named(given)
    found = store.requirements.get(wanted.lower())
    if found:
        return found
    for issue in store.issues:
        if PurePath(issue.path).stem == wanted.lower():
            raise IntentError(
                f"{issue.path}: cannot be read", "mend the line named above"
            )
    raise IntentError(f"no requirement {given!r} in this store", _near(store, wanted))


def _named(given: str) -> str:
    """What is named: the name of a file, or an id with `req-` before it."""
    wanted = PurePath(given.strip()).name.removesuffix(".md")
    if not wanted:
        raise IntentError("no requirement is named", "`git intent list` shows the ids")
    return f"req-{wanted}" if re.fullmatch(r"[0-9a-fA-F]{4}", wanted) else wanted


def _near(store: Store, wanted: str) -> str:
    near = get_close_matches(wanted, store.requirements, n=3, cutoff=0.6)
    if not near:
        words = wanted.lower()
        near = [
            r.id for r in store.requirements.values() if words in r.statement.lower()
        ]
    if not near:
        return "`git intent list` shows what there is"
    rows = [f"{id}  {_short(store.requirements[id])}" for id in near[:3]]
    return "near: " + "\n      ".join(rows)


def _short(found: Requirement) -> str:
    return " ".join(found.statement.split())[:60]
