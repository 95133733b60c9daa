"""Run the `console` examples of a page, and compare what they print with the page.

A line that begins with `$ ` is a command for bash; one with `<<'EOF'` goes on until
that word. What follows is its output, stderr included. Ids, hashes and times differ
from run to run: those of the page are paired with the real ones as they come up, and
later commands are run with the real ones.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.repo import _SOURCE

_TOKEN = re.compile(
    r"\b(?:(?:src|gap)-[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{40}"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?)"
)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """(command, output) of each command in a block."""
    lines = iter(text.splitlines())
    command, output = "", list[str]()
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield command, "".join(output)
            command, output = line[2:], []
            if line.endswith("<<'EOF'"):
                for inner in lines:
                    command += f"\n{inner}"
                    if inner == "EOF":
                        break
        else:
            output.append(f"{line}\n")
    if command:
        yield command, "".join(output)


@dataclass
class Console:
    """A shell in `folder`, which the page calls `shown`."""

    folder: Path
    shown: str
    known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        script = self.folder.parent / "bin" / "git-intent"
        script.parent.mkdir(parents=True, exist_ok=True)
        program = f'exec "{sys.executable}" -m git_intent "$@"'
        script.write_text(f"#!/bin/sh\n{program}\n")
        script.chmod(0o755)

    def run(self, command: str) -> str:
        """What a command prints, with the folder's name of the page."""
        path = f"{self.folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", self.real(command)],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "PYTHONPATH": _SOURCE},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
        )
        self._settle()
        return done.stdout.decode().replace(str(self.folder), self.shown)

    def real(self, text: str) -> str:
        """Text of the page with the ids and hashes that are real here."""
        return _TOKEN.sub(lambda m: self.known.get(m[0], m[0]), text)

    def pair(self, wanted: str, printed: str) -> None:
        """Compare an output with the page's, and learn what is real here."""
        assert _TOKEN.sub("…", printed) == _TOKEN.sub("…", wanted)
        pairs = zip(_TOKEN.findall(wanted), _TOKEN.findall(printed), strict=True)
        for one, other in pairs:
            if not one[4:5] == "-" == one[7:8]:
                assert self.known.setdefault(one, other) == other, one

    def _settle(self) -> None:
        """Let a drainer in the background come to its end."""
        deadline = time.monotonic() + 3
        ledgers = self.folder / ".git" / "intent" / "ledger"
        while time.monotonic() < deadline:
            if not [*ledgers.glob("*/*/inbox/*"), *ledgers.glob("*/*/lock")]:
                return
            time.sleep(0.02)
