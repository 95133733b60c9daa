"""`git intent log`: the history of one requirement in words."""

from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.find import complete, one
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.cli.review_records import change_record, hand_record
from git_intent.errors import IntentError
from git_intent.review.changes import Change
from git_intent.review.render_log import log
from git_intent.review.requirement_log import Entry, requirement_log
from git_intent.store.ids import ID
from git_intent.store.intent_dir import requirement_path


@click.command(epilog=examples("log req-a3f8", "log a3f8 --json"))
@click.argument("req", metavar="REQ", shell_complete=complete)
@json_option
@click.pass_obj
def command(directory: str, req: str, as_json: bool) -> None:
    """Say what each commit did to REQ: created, reworded, disabled, and so on.

    The commits are those that `git log` lists for its file, newest first. One that came
    in by a merge says by which.
    """
    project = open_project(directory)
    id, entries = _history(project, req)
    if as_json:
        path = requirement_path(id)
        records = [_record(entry) for entry in entries]
        output.document({"id": id, "path": path, "commits": records})
    elif entries:
        output.say(log(entries))
    else:
        output.say(f"{id} is not committed yet.")


def _history(project: Project, req: str) -> tuple[str, list[Entry]]:
    """The id that was named and its history.

    A file that is broken or gone today can still have one, if its whole id is given.
    """
    try:
        id, missing = one(project, req).id, None
    except IntentError as error:
        id, missing = req.strip().lower(), error
        if not ID.fullmatch(id):
            raise
    entries: list[Entry] = []
    if not project.repo.head().unborn:
        patterns = project.loaded.config.git.agent_authors
        entries = requirement_log(project.repo, requirement_path(id), patterns)
    if missing and not entries:
        raise missing
    return id, entries


def _record(entry: Entry) -> dict[str, Any]:
    return {
        **hand_record(entry.hand),
        "subject": entry.hand.subject,
        "merge": entry.merge.commit if entry.merge else "",
        "cut_off": entry.cut_off,
        "changes": [change_record(c) for c in entry.changes if isinstance(c, Change)],
        "unread": [text for text in entry.changes if isinstance(text, str)],
    }
