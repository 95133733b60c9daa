"""An append to a ledger of 10,000 events, against one to a ledger of 10.

    python -m benchmarks ledger_append

Both are appended to in turns, the same events at the same place of a segment, over the
end of it and with one that is larger than a whole segment. Everything is in the time:
lock, reading, rules, objects, ref, anchor, projection, each of them synced.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from statistics import median

from benchmarks.figure import Figure
from benchmarks.ledger_history import (
    HOST,
    NAMESPACE,
    SHORT,
    WORDS,
    finish,
    pair,
    progress,
    start,
)
from benchmarks.process import ROOT, environment
from git_intent.ledger import ref
from git_intent.ledger.home import open_home
from git_intent.ledger.ledger import Ledger

TIMES = 64 - SHORT + 6  # over the end of a segment
BAR, KIBIBYTES, CALLS = 1.5, 16.0, 1.1
TRACED = 4


def figures() -> Iterator[Figure]:
    short, long = pair()
    took: tuple[list[float], list[float]] = ([], [])
    larger = []
    for turn in range(TIMES):
        sizes = []
        for ledger, times in zip((short, long), took, strict=True):
            before = _tip(ledger)
            times.append(_append(ledger, turn, 100 if turn == TIMES - 1 else 1))
            sizes.append(_new_bytes(ledger, before))
        larger.append((sizes[1] - sizes[0]) / 1024)
    few, many = (median(times) for times in took)
    yield Figure(
        "append to 10,000 events, over 10",
        many / few,
        "times",
        BAR,
        detail=f"{1000 * many:.1f} ms and {1000 * few:.1f} ms",
    )
    yield Figure(
        "new objects of an append, 10,000 over 10",
        max(larger),
        "KiB more at most",
        KIBIBYTES,
        detail=f"median {median(larger):.1f}",
    )
    if which("strace"):
        few, many = (_calls(ledger) for ledger in (short, long))
        yield Figure(
            "system calls of an append, 10,000 over 10",
            many / few,
            "times",
            CALLS,
            detail=f"{many:.0f} and {few:.0f}, with those of git",
        )


def _append(ledger: Ledger, turn: int, lines: int = 1) -> float:
    """Seconds that one event takes."""
    state = ledger.read().state
    if lines > 1:
        work = {**progress(state), "next_work": [WORDS * 10] * lines}
        command, document = "progress", work
    elif state.actions:
        command, document = "action-finish", finish(next(iter(state.actions)))
    elif turn % 3:
        command, document = "action-start", start(state)
    else:
        command, document = "progress", progress(state, turn)
    actor = {"kind": "owner", "host": HOST, "session": ledger.chat}
    begun = time.perf_counter()
    answer = ledger.write(command, document, actor)
    took = time.perf_counter() - begun
    if answer.exit_code:
        raise SystemExit(f"not appended: {answer.as_json()}")
    return took


def _tip(ledger: Ledger) -> str:
    return ref.read(ledger.home, ledger.place.ref)


def _new_bytes(ledger: Ledger, before: str) -> int:
    """What the objects take that came since a commit."""
    git = ("git", "-C", ledger.home.common_dir)
    since = (*git, "rev-list", "--objects", ledger.place.ref, f"^{before}")
    names = subprocess.run(since, check=True, stdout=subprocess.PIPE).stdout
    oids = b"".join(line.split()[0] + b"\n" for line in names.splitlines())
    ask = (*git, "cat-file", "--batch-check=%(objectsize:disk)")
    told = subprocess.run(ask, input=oids, check=True, stdout=subprocess.PIPE).stdout
    return sum(int(line) for line in told.split())


def _calls(ledger: Ledger) -> float:
    """System calls of an append and of what it starts, without those of a start."""
    counts = []
    for times in (0, TRACED):
        with tempfile.NamedTemporaryFile() as told:
            traced = ("strace", "-f", "-qq", "-o", told.name)
            code = (
                "from benchmarks.ledger_append import again; "
                f"again({ledger.home.path!r}, {times})"
            )
            command = (*traced, sys.executable, "-c", code)
            environ = environment(Path(told.name).parent)
            subprocess.run(command, cwd=ROOT, env=environ, check=True)
            counts.append(sum(1 for line in told if b"(" in line))
    return (counts[1] - counts[0]) / TRACED


def again(home: str, times: int) -> None:
    """Append some events to a ledger of `pair`; for a process that is traced."""
    ledger = Ledger(open_home(home, ""), NAMESPACE, "s-1")
    ledger.read()
    for turn in range(times):
        _append(ledger, turn)
