"""Run the command line in a process that dies right before a chosen effect.

As a program: `python -m tests.support.kill_run NUMBER FOLDER ARGS…`. A negative number
kills nothing and prints the names of all effects in their order.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

_SOURCE = Path(__file__).resolve().parents[2]


def run(number: int, folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.support.kill_run", str(number), folder, *args],
        cwd=_SOURCE,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def effects(folder: Path, *args: str) -> list[str]:
    done = run(-1, folder, *args)
    assert done.returncode == 0, done.stderr
    return [
        line.removeprefix("effect: ")
        for line in done.stdout.splitlines()
        if line.startswith("effect: ")
    ]


def main() -> int:
    number, folder, *args = sys.argv[1:]
    from git_intent import files
    from git_intent.cli.main import main as command_line

    left = [int(number)]

    def on_effect(name: str) -> None:
        if int(number) < 0:
            print(f"effect: {name}", flush=True)
        elif left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    files.on_effect = on_effect
    return command_line(["-C", folder, *args])


if __name__ == "__main__":
    sys.exit(main())
