"""What diff, log and blame have in common: JSON records, and who has not committed."""

from typing import Any

from git_intent.cli.list import as_record
from git_intent.cli.project import Project, claim
from git_intent.review.changes import Change
from git_intent.review.hands import Hand
from git_intent.review.words import compare


def nobody(project: Project) -> Hand:
    """Whoever makes the changes that are not committed yet."""
    name, email = project.repo.identity() or ("", "")
    made = claim(None)
    return Hand("", name, email, 0, "", made.actor, made.reason)


def change_record(change: Change) -> dict[str, Any]:
    """One change, without by whom."""
    before, after = change.before, change.after
    words = {}
    if before and after:
        for name in ("statement", "rationale"):
            segments = compare(getattr(before, name), getattr(after, name))
            words[name] = [{"op": s.op.value, "text": s.text} for s in segments]
    successor = change.successor
    return {
        "id": change.id,
        "path": change.path,
        "what": [what.value for what in change.what],
        "before": as_record(before) if before else None,
        "after": as_record(after) if after else None,
        "words": words,
        "successor": as_record(successor) if successor else None,
        "keys": list(change.keys),
    }


def hand_record(made: Hand) -> dict[str, Any]:
    return {
        "commit": made.commit,
        "author": made.author,
        "email": made.email,
        "time": made.time,
        "actor": made.actor.value,
        "reason": made.reason,
        "run": made.run,
    }
