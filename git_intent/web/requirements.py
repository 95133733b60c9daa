"""One requirement: all that its file says, and how it came to that."""

from datetime import UTC, datetime
from typing import Any

from git_intent.files import sha256
from git_intent.review import phrases
from git_intent.review.changes import Change
from git_intent.review.hands import Hand
from git_intent.review.render_text import detail_line
from git_intent.review.requirement_log import Entry, requirement_log
from git_intent.store.ids import ID
from git_intent.store.intent_dir import requirement_path
from git_intent.store.requirement import Requirement
from git_intent.web.rows import Rows, row
from git_intent.web.served import Answer, Asked, Refused
from git_intent.web.stored import Held

_UNCOMMITTED = "Not committed yet."
_MERGED = "came in by merge"
_CUT_OFF = "This clone is shallow: history is cut off at the last commit here."


def find(held: Held, id: str) -> Requirement:
    """Raises Refused if there is none that can be read."""
    found = held.store.requirements.get(id)
    if found is None:
        path = requirement_path(id)
        for issue in held.issues:
            if issue.path == path:
                raise Refused(404, f"{issue}", "mend the file, then look again")
        raise Refused(404, f"no requirement {id} in this store")
    return found


def told(rows: Rows, held: Held, r: Requirement) -> dict[str, Any]:
    """The requirement with its etag."""
    data = held.store.bytes[r.id]
    others = held.store.requirements.values()
    source = r.provenance
    whole = {
        **row(r, rows.places([r])),
        "statement": r.statement,
        "why": r.rationale,
        "hints": list(r.hints),
        "created": r.created,
        "provenance": {
            "kind": source.kind.value,
            "ref": source.ref,
            "extracted_at": source.extracted_at,
            "extracted_by": source.extracted_by,
            "patch_id": source.patch_id,
        },
        "supersedes": sorted(o.id for o in others if o.superseded_by == r.id),
    }
    path = held.store.paths[r.id]
    return {"requirement": whole, "etag": sha256(data), "path": path}


def history(rows: Rows, asked: Asked) -> Answer:
    """What each commit did to it, as `git intent log` tells it."""
    console, id = rows.console, asked.path["id"]
    if not ID.fullmatch(id):
        raise Refused(404, f"no requirement {id} in this store")
    entries: list[Entry] = []
    if not console.repo.head().unborn:
        patterns = console.settings().config.git.agent_authors
        entries = requirement_log(console.repo, requirement_path(id), patterns)
    if not entries:
        find(console.stored.now(), id)
        return Answer({"commits": [], "note": _UNCOMMITTED})
    note = _CUT_OFF if any(entry.cut_off for entry in entries) else None
    return Answer({"commits": [_commit(entry) for entry in entries], "note": note})


def _commit(entry: Entry) -> dict[str, Any]:
    made = entry.hand
    lines = [line for change in entry.changes for line in _lines(change)]
    if entry.merge:
        lines.append(f"{_MERGED} {entry.merge.commit[:12]} {entry.merge.subject}")
    return {
        "oid": made.commit,
        "date": _date(made),
        "author": phrases.author(made),
        "subject": made.subject,
        "changes": lines,
    }


def _lines(change: Change | str) -> list[str]:
    if isinstance(change, str):
        return [change]
    details = phrases.details(change) if change.meaning else ()
    return [phrases.headline(change), *map(detail_line, details)]


def _date(made: Hand) -> str:
    try:
        return datetime.fromtimestamp(made.time, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):  # a commit may claim any time
        return ""
