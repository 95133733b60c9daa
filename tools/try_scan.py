"""Scan a temporary clone of a repository and show what would be committed.

`python tools/try_scan.py [REPO]`: the repository itself is read and never changed.
"""

import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    source = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    with tempfile.TemporaryDirectory(prefix="git-intent-try-") as folder:
        clone = Path(folder) / "clone"
        intent = [sys.executable, "-m", "git_intent", "-C", str(clone)]
        git = ["git", "-C", str(clone), "--no-pager"]
        return (
            _run("git", "clone", "-q", str(source), str(clone))
            or _run(*intent, "scan", title=f"Scanning a clone of {source}")
            or _run(
                *(*git, "log", "-1", "--stat", "--format=%B", "--", ".cloche/intent"),
                title="What a scan committed",
            )
            or _run(*intent, "list", title="What the store holds now")
        )


def _run(*command: str, title: str = "") -> int:
    """Show what `command` prints, below a title; give its exit code."""
    if title:
        print(f"\n{title}\n", flush=True)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
