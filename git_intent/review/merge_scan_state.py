"""Merge three versions of scan-state.yaml: what either side has read counts as read.

- `last_commit`: the descendant of the two, else ours. What the other one had read is
  found by its earlier values in the history of the file.
- `scanned_runs`: all of both. `last_scan_at`: the latest.
- `scanned_docs`: a document that one side alone read anew is that side's. Where both
  did, the entry that matches the merged document, else none: it is read once more, and
  what it says is known by then. A merge driver sees one file only, so to it no
  document is known; `git intent resolve` knows those that are merged already. An entry
  that no longer matches its document costs nothing: that is read again as well.

Nothing here is ever a conflict, unless a side cannot be read.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from git_intent.review.merge_markers import SIZE, mark
from git_intent.review.merge_result import Ancestor, Merged, conflict, three_ways
from git_intent.store.malformed import MalformedFile
from git_intent.store.scan_state import (
    ScanState,
    ScanStates,
    parse_scan_state,
    render_scan_state,
)
from git_intent.store.stamps import instant


def merge_scan_state(
    path: str,
    base: bytes | None,
    ours: bytes,
    theirs: bytes,
    *,
    ancestor: Ancestor,
    documents: Mapping[str, str] | None = None,
    size: int = SIZE,
    labels: tuple[str, str] = ("ours", "theirs"),
) -> Merged:
    """The cursors that both sides come to.

    `documents` maps the paths of merged documents to the sha256 of their bytes.
    """
    if ours == theirs or base == theirs:
        return Merged(ours)
    if base == ours:
        return Merged(theirs)
    try:
        side = "ours"
        o = parse_scan_state(ours, path)
        side = "theirs"
        t = parse_scan_state(theirs, path)
    except MalformedFile as error:
        data, line = mark(ours, theirs, size=size, labels=labels, whole=True)
        text = f"{side} cannot be read: {error.text}; keep what holds"
        return Merged(data, (conflict(path, line, text),))
    merged = _merge(_base(base, path), o, t, ancestor, documents or {})
    for data, states in ((ours, o), (theirs, t)):
        if merged == states:
            return Merged(data)
    return Merged(render_scan_state(merged))


def _base(data: bytes | None, path: str) -> ScanStates:
    try:
        return parse_scan_state(data or b"", path)
    except MalformedFile:
        return ScanStates()


def _merge(
    base: ScanStates,
    ours: ScanStates,
    theirs: ScanStates,
    ancestor: Ancestor,
    documents: Mapping[str, str],
) -> ScanStates:
    merged: dict[str, ScanState] = {}
    for name in sorted({*ours.repositories, *theirs.repositories}):
        # Commits and documents of repositories beside this one cannot be looked at.
        merged[name] = _state(
            base.get(name),
            ours.get(name),
            theirs.get(name),
            _unknown if name else ancestor,
            {} if name else documents,
        )
    extra = three_ways(base.extra, ours.extra, theirs.extra)
    return ScanStates(max(ours.form, theirs.form), merged, extra)


def _state(
    base: ScanState,
    ours: ScanState,
    theirs: ScanState,
    ancestor: Ancestor,
    documents: Mapping[str, str],
) -> ScanState:
    return replace(
        ours,
        last_commit=_cursor(base, ours, theirs, ancestor),
        scanned_runs=_runs(ours, theirs),
        scanned_docs=_docs(base, ours, theirs, documents),
        last_scan_at=max(ours.last_scan_at, theirs.last_scan_at, key=_moment),
        extra=three_ways(base.extra, ours.extra, theirs.extra),
    )


def _cursor(
    base: ScanState, ours: ScanState, theirs: ScanState, ancestor: Ancestor
) -> str:
    o, t = ours.last_commit, theirs.last_commit
    if not o or (t and o != t and ancestor(o, t)):
        return t
    if ancestor is _unknown and o == base.last_commit and t:
        return t
    return o


def _unknown(old: str, new: str) -> bool:
    return False


def _runs(ours: ScanState, theirs: ScanState) -> tuple[str, ...]:
    if {*ours.scanned_runs} == {*theirs.scanned_runs}:
        return ours.scanned_runs
    return tuple(sorted({*ours.scanned_runs, *theirs.scanned_runs}))


def _docs(
    base: ScanState, ours: ScanState, theirs: ScanState, documents: Mapping[str, str]
) -> dict[str, str]:
    b, o, t = base.scanned_docs, ours.scanned_docs, theirs.scanned_docs
    found: dict[str, str | None] = {}
    for path in sorted({*o, *t}):
        known, sides = b.get(path), (o.get(path), t.get(path))
        if path in documents and documents[path] in sides:
            found[path] = documents[path]
        elif sides[0] == sides[1] or known == sides[1]:
            found[path] = sides[0]
        elif known == sides[0]:
            found[path] = sides[1]
        else:
            # One that a side no longer has is the other's; of two, neither is known.
            found[path] = None if all(sides) else sides[0] or sides[1]
    return {path: digest for path, digest in found.items() if digest}


def _moment(text: str) -> tuple[bool, Any, str]:
    found = instant(text)
    return (found is not None, found, text)
