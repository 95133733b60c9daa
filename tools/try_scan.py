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
        subprocess.run(["git", "clone", "-q", str(source), str(clone)], check=True)
        intent = [sys.executable, "-m", "git_intent", "-C", str(clone)]
        print(f"Scanning a clone of {source}\n", flush=True)
        code = subprocess.run([*intent, "scan"], check=False).returncode
        if code:
            return code
        show = ["git", "-C", str(clone), "--no-pager", "show", "--stat", "--format=%B"]
        print("\nWhat the scan committed:\n", flush=True)
        subprocess.run([*show, "HEAD", "--", ".cloche/intent"], check=True)
        print("\nWhat it found:\n", flush=True)
        return subprocess.run([*intent, "list"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
