"""A real client: how it is set up, spoken to, and what it is made to do."""

import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from tests.real_hosts.model import Call, Dialect, Model, Say, Script, Talk
from tests.real_hosts.packages import PACKAGES, Package
from tests.real_hosts.world import Ledger, World

#: What the model claims to have read when the client is to compact the conversation.
FULL = 900_000
#: What a subagent is told to do.
CHILD_TASK = "CHILD: look at the palettes and report."
_SECONDS = 60  # for a prompt


@dataclass(frozen=True)
class Turn:
    """What came of one prompt; `talks` is what the model was asked meanwhile."""

    code: int
    out: str
    err: str
    talks: list[Talk]

    def of(self, words: str) -> list[Talk]:
        """The requests in which the user's last words hold these."""
        return [talk for talk in self.talks if words in talk.user]


class Client(ABC):
    """A client in a world of its own, against a model that is being served."""

    host: str
    dialect: type[Dialect]
    #: Whether hooks can tell the model something before the prompt after a compaction.
    tells_after_compaction = False

    def __init__(self, world: World, model: Model) -> None:
        self.world, self.model = world, model
        self.session = ""
        self.prepare()

    @classmethod
    def package(cls) -> Package:
        return PACKAGES[cls.host]

    @property
    def program(self) -> str:
        return str(self.package().executable)

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.world, self.host, self.session)

    # What differs from client to client

    @abstractmethod
    def prepare(self) -> None:
        """Configure it for the model, and for nothing else."""

    @abstractmethod
    def trust(self) -> None:
        """Do what a user does to have the project's hooks run."""

    @abstractmethod
    def words(self, prompt: str, *options: str) -> list[str]:
        """The command line of a prompt; it goes on with `session` if there is one."""

    @abstractmethod
    def told_session(self, out: str) -> str:
        """The id of the session, from the client itself and not from a hook."""

    @abstractmethod
    def edit(self, path: Path, text: str) -> Call:
        """A call of the client's tool that writes a file."""

    def edits(self, path: Path, text: str) -> list[Call]:
        """Every kind of call that the client itself takes for an edit."""
        return [self.edit(path, text)]

    @abstractmethod
    def delegate(self, talk: Talk) -> Say | Call:
        """What the model does to have CHILD_TASK done by a subagent."""

    @abstractmethod
    def harmless(self) -> Call:
        """A call that changes nothing."""

    def summarises(self, talk: Talk) -> bool:
        """Whether the client asks for a summary of the conversation."""
        return False

    def editing(self) -> list[str]:
        """Options for a session that has the tool of `edit`."""
        return []

    def environ(self) -> dict[str, str]:
        return {}

    # What is the same

    def install(self, *options: str) -> None:
        self.world.intent("install", self.host, *options)
        self.world.git("add", "-A")
        self.world.git("commit", "-q", "-m", "Install hooks")

    def say(self, prompt: str, script: Script | None = None, *options: str) -> Turn:
        """One prompt without a terminal, in the session that there is by then."""
        before = len(self.model.talks)
        self.model.script = script or (lambda _: Say())
        done = self.run(self.words(prompt, *options))
        self.session = self.told_session(done.stdout) or self.session
        talks = self.model.talks[before:]
        return Turn(done.returncode, done.stdout, done.stderr, talks)

    def run(self, words: list[str]) -> "subprocess.CompletedProcess[str]":
        return self.world.run(words, _SECONDS, **self.environ())
