"""Reading 50,000 commits, against `git log` of the same range in the same run.

The bar: at most twice the time of `git log --format=%H%x00%B`, and under 250 MB.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

COUNT = 50_000
RUNS = 5

_WORDS = (
    "the parser keeps every comment because people read diffs and a file that does not "
    "change must never be written again so that blame still tells who decided what"
).split()

_READ = """
import json, resource, sys, time
from pathlib import Path
from git_intent.git.history import commits
from git_intent.git.repository import Repository
start = time.perf_counter()
repo = Repository.discover(Path(sys.argv[1]))
count = sum(1 for _ in commits(repo, ["HEAD"]))
seconds = time.perf_counter() - start
peak = max(
    resource.getrusage(who).ru_maxrss
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
)
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"count": count, "seconds": seconds, "peak_kb": peak, "own_kb": own}))
"""


def measure() -> dict[str, float]:
    """Seconds of both, their ratio (best of several runs), and the peaks in MB."""
    with tempfile.TemporaryDirectory(prefix="git-intent-bench-") as folder:
        make_history(Path(folder), COUNT)
        floors, ours = [], []
        for _ in range(RUNS):
            floors.append(_git_log(folder))
            ours.append(_our_reading(folder))
    best = min(ours, key=lambda one: one["seconds"])
    return {
        "commits": best["count"],
        "git_log_s": min(floors),
        "commits_s": best["seconds"],
        "ratio": best["seconds"] / min(floors),
        "peak_mb": best["peak_kb"] / 1024,
        "own_peak_mb": best["own_kb"] / 1024,
    }


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


def _git_log(folder: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        ["git", "-C", folder, "log", "--format=%H%x00%B"],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def _our_reading(folder: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _READ, folder], stdout=subprocess.PIPE, check=True
    )
    result: dict[str, float] = json.loads(done.stdout)
    return result


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
