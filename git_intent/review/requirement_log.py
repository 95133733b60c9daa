"""What each commit did to one requirement, in words.

The commits are those of `git log -- FILE`. A merge is listed if it made something that
none of its parents has, and is then told against each of them. Where a shallow clone
cuts history off, the oldest commit seems to add the file: `cut_off` says so.

Once a requirement is redacted, its earlier texts are withheld here too.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from git_intent.git.file_log import file_log, merged_by
from git_intent.git.history import read_commits, shallow_border
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.review.changes import Change, File, describe, read_file
from git_intent.review.hands import Hand, hand
from git_intent.store.issue import Issue
from git_intent.store.mutate import NOTICE
from git_intent.store.requirement import Requirement

WITHHELD = "(withheld: redacted since)"


#: A version of the file; None where there is none, a text says why it cannot be read.
_Side = File | str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit. `changes` are told against each parent; a text stands for one that
    cannot be told. `merge` is the one by which the commit came in."""

    hand: Hand
    changes: tuple[Change | str, ...]
    merge: Hand | None = None
    cut_off: bool = False


def requirement_log(
    repo: Repository, path: str, patterns: Collection[str], rev: str = "HEAD"
) -> list[Entry]:
    """The entries of the requirement file at `path`, newest first."""
    steps = file_log(repo, path, rev)
    merges = merged_by(repo, path, rev)
    oids = {step.commit for step in steps}
    listed = read_commits(repo, sorted(oids | {*merges.values()}))
    made = {oid: hand(commit, patterns) for oid, commit in listed.items()}
    border = shallow_border(repo)
    blobs = {b for step in steps for b in (*step.before, step.after) if b}
    files = {b: read_file(data, path) for b, data in read_blobs(repo, blobs).items()}
    entries = []
    for step in steps:
        sides = [_side(files, blob) for blob in step.before]
        after = _side(files, step.after)
        entries.append(
            Entry(
                hand=made[step.commit],
                changes=tuple(_told(old, after, path) for old in sides),
                merge=made.get(merges.get(step.commit, "")),
                cut_off=step.commit in border,
            )
        )
    return _withheld(entries)


def _side(files: dict[str, File | Issue], blob: str) -> _Side:
    """The file, nothing, or why it cannot be read."""
    if not blob:
        return None
    found = files.get(blob, "this clone does not have the file (git fetch gets it)")
    return found if isinstance(found, File) else str(found)


def _told(old: _Side, new: _Side, path: str) -> Change | str:
    if isinstance(new, str):
        return f"cannot be read: {new}"
    if isinstance(old, str):
        return f"the version before cannot be read: {old}"
    if old is None and new is None:
        return "no file before and after"
    return describe(old, new, path)


def _withheld(entries: list[Entry]) -> list[Entry]:
    newest = next((e.changes[0] for e in entries if e.changes), None)
    redacted = (
        isinstance(newest, Change) and newest.after and newest.after.statement == NOTICE
    )
    if not redacted:
        return entries
    return [replace(e, changes=tuple(map(_without, e.changes))) for e in entries]


def _without(change: Change | str) -> Change | str:
    if isinstance(change, str):
        return change
    before, after = _blank(change.before), _blank(change.after)
    return replace(change, before=before, after=after)


def _blank(found: Requirement | None) -> Requirement | None:
    if found is None or found.statement == NOTICE:
        return found
    return replace(found, statement=WITHHELD, rationale="", hints=())
