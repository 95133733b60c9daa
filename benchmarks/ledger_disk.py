"""What an event takes on disk, before and after `git gc`.

    python -m benchmarks ledger_disk

git counts both: the blocks of the loose objects, and the bytes of the pack with its
index. After a gc, the folder `sources` is not counted: there are as many sources as
prompts, and they are as long as people make them.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.ledger_history import History, disposal
from git_intent.ledger.ledger import Ledger

EVENTS, MANY = 2_000, 10_000
LOOSE, PACKED, TREE = 32.0, 1_000.0, 16.0
_INDEXED = 28  # bytes that a pack's index has of an object


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        with History.begin(Path(folder, "worked"), "s-1") as history:
            history.work(EVENTS)
        yield from _sizes(history.ledger)
        with History.begin(Path(folder, "many"), "s-1", 256) as history:
            for _ in range(MANY):
                history.do("dispose-source", disposal(history.say()["id"]))
        largest = max(size for kind, size, _, _ in _objects(history.ledger, "tree"))
    name = f"largest tree, {MANY:,} sources"
    yield Figure(name, largest / 1024, "KiB", TREE)


def _sizes(ledger: Ledger) -> Iterator[Figure]:
    journal = Path(ledger.folder, "journal.jsonl").stat().st_size
    name = f"an event of {journal / EVENTS:.0f} bytes on disk"
    loose = _counted(ledger, "size") / EVENTS
    yield Figure(f"{name}, loose", loose, "KiB", LOOSE)
    git = ("git", "-C", ledger.home.common_dir)
    subprocess.run((*git, "gc", "-q"), check=True)
    sources = [
        stored + _INDEXED
        for kind in ("blob", "tree")
        for _, _, stored, path in _objects(ledger, kind)
        if path.partition("/")[0] == "sources"
    ]
    packed = 1024 * _counted(ledger, "size-pack") - sum(sources)
    detail = f"sources of {sum(sources) / EVENTS:.0f} bytes an event not counted"
    yield Figure(f"{name}, after gc", packed / EVENTS, "bytes", PACKED, detail=detail)


def _counted(ledger: Ledger, name: str) -> int:
    """A number of KiB that `git count-objects` tells."""
    git = ("git", "-C", ledger.home.common_dir)
    told = subprocess.run(
        (*git, "count-objects", "-v"), check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return int(dict(line.split(": ") for line in told.splitlines())[name])


def _objects(ledger: Ledger, kind: str) -> Iterator[tuple[str, int, int, str]]:
    """Kind, size, size on disk and path of each object of a kind."""
    git = ("git", "-C", ledger.home.common_dir)
    names = subprocess.run(
        (*git, "rev-list", "--objects", ledger.place.ref),
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    form = "--batch-check=%(objecttype) %(objectsize) %(objectsize:disk) %(rest)"
    told = subprocess.run(
        (*git, "cat-file", form), input=names, check=True, stdout=subprocess.PIPE
    ).stdout.decode()
    for line in told.splitlines():
        name, size, stored, path = (*line.split(" ", 3), "")[:4]
        if name == kind:
            yield name, int(size), int(stored), path
