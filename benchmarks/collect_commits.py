"""Collecting 50,000 commits, against reading `git log` of them in the same run.

    python -m benchmarks collect_commits

The bars: at most twice the time of `git log --format=%H%x00%B`, and under 250 MB with
everything that was collected in memory. Each is a process of its own and reads what git
prints through a pipe.
"""

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.process import environment, medians, ratio_detail, run

BAR = 2.0
MEGABYTES = 250.0
COUNT = 50_000
RUNS = 9

# VmHWM is the peak since this program began; ru_maxrss would count what the process
# that started it held.
_COLLECT = """
from pathlib import Path
from git_intent.git.repository import Repository
from git_intent.scan.collect_commits import collect_commits
from git_intent.scan.cursor import Stand
repo = Repository.discover(Path("."))
found = collect_commits(repo, Stand(repo.head().oid))
assert len(found.items) > 49_000, found.remarks
status = Path("/proc/self/status").read_text("ascii")
print(status.partition("VmHWM:")[2].split()[0])
"""

_WORDS = (
    "the parser keeps every comment because people read diffs and a file that does not "
    "change must never be written again so that blame still tells who decided what"
).split()


def figures() -> Iterator[Figure]:
    git = ("git", "log", "--format=%H%x00%B")
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        root, environ = Path(folder) / "project", environment(Path(folder))
        make_history(root, COUNT)
        collect = (sys.executable, "-c", _COLLECT)
        pairs = [
            (run(collect, root, environ), run(git, root, environ)) for _ in range(RUNS)
        ]
        out = subprocess.run(
            collect, cwd=root, env=environ, check=True, stdout=subprocess.PIPE
        ).stdout
    ours, floor = (medians(costs) for costs in zip(*pairs, strict=True))
    detail = ratio_detail(ours, floor, "git log")
    yield Figure(
        f"collect {COUNT:,} commits",
        ours.wall / floor.wall,
        "times git log",
        BAR,
        detail=detail,
    )
    yield Figure("memory for that", int(out) / 1024, "MB", MEGABYTES)


def make_history(folder: Path, count: int) -> None:
    """A repository of `count` commits with messages of a usual length."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    with subprocess.Popen(
        ["git", "-C", str(folder), "fast-import", "--quiet"], stdin=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        child.stdin.writelines(_stream(count))
    if child.returncode:
        raise SystemExit("git fast-import failed")


def _stream(count: int) -> Iterator[bytes]:
    chance = random.Random(7)
    for number in range(count):
        lines = [_sentence(chance, 7), ""]
        lines += [_sentence(chance, 11) for _ in range(chance.randrange(6))]
        message = "\n".join(lines).encode()
        text = f"{number}\n".encode()
        yield b"commit refs/heads/main\n"
        yield b"committer A Person <a@example.invalid> %d +0000\n" % (
            10**9 + 60 * number
        )
        yield b"data %d\n%s\n" % (len(message), message)
        yield b"M 100644 inline f%d\ndata %d\n%s\n" % (number % 50, len(text), text)


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))
