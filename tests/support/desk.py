"""The owner of a chat at work: the host's hooks, and the commands of the ledger."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from git_intent.cli.main import main
from git_intent.ledger.contract import PREFIXES
from git_intent.ledger.state import State
from tests.support.chat import Documents
from tests.support.repo import Repo, Result
from tests.support.session import Session

WHO = ("--host", "claude", "--session", "s-1")
#: Commands that write one event.
WRITERS = (
    *("capture", "classify-source", "dispose-source", "recover-source", "dispose-gap"),
    *("progress", "action-start", "action-finish", "reconcile-effect"),
)


def here(repo: Repo, *args: str, data: bytes = b"") -> Result:
    """Run the command line in this process, with `data` on its standard input."""
    streams = sys.stdin, sys.stdout, sys.stderr
    kept = [
        io.TextIOWrapper(io.BytesIO(each), encoding="ascii") for each in (data, b"")
    ]
    errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stdin, sys.stdout, sys.stderr = *kept, errors
    try:
        code = main(["-C", str(repo.path), *args])
        out = kept[1].buffer.getvalue()
        err = errors.buffer.getvalue()
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    return Result(code, out.decode("utf-8", "surrogateescape"), err.decode())


@dataclass
class Desk(Documents):
    """A chat of one session in `repo`; `real` starts a process for each command."""

    repo: Repo
    real: bool = False
    who: tuple[str, ...] = WHO
    session: Session = field(init=False)

    def __post_init__(self) -> None:
        self.session = Session(self.repo)

    def configure(self) -> "Desk":
        self.run("init", "--namespace", "team")
        return self

    # What is done

    def run(self, *args: str, document: Any = None) -> Result:
        """`git intent ledger ARGS`; a document that is no bytes is written as JSON."""
        raw = document if isinstance(document, bytes) else json.dumps(document).encode()
        if self.real:
            return self.repo.intent("ledger", *args, input=raw)
        return here(self.repo, "ledger", *args, data=raw)

    def do(self, command: str, document: Any) -> dict[str, Any]:
        """An owner's command that is recorded; its answer."""
        done = self.run(command, *self.who, document=document)
        answer = json.loads(done.out)
        assert (done.code, answer["recorded"], done.err) == (0, True, ""), done
        return answer

    def refused(self, command: str, document: Any, *who: str) -> dict[str, Any]:
        """The refusal of an owner's command, which changes nothing but its evidence."""
        before, kept = self.everything(), self.rejections()
        done = self.run(command, *(who or self.who), document=document)
        answer = json.loads(done.out)
        assert (done.code, answer["recorded"]) == (1, False), done
        assert self.everything() == before
        (record,) = self.rejections()[len(kept) :]
        refusal = answer["refusal"]
        assert record["code"] == refusal["code"]
        assert record["head_after"] == answer["head"]
        assert len(record["document"]) == 64
        assert refusal["code"] in done.err
        return refusal

    def say(self, text: str, **members: Any) -> str:
        """A prompt of the user, through the hook; gives the id of its source."""
        before = set(self.sources())
        self.session.prompt(text, **members)
        (new,) = set(self.sources()) - before
        return new

    def classify(self, source: str, *parts: Any, **more: Any) -> dict[str, Any]:
        return self.do("classify-source", self.classification(source, *parts, **more))

    def dispose(self, source: str, reason: str = "INTERNAL", **more: Any) -> Any:
        document = {"source": source, "reason": reason, "note": "seen", **more}
        return self.do("dispose-source", document)

    def initial(self) -> "Desk":
        """A chat with a contract that has something in every field."""
        source = self.say("Port the parser to Rust. Never push. Keep it fast.")
        adds = [self.add(source, name, f"{name} of old") for name in PREFIXES]
        adds.append(self.add(source, "outcomes", "another outcome"))
        self.classify(source, ("INITIAL", adds))
        return self

    def start(self, **more: Any) -> str:
        document = {"tool": "Edit", "contract": self.hash(), **more}
        return self.do("action-start", document)["action"]

    def finish(self, action: str, result: str = "SUCCEEDED", **more: Any) -> Any:
        effect = {"SUCCEEDED": "APPLIED", "UNKNOWN_EFFECT": "UNKNOWN"}.get(
            result, "NONE"
        )
        document = {"action": action, "result": result, "effect": effect, **more}
        return self.do("action-finish", document)

    def unknown(self, **more: Any) -> str:
        """An action whose effect nobody knows."""
        action = self.start(**more)
        self.finish(action, "UNKNOWN_EFFECT")
        return action

    def rewrite(self, path: str, change: Callable[[bytes], bytes]) -> None:
        """Move the ref on to a commit in whose tree a file has other bytes."""
        old = self.repo.git("show", f"{self.ref}:{path}")
        env = {**os.environ, "GIT_INDEX_FILE": str(self.folder / "index")}
        data = change(f"{old}\n".encode()).decode()
        blob = self.repo.git("hash-object", "-w", "--stdin", input=data)
        self.repo.git("read-tree", self.ref, env=env)
        entry = f"100644,{blob},{path}"
        self.repo.git("update-index", "--cacheinfo", entry, env=env)
        tree = self.repo.git("write-tree", env=env)
        commit = self.repo.git("commit-tree", "-p", self.ref, "-m", "x", tree)
        self.repo.git("update-ref", self.ref, commit)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """While this is entered the ledger's lock is held: nothing is drained."""
        lock = self.session.ledger.journal.lock.acquire(1)
        try:
            yield
        finally:
            lock.release()

    # What there is

    @property
    def state(self) -> State:
        return self.session.ledger.read().state

    def shown(self) -> dict[str, Any]:
        """The state as `show --json` prints it."""
        return json.loads(self.text("show", *self.who, "--json"))["state"]

    def text(self, *args: str) -> str:
        done = self.run(*args)
        assert done.code == 0, done
        return done.out

    def hash(self) -> str:
        return self.session.view()["contract_hash"]

    def sources(self) -> list[str]:
        if not self.session.ledger.journal.tip():
            return []
        return [each["id"] for each in self.listed()]

    def listed(self, *options: str) -> list[dict[str, Any]]:
        listed = self.text("sources", *self.who, "--json", *options)
        return json.loads(listed)["sources"]

    def bytes_of(self, source: str) -> bytes:
        record = self.state.find("sources", source)
        assert record, source
        return self.session.blob(record["sha256"])

    def events(self) -> list[dict[str, Any]]:
        return json.loads(self.text("log", *self.who, "--json"))["events"]

    def log(self, name: str) -> str:
        return self.text("log", name, *self.who)

    def card(self) -> str:
        return (self.folder / "objective.txt").read_text("utf-8")

    @property
    def folder(self) -> Path:
        return Path(self.session.place.folder)

    def tip(self) -> str:
        return self.repo.git("rev-parse", "-q", "--verify", self.ref, check=False)

    @property
    def ref(self) -> str:
        return self.session.place.ref

    def everything(self) -> Any:
        """What a refusal leaves alone."""
        names = ("objective.txt", "current.json", "journal.jsonl")
        files = [self.folder / name for name in names]
        inbox = self.folder / "inbox"
        return (
            self.tip(),
            [path.read_bytes() for path in files if path.exists()],
            sorted(path.name for path in inbox.glob("*")),
        )

    def rejections(self) -> list[dict[str, Any]]:
        return [
            json.loads((self.folder / "faults" / name).read_bytes())
            for name in self.session.ledger.evidence.names("rejection")
        ]
