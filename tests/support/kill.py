"""Run a scan in a process that dies at a chosen effect on disk or refs.

As a program: `python -m tests.support.kill MODE NUMBER PROJECT [RUN]` with MODE

- `count`: scan, print the names of all effects in their order;
- `kill`: end the process by SIGKILL right before effect NUMBER;
- `full`: let every write to a file fail with ENOSPC from write NUMBER on.

With RUN, that completed run is queued and the queue worked off.
"""

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

_SOURCE = Path(__file__).resolve().parents[2]


def run(
    mode: str, number: int, project: Path, *run: str
) -> subprocess.CompletedProcess[str]:
    words = [mode, str(number), str(project), *run]
    return subprocess.run(
        [sys.executable, "-m", "tests.support.kill", *words],
        cwd=_SOURCE,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def effects(project: Path, *name: str) -> list[str]:
    """The names of the effects of an undisturbed scan of `project`."""
    done = run("count", 0, project, *name)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def main() -> None:
    mode, number, project = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    from git_intent import files
    from git_intent.errors import IntentError
    from tests.support.scanning import queue_and_drain, scan

    left = [number]

    def kill(name: str) -> None:
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    real = os.write

    def write(handle: int, data: bytes) -> int:
        if stat.S_ISREG(os.fstat(handle).st_mode) and handle > 2:
            if left[0] <= 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            left[0] -= 1
        return real(handle, data)

    if mode == "count":
        files.on_effect = print
    elif mode == "kill":
        files.on_effect = kill
    elif mode == "full":
        os.write = write
    try:
        queue_and_drain(project, *sys.argv[4:]) if sys.argv[4:] else scan(project)
    except IntentError as error:
        print(error.message, file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
