"""How far the cursors of scan-state.yaml moved: one line a repository says it."""

from collections.abc import Mapping
from dataclasses import dataclass

from git_intent.store.intent_dir import SCAN_STATE
from git_intent.store.malformed import MalformedFile
from git_intent.store.scan_state import ScanState, ScanStates, parse_scan_state


@dataclass(frozen=True, slots=True)
class CursorMove:
    """The cursors of one repository on both sides; its name is empty for the project's
    own. `runs` and `documents` count those that only one side has, or has otherwise."""

    repository: str
    before: str
    after: str
    runs: int
    documents: int


def compare_states(
    before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> tuple[tuple[CursorMove, ...], list[tuple[str, str]]]:
    """The moves by repository, and for each side that cannot be read why not."""
    if before.get(SCAN_STATE) == after.get(SCAN_STATE):
        return (), []
    broken: list[tuple[str, str]] = []
    states: list[ScanStates] = []
    for side, snapshot in (("before", before), ("after", after)):
        try:
            data = snapshot.get(SCAN_STATE)
            found = parse_scan_state(data, SCAN_STATE) if data else ScanStates()
        except MalformedFile as error:
            broken.append((side, str(error.issue())))
            continue
        states.append(found)
    if broken:
        return (), broken
    old, new = states
    names = sorted({*old.repositories, *new.repositories})
    moves = (_move(name, old.get(name), new.get(name)) for name in names)
    return tuple(move for move in moves if move is not None), []


def _move(name: str, old: ScanState, new: ScanState) -> CursorMove | None:
    if old == new:
        return None
    documents = {*old.scanned_docs.items()} ^ {*new.scanned_docs.items()}
    return CursorMove(
        repository=name,
        before=old.last_commit,
        after=new.last_commit,
        runs=len({*old.scanned_runs} ^ {*new.scanned_runs}),
        documents=len({path for path, _ in documents}),
    )
