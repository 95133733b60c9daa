"""End a child and everything that it has started, whatever that did to get away.

Its group is signalled, and those who left the group (daemons) are found by a mark that
they have inherited in their environment, where there is `/proc`: first SIGTERM, after a
short grace SIGKILL. The marks of nested runs make a chain, each mark ending in `:`.
"""

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: In the environment of everything that is started here.
CHILD_VARIABLE = "GIT_INTENT_CHILD"
PAUSE = 0.01
_MARK = re.compile(r"[0-9]+-[0-9]+")
_ENTRY = f"\0{CHILD_VARIABLE}=".encode()
_LOOKS = 3
_KILLING = 5.0  # how long to go on with SIGKILL while new processes keep appearing
_SHORT = 1.0  # seconds in which the system cannot have given all process ids once
_FEW = 500  # ids that are looked at one by one


@dataclass(frozen=True, slots=True)
class Family:
    """All processes that carry `mark`, which nobody else has."""

    mark: str
    since: float = field(default_factory=time.monotonic)

    def end(self, child: int, ended: Callable[[], bool], grace: float) -> None:
        """End the child, which leads a group, and its descendants.

        The child is left unreaped: while it is a zombie, no other process can get its
        id, so that signals to its group hit nobody else.
        """
        left = self._lately(child)
        if left or not ended():
            _signal(child, left, signal.SIGTERM)
            deadline = time.monotonic() + grace
            while (left := self._left(ended)) and time.monotonic() < deadline:
                time.sleep(PAUSE)
        _signal(child, left, signal.SIGKILL)
        deadline = time.monotonic() + _KILLING
        while left and time.monotonic() < deadline:
            time.sleep(PAUSE)
            left = self._left(ended)
            _signal(child, left, signal.SIGKILL)

    def _left(self, ended: Callable[[], bool]) -> list[int]:
        """Who still lives; the child, if it does, as 0 where there is no `/proc`."""
        return self.members() or ([] if ended() else [0])

    def members(self) -> list[int]:
        """Living processes with the mark.

        Where one ended while we looked, it may have started another behind our back:
        then we look once more.
        """
        found: list[int] = []
        for _ in range(_LOOKS):
            chains = {process: _marks(process) for process in _processes()}
            found = [p for p, chain in chains.items() if chain and self.mark in chain]
            if found or None not in chains.values():
                break
        return found

    def _lately(self, child: int) -> list[int]:
        """The members, soon after the child was started: they have the ids that were
        given since, in ascending order, unless ids began anew."""
        found: list[int] = []
        process, last = child, _last_given()
        if time.monotonic() - self.since > _SHORT or not child <= last < child + _FEW:
            return self.members()
        while process <= last:
            if self.mark in (_marks(process) or ()):
                found.append(process)
            process += 1
            if process > last:
                last = _last_given()
        return found


def fresh_mark() -> str:
    """A mark that no other child has."""
    return f"{os.getpid()}-{time.monotonic_ns()}"


def is_mark(text: str) -> bool:
    return _MARK.fullmatch(text) is not None


def _signal(group: int, processes: list[int], number: signal.Signals) -> None:
    if group:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
    for process in filter(None, processes):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def end_orphans(mark: str, grace: float) -> int:
    """End what a process that was killed had started; gives how many there were.

    What is no mark finds none: the end of every chain would look like the empty one.
    """
    if not is_mark(mark):
        return 0
    family = Family(mark)
    left = found = family.members()
    for number, seconds in ((signal.SIGTERM, grace), (signal.SIGKILL, _KILLING)):
        deadline = time.monotonic() + seconds
        while left and time.monotonic() < deadline:
            _signal(0, left, number)
            time.sleep(PAUSE)
            left = family.members()
    return len(found)


def _processes() -> Iterator[int]:
    try:
        with os.scandir("/proc") as entries:
            yield from (int(e.name) for e in entries if e.name.isdigit())
    except OSError:
        return


def _marks(process: int) -> list[str] | None:
    """The chain of marks in a process's environment; None if it is gone meanwhile."""
    try:
        with open(f"/proc/{process}/environ", "rb") as stream:
            data = b"\0" + stream.read()
    except OSError:  # another user's, or over: a zombie starts nothing any more
        return [] if os.access(f"/proc/{process}", os.F_OK) else None
    at = data.find(_ENTRY)
    if at < 0:
        return []
    chain = data[at + len(_ENTRY) :].partition(b"\0")[0]
    return chain.decode(errors="replace").split(":")


def _last_given() -> int:
    """The process id that the system gave last; 0 if it does not tell."""
    try:
        return int(Path("/proc/loadavg").read_bytes().rsplit(b" ", 1)[1])
    except (OSError, ValueError):
        return 0
