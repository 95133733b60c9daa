"""`git intent diff`: what changed, requirement by requirement."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.options import examples
from git_intent.cli.project import open_project
from git_intent.cli.review_records import change_record, hand_record, nobody
from git_intent.review.changes import Change, Changes, compare
from git_intent.review.domain_changes import DomainChange
from git_intent.review.hands import Hand, hands
from git_intent.review.sides import Place, Range, difference, read_range
from git_intent.store.domains import Domain
from git_intent.store.intent_dir import DOMAINS

By = Mapping[str, Sequence[Hand]]


@click.command(
    epilog=examples(
        "diff",
        "diff --staged",
        "diff main...topic",
        "diff main...HEAD --format markdown",
    )
)
@click.argument("revs", nargs=-1, metavar="[A..B | A...B | A [B]]")
@click.option("--staged", is_flag=True, help="Compare the index with A, or with HEAD.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="Markdown is one comment for a pull request.",
)
@click.pass_obj
def command(directory: str, revs: tuple[str, ...], staged: bool, form: str) -> None:
    """Say what changed in the requirements, and by whom.

    A..B compares two commits, A...B what B did since it left A, A alone that commit
    with the work tree, and nothing at all HEAD with the work tree. Exit code 0,
    whatever changed: `git intent check` judges.
    """
    if len(revs) > 2:
        raise click.UsageError("two commits can be compared, not more")
    project = open_project(directory)
    wanted = read_range(project.repo, revs, staged=staged)
    found = difference(project.repo, wanted)
    changes = compare(found.before, found.after, found.known, found.unread)
    patterns = project.loaded.config.git.agent_authors
    made = hands(project.repo, wanted, patterns, nobody(project))
    if form == "json":
        output.document(as_document(wanted, changes, made))
    elif form == "markdown":
        from git_intent.review import render_markdown

        words = ["git", "intent", "diff", *revs, *(["--staged"] if staged else [])]
        output.say(render_markdown.render(changes, made, shlex.join(words)))
    else:
        from git_intent.review import render_text

        output.say(render_text.render(changes, made))


def as_document(wanted: Range, changes: Changes, made: By) -> dict[str, Any]:
    """The JSON form, as `docs/formats.md` describes it."""
    new = wanted.new
    return {
        "from": wanted.old.commit,
        "to": new.commit if new.place is Place.COMMIT else new.place.value,
        "requirements": [
            _requirement(c, made.get(c.path, ())) for c in changes.requirements
        ],
        "domains": [_domain(d, made.get(DOMAINS, ())) for d in changes.domains],
        "cursors": [
            {
                "repository": move.repository,
                "before": move.before,
                "after": move.after,
                "runs": move.runs,
                "documents": move.documents,
            }
            for move in changes.cursors
        ],
        "formatting": list(changes.formatting),
        "unread": [
            {"path": u.path, "side": u.side, "message": u.text} for u in changes.unread
        ],
    }


def _requirement(change: Change, made: Sequence[Hand]) -> dict[str, Any]:
    return {**change_record(change), "by": [hand_record(one) for one in made]}


def _domain(change: DomainChange, made: Sequence[Hand]) -> dict[str, Any]:
    return {
        "name": change.name,
        "what": change.what,
        "before": _map_entry(change.before),
        "after": _map_entry(change.after),
        "by": [hand_record(one) for one in made],
    }


def _map_entry(found: Domain | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "name": found.name,
        "description": found.description,
        "paths": list(found.paths),
        "user_edited": found.user_edited,
    }
