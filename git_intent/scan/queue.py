"""Scans that wait for their turn: `<git common dir>/intent/queue/<run>`.

Most are of a completed run. One without a run is a plain scan that found the lock taken
and was told to be quiet about it; there is one for each project.

One file a run, which appears whole; its name is the run's, escaped as in its ref, or
`+` and a digest where that is too long for a file. It is canonical JSON: {"version",
"run", "root", "project", "queued_at", "tries", "retry_at", "reason"}. A file of which
nothing can be read still names its run.

A run that is completed again gets a new file in the old one's place. So whoever has
scanned a run removes its file only if that is the one that was there before.

`tries` counts the scans that were begun. What did not go well is not tried again before
`retry_at`: the first time at once (the machine may have stopped), then after 1, 4, 16
… minutes, at last once a day.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import canonical_json, effect, sha256, write_atomic
from git_intent.store.stamps import instant, stamp
from git_intent.workflow.run_names import escape, unescape

VERSION = 1
_PLAIN = "+scan-"  # how the file of a plain scan begins; no run's does
_LONGEST = 200  # bytes of a file's name, with room for what is written aside
_DAY = 24 * 60  # minutes
_WRITING = timedelta(minutes=1)  # that a record takes at most
_TEXTS = ("run", "root", "project", "queued_at", "retry_at", "reason")


@dataclass(frozen=True, slots=True)
class Entry:
    """One run that waits; without a `run`, a plain scan. `root` is the project in whose
    work tree it ended, `project` that project's folder in the repository. `reason` says
    why the last try failed, and `file` is the name of the file that it was read from.
    """

    run: str
    root: str = ""
    project: str = ""
    queued_at: str = ""
    tries: int = 0
    retry_at: str = ""
    reason: str = ""
    file: str = ""

    def due(self, now: datetime) -> bool:
        """Whether it may be tried at `now`."""
        wanted = instant(self.retry_at)
        return wanted is None or wanted <= now

    def begun(self, now: datetime) -> "Entry":
        """As it is once a try begins, so that one that never ends counts as well."""
        tries = self.tries + 1
        minutes = 0 if tries == 1 else min(4 ** min(tries - 2, 6), _DAY)
        return replace(
            self, tries=tries, retry_at=stamp(now + timedelta(minutes=minutes))
        )


def folder(common_dir: Path) -> Path:
    return common_dir / "intent" / "queue"


def entry(run: str, root: Path, project: str, now: datetime) -> Entry:
    """A run that is completed at `now`; without one, a plain scan wanted then."""
    # to the microsecond: runs that end within one second keep their order
    at = now.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
    return Entry(run, str(root), project, f"{at}Z")


def expected(one: Entry, now: datetime) -> Entry:
    """As it is while its record is written: nobody looks for that before it is over."""
    return replace(one, retry_at=stamp(now + _WRITING))


def put(common_dir: Path, one: Entry) -> Entry:
    """Let a run wait, in the place of what is known of it; give what is there now."""
    name = _name(one.run) if one.run else _PLAIN + sha256(os.fsencode(one.root))[:16]
    kept = {k: v for k, v in asdict(one).items() if k != "file"}
    data = canonical_json({"version": VERSION, **kept})
    write_atomic(folder(common_dir) / name, data, 0o600)
    return replace(one, file=name)


def entries(common_dir: Path) -> list[Entry]:
    """Those that wait, the longest first."""
    return sorted(_read_all(common_dir), key=lambda one: (one.queued_at, one.run))


def waits(common_dir: Path, one: Entry) -> bool:
    """Whether it is still there as it was."""
    return _read(folder(common_dir) / one.file) == one


def remove(common_dir: Path, one: Entry) -> bool:
    """Take a run out, unless it was completed again meanwhile; whether it is out."""
    path = folder(common_dir) / one.file
    found = _read(path)
    if found == one:
        effect(f"dequeue {path.name}")
        path.unlink(missing_ok=True)
    return found in (None, one)


def forget(common_dir: Path, run: str) -> None:
    """Take a run out, whatever is known of it."""
    path = folder(common_dir) / _name(run)
    if path.is_file():
        effect(f"dequeue {path.name}")
        path.unlink(missing_ok=True)


def _name(run: str) -> str:
    name = escape(run)
    return name if len(name) <= _LONGEST else f"+{sha256(name.encode())}"


def _read_all(common_dir: Path) -> Iterator[Entry]:
    place = folder(common_dir)
    try:
        paths = [path for path in place.iterdir() if path.name[:1] != "."]
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unreadable(place, error) from error
    for path in paths:
        found = _read(path)
        if found is not None:
            yield found


def _read(path: Path) -> Entry | None:
    """None if somebody has removed it."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error) from error
    found = _parse(data)
    if found is None or (not found.run and not path.name.startswith(_PLAIN)):
        found = Entry(unescape(path.name))
    return replace(found, file=path.name)


def _unreadable(path: Path, error: OSError) -> IntentError:
    return IntentError(
        f"{path}: {error.strerror}", "remove what stands in the queue's way"
    )


def _parse(data: bytes) -> Entry | None:
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("version") != VERSION:
        return None
    texts = {name: value.get(name, "") for name in _TEXTS}
    tries = value.get("tries", 0)
    known = all(isinstance(text, str) for text in texts.values())
    if not known or type(tries) is not int:
        return None
    return Entry(**texts, tries=tries)
