"""What disable, enable, supersede and redact share: change, write, say so."""

from collections.abc import Callable, Sequence
from datetime import datetime

from git_intent.cli import output
from git_intent.cli.find import requirement
from git_intent.cli.project import claim, open_project

Change = Callable[[bytes, datetime, str], bytes]


def each(
    directory: str, reqs: Sequence[str], actor: str | None, change: Change, now: str
) -> None:
    """Apply `change` to each requirement: all of them, or none if one is refused."""
    project = open_project(directory)
    store = project.store()
    found = [requirement(store, given) for given in reqs]
    changes = {}
    for one in found:
        path, old = store.paths[one.id], store.bytes[one.id]
        new = change(old, project.now, path)
        if new == old:
            output.say(f"{one.id} is already {now}")
        else:
            changes[path] = new
    project.change(changes, claim(actor))
    for one in found:
        if store.paths[one.id] in changes:
            output.say(f"{one.id} -> {now}")
