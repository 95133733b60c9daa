"""A user's machine for one client: a home, and a project with requirements in it."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_intent.store.requirement import Level, Scope
from tests.support.snapshots import requirement, store

STANDING, BEARING, OTHER = "req-0001", "req-0002", "req-0003"
#: A prompt that BEARING bears on, and OTHER does not.
TASK = "Retry the invoice that failed, and tell how often it was tried."
_DOMAINS = (
    "  - name: billing\n    description: Invoices\n    paths: [src/billing/**]\n"
    "  - name: colours\n    description: Palettes\n    paths: [src/colours/**]\n"
)
_GIT = (
    "[user]\n\tname = A Person\n\temail = person@example.invalid\n"
    "[init]\n\tdefaultBranch = main\n"
)
_NAMESPACE = "team"
_PATIENCE = 20.0  # seconds for what happens in the background


@dataclass(frozen=True)
class World:
    """`home` is the user's, `project` a repository that keeps the ledgers as well."""

    home: Path
    project: Path
    environ: dict[str, str]

    @classmethod
    def make(cls, folder: Path) -> "World":
        home, project = folder / "home", folder / "heron"
        home.mkdir(parents=True)
        project.mkdir()
        (home / ".gitconfig").write_text(_GIT)
        programs = [str(Path(sys.executable).parent), *_path_of("git", "node", "sh")]
        environ = {
            "HOME": str(home),
            "PATH": os.pathsep.join(dict.fromkeys(programs)),
            "TMPDIR": str(folder),
            "TERM": "dumb",
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
        }
        world = cls(home, project, environ)
        world._fill()
        return world

    def _fill(self) -> None:
        self.git("init", "-q")
        found = store(
            requirement(STANDING, statement="Keep the café's promise."),
            requirement(
                BEARING,
                statement="Retry a failed invoice three times.",
                scope=Scope(Level.DOMAIN, ("billing",)),
            ),
            requirement(
                OTHER,
                statement="Never mix colours of two palettes.",
                scope=Scope(Level.DOMAIN, ("colours",)),
            ),
            domains=_DOMAINS,
        )
        for path, data in {**found, "notes.txt": b"as it was\n"}.items():
            target = self.project / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        self.intent("ledger", "init", "--namespace", _NAMESPACE)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "One")

    # Programs

    def run(
        self, words: list[str], seconds: float = 120, **more: str
    ) -> "subprocess.CompletedProcess[str]":
        """A program in the project, with nothing to read."""
        return subprocess.run(
            words,
            cwd=self.project,
            env={**self.environ, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def git(self, *words: str) -> str:
        done = self.run(["git", *words])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def intent(self, *words: str, fails: bool = False) -> str:
        """`git intent`, as a user has it on the PATH; its output."""
        done = self.run(["git", "intent", *words])
        assert fails or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self.intent(*words, "--json"))

    # What is kept

    def chats(self) -> list[str]:
        """The chats that have a ledger."""
        prefix = f"refs/intent/ledger/{_NAMESPACE}/"
        names = self.git("for-each-ref", "--format=%(refname)", prefix).split()
        return [name.removeprefix(prefix) for name in names]

    def unbound(self) -> list[Path]:
        """The files of prompts that belong to no chat."""
        spool = self.home / ".local/state/git-intent/spool"
        return list(spool.iterdir()) if spool.is_dir() else []

    def runs(self) -> list[str]:
        """The chats on record."""
        return self.git(
            "for-each-ref", "--format=%(refname)", "refs/intent/runs"
        ).split()

    def doctor(self, host: str) -> dict[str, Any]:
        """What `git intent doctor` knows of a host's hooks."""
        found = json.loads(self.intent("doctor", "--json", fails=True))
        (one,) = [each for each in found["hosts"] if each["host"] == host]
        return one


@dataclass(frozen=True)
class Ledger:
    """The ledger of one chat, as its owner sees it."""

    world: World
    host: str
    session: str

    def _do(self, command: str, *words: str) -> str:
        speaker = ("--host", self.host, "--session", self.session)
        return self.world.intent("ledger", command, *speaker, *words)

    def view(self) -> dict[str, Any]:
        """What stands in the journal."""
        return json.loads(self._do("show", "--json"))["state"]

    def prompts(self) -> list[str]:
        """What the user said, in order: of each prompt what is not to be skipped."""
        found = json.loads(self._do("sources", "--json"))["sources"]
        return [self._words(source) for source in found]

    def _words(self, source: dict[str, Any]) -> str:
        data = self._do("read-source", source["id"]).encode()
        for start, end in reversed(source["skip"]):
            data = data[:start] + data[end:].removeprefix(b"\n").removeprefix(b"\n")
        return data.decode()

    def pending(self) -> list[str]:
        found = json.loads(self._do("sources", "--pending", "--json"))["sources"]
        return [source["id"] for source in found]

    def settle(self) -> None:
        """Make a contract of the first prompt; the others change nothing."""
        document = self.world.project.parent / "document.json"
        for number, _ in enumerate(self.pending()):
            first = not number and self.view()["status"] != "LIVE"
            command = "classify-source" if first else "dispose-source"
            document.write_text(self._do(command, "--example"))
            self._do(command, "--file", str(document))


def eventually(what: Callable[[], Any], wanted: Any = None) -> Any:
    """What it is when it is as wanted, or anything if nothing is; or after a while."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        found = what()
        if found if wanted is None else found == wanted:
            break
        time.sleep(0.1)
    return found


def _path_of(*programs: str) -> list[str]:
    return [str(Path(found).parent) for p in programs if (found := shutil.which(p))]
