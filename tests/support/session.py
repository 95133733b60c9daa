"""A session of a coding agent in a real repository: its hooks, what they leave."""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from git_intent.hosts import draining, ending
from git_intent.hosts.handle import handle, needed
from git_intent.hosts.world import World
from git_intent.ledger.examples import example
from git_intent.ledger.home import Home, open_home
from git_intent.ledger.hot import Place
from git_intent.ledger.ledger import Ledger
from tests.support import wording
from tests.support.repo import Repo, Result


@dataclass
class Answer:
    """What a hook printed."""

    out: bytes
    notes: list[str]
    host: str = "claude"

    @property
    def specific(self) -> dict[str, Any]:
        return json.loads(self.out)["hookSpecificOutput"] if self.out else {}

    @property
    def context(self) -> str:
        """The text for the model; empty if there is none."""
        return wording.context(self.host, self.out)

    @property
    def denied(self) -> str:
        """Why a tool may not be used; empty if it may."""
        return wording.denied(self.host, self.out)


@dataclass
class Session:
    """One session of a host in `repo`, whose ledgers lie in it unless told."""

    repo: Repo
    session: Any = "s-1"
    host: str = "claude"
    namespace: str = "team"
    turns: int = 0
    env: dict[str, str] = field(default_factory=dict)
    ended: list[list[str]] = field(default_factory=list)

    def configure(self, home: Path | None = None) -> "Session":
        self.repo.git("config", "intent.ledgerHome", str(home or self.repo.path))
        self.repo.git("config", "intent.namespace", self.namespace)
        return self

    def payload(self, event: str, **members: Any) -> bytes:
        return wording.payload(self.host, event, self.session, members)

    def hook(self, event: str, raw: bytes | None = None, **members: Any) -> Answer:
        """Let one event happen within this process; every drain is at once, and the
        recording of a chat is noted in `ended` alone."""
        if raw is None:
            raw = self.payload(event, **members)
        environ = {**os.environ, **self.env}
        event = wording.native(self.host, event)
        if not needed(self.host, event, environ):
            return Answer(b"", [], self.host)
        outside, world = ending.detached, World(environ, str(self.repo.path))
        ending.detached = self.ended.append
        try:
            outcome = handle(self.host, event, raw, world)
        finally:
            ending.detached = outside
        notes = outcome.notes
        if outcome.after is not None:
            detached = draining.detached
            draining.detached = lambda place, spool, _: draining.at_once(place, spool)
            try:
                notes = notes + (outcome.after() or [])
            finally:
                draining.detached = detached
        return Answer(outcome.out, notes, self.host)

    def prompt(self, text: Any, **members: Any) -> Answer:
        """The user says something, in a turn of its own."""
        self.turns += 1
        turn = {wording.TURN[self.host]: f"turn-{self.turns}"}
        return self.hook("UserPromptSubmit", prompt=text, **{**turn, **members})

    def run(self, event: str, raw: bytes | None = None, **options: Any) -> Result:
        """The same event through the real program."""
        data = self.payload(event) if raw is None else raw
        named = wording.native(self.host, event)
        words = ("hook", "--host", self.host, "--event", named)
        return self.repo.intent(*words, input=data, **options)

    @property
    def home(self) -> Home:
        path = self.repo.git("config", "intent.ledgerHome")
        return open_home(path, os.environ["HOME"])

    @property
    def place(self) -> Place:
        return Place(self.home, self.namespace, self.session)

    @property
    def ledger(self) -> Ledger:
        place = self.place
        return Ledger(place.home, place.namespace, place.chat)

    @property
    def owner(self) -> dict[str, str]:
        return {"kind": "owner", "host": self.host, "session": self.session}

    def write(self, command: str, document: dict[str, Any]) -> dict[str, Any]:
        """An owner's command; its answer."""
        answer = self.ledger.write(command, document, self.owner)
        assert answer.exit_code == 0, answer.as_json()
        return answer.as_json()

    def example(self, command: str, **members: Any) -> dict[str, Any]:
        """Carry out a command with the document that is its example now."""
        return self.write(command, {**self.document(command), **members})

    def document(self, command: str) -> dict[str, Any]:
        """The document that is a command's example now."""
        return example(command, self.ledger.read().state)

    def initial(self) -> None:
        """Make a contract of the oldest pending prompt."""
        self.example("classify-source")

    def settle(self) -> None:
        """Dispose of every pending prompt."""
        while self.pending():
            self.example("dispose-source")

    def view(self) -> dict[str, Any]:
        return self.ledger.read().view

    def pending(self) -> list[str]:
        return [source["id"] for source in self.view()["pending_sources"]]

    def tip(self) -> str:
        return self.repo.git("rev-parse", self.place.ref)

    def sources(self) -> list[bytes]:
        """The bytes of every prompt in the journal, in order."""
        lines = self.repo.git("show", f"{self.place.ref}:journal/000001.jsonl")
        events = [json.loads(line) for line in lines.splitlines()]
        found = [e["body"]["sha256"] for e in events if e["type"] == "source-captured"]
        return [self.blob(digest) for digest in found]

    def blob(self, digest: str) -> bytes:
        name = f"{self.place.ref}:sources/{digest[:2]}/{digest}"
        return subprocess.run(
            ["git", "cat-file", "blob", name],
            cwd=self.home.common_dir,
            capture_output=True,
            check=True,
        ).stdout

    def objective(self) -> str:
        return Path(self.place.objective).read_text("utf-8")


def listing(*folders: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below the folders: mode, time and bytes of each."""
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            stat = path.lstat()
            if path.is_file():
                found[str(path)] = (stat.st_mode, stat.st_mtime_ns, path.read_bytes())
            else:
                found[str(path)] = (stat.st_mode, 0, b"")
    return found
