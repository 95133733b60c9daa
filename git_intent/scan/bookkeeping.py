"""How scan-state moves once the material of a scan is used.

Pure. A scan that found nothing new, or whose material is wholly put off, leaves every
byte as it was: the stamp moves only together with a cursor. Unknown keys and the form
of the file are kept; a listed repository needs, and makes, form 2.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from git_intent.scan.artifacts import Sources
from git_intent.store.scan_state import ScanState, ScanStates
from git_intent.store.stamps import stamp

#: More run ids than this, and those of runs that are gone here are forgotten.
KEPT_RUNS = 500


def advance(states: ScanStates, sources: Sources, now: datetime) -> ScanStates:
    """The cursors after `sources` was used."""
    if sources.nothing_new:
        return states
    old = states.get()
    new = replace(
        old,
        last_commit=sources.next_cursor or old.last_commit,
        scanned_docs=dict(sources.documents),
        scanned_runs=_runs(old.scanned_runs, sources.runs, sources.present_runs),
    )
    states = _put(states, "", new, now)
    for name, reach in sorted(sources.others.items()):
        before = states.get(name)
        after = replace(
            before,
            last_commit=reach.next_cursor or before.last_commit,
            scanned_docs=dict(reach.documents),
        )
        states = _put(states, name, after, now)
    return states


def _put(states: ScanStates, name: str, new: ScanState, now: datetime) -> ScanStates:
    if new == states.get(name):
        return states
    return states.put(replace(new, last_scan_at=stamp(now)), name)


def _runs(
    old: Collection[str], new: Collection[str], present: Collection[str]
) -> tuple[str, ...]:
    runs = {*old, *new}
    if len(runs) > KEPT_RUNS:
        runs = {run for run in runs if run in present or run in new}
    return tuple(sorted(runs))
