"""What it costs to prove 10,000 events, against reading and hashing the same bytes.

    python -m benchmarks ledger_verify

The floor is a plain loop over the same objects: all are asked of one `git cat-file
--batch`, and each is hashed once by sha256 and compared with nothing.
"""

import hashlib
import subprocess
import time
from collections.abc import Iterator
from statistics import median

from benchmarks.figure import Figure
from benchmarks.ledger_history import pair
from git_intent.git.cat_file import stream_objects
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.verify import verify

RUNS, BAR = 5, 3.0


def figures() -> Iterator[Figure]:
    _, ledger = pair()
    took = [(_verify(ledger), _floor(ledger)) for _ in range(RUNS)]
    ours, floor = (median(times) for times in zip(*took, strict=True))
    yield Figure(
        "verify 10,000 events",
        ours / floor,
        "times reading and hashing",
        BAR,
        detail=f"{ours:.2f} s, a plain loop {floor:.2f} s",
    )


def _verify(ledger: Ledger) -> float:
    begun = time.perf_counter()
    found = verify(ledger.journal)
    took = time.perf_counter() - begun
    if found.findings or found.seq < 10_000:
        raise SystemExit(f"not whole: {found}")
    return took


def _floor(ledger: Ledger) -> float:
    home, begun = ledger.home, time.perf_counter()
    listed = ("git", "-C", home.common_dir, "ls-tree", "-r", ledger.place.ref)
    told = subprocess.run(listed, check=True, stdout=subprocess.PIPE).stdout
    oids = [line.split()[2].decode() for line in told.splitlines()]
    for _, found in stream_objects(oids, home.common_dir, home.environment):
        if found is not None:
            hashlib.sha256(found.data).hexdigest()
    return time.perf_counter() - begun
