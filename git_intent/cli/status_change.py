"""What disable, enable, supersede and redact share: change, write, say so."""

from collections.abc import Callable, Sequence
from datetime import datetime

from git_intent.cli import output
from git_intent.cli.project import Project, claim
from git_intent.store.intent_dir import requirement_path
from git_intent.store.requirement import Requirement

Change = Callable[[bytes, datetime, str], bytes]


def each(
    project: Project,
    found: Sequence[Requirement],
    actor: str | None,
    change: Change,
    now: str,
) -> None:
    """Apply `change` to each requirement: all of them, or none if one is refused."""
    files = project.files()
    changes: dict[str, bytes] = {}
    lines = []
    for one in dict.fromkeys(found):
        path = requirement_path(one.id)
        new = change(files[path], project.now, path)
        if new == files[path]:
            lines.append(f"{one.id} is already {now}")
        else:
            changes[path] = new
            lines.append(f"{one.id} -> {now}")
    project.change(changes, claim(actor))
    for line in lines:
        output.say(line)
