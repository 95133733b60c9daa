"""Chats of any length to measure with, written as their owner would have written them.

Every event is composed and folded by the rules and has a commit of its own, whose tree
is laid out as the ledger lays it out. Only syncing is left out, and the ref moves once,
at the end: a ledger of 10,000 events takes seconds to make.

    with History.begin(folder, "long") as history:
        history.work(10_000)
    ledger = history.ledger

`pair` has a short and a long one, which stand at the same place of their segments and
have an equal contract: whatever costs more in the long one, costs more by its length.
"""

import hashlib
import os
import subprocess
import tempfile
import zlib
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from git_intent.ledger import created
from git_intent.ledger import fold as rules
from git_intent.ledger.appending import Appending
from git_intent.ledger.capture import from_spool
from git_intent.ledger.chain import Tip
from git_intent.ledger.citation import binding
from git_intent.ledger.fold import Draft
from git_intent.ledger.home import open_home
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.objects import Objects
from git_intent.ledger.outside import Outside
from git_intent.ledger.state import State

NAMESPACE, HOST = "team", "claude"
ORIGIN = "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR"
START = 1_767_323_045
#: Both are 10 events into a segment.
SHORT, LONG = 10, 157 * 64 + 10
WORDS = (
    "the parser keeps comments, quotes only what needs it, and tells where it failed"
)
_REMEMBERED = 1_000


class _Unsynced(Objects):
    """Objects as the ledger writes them, that a power loss may take."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger.home)
        self._near: dict[str, tuple[str, bytes]] = {}

    def read(self, oid: str, kind: str) -> bytes | None:
        held = self._near.get(oid)
        if held is not None:
            return held[1] if held[0] == kind else None
        return super().read(oid, kind)

    def flush(self) -> None:
        for oid, (kind, data) in self._queued.items():
            path = Path(self.home.common_dir, "objects", oid[:2], oid[2:])
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(zlib.compress(f"{kind} {len(data)}\0".encode() + data, 6))
        self._near |= self._queued
        for oid in list(self._near)[:-_REMEMBERED]:
            del self._near[oid]
        self._queued = {}


class History:
    """A chat in the making; nothing of it is to be seen before the block ends.

    `together` is how many events make a commit, as when a full spool is drained.
    """

    def __init__(self, ledger: Ledger, together: int = 1) -> None:
        self.ledger = ledger
        self._objects = _Unsynced(ledger)
        self._fold = ledger.journal.fold
        self._tip: Tip[State] = ledger.journal.read(self._objects, "")
        self._appending: Appending[State] | None = None
        self._together = together
        self._seconds = START
        self._said = 0

    @classmethod
    def begin(cls, home: Path, chat: str, together: int = 1) -> "History":
        """A new chat in the repository at `home`, which is made if need be."""
        if not home.exists():
            subprocess.run(("git", "init", "-q", "--bare", home), check=True)
        return cls(Ledger(open_home(str(home), ""), NAMESPACE, chat), together)

    def __enter__(self) -> "History":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._commit("the last of them", last=True)
        self._objects.__exit__(kind, error, trace)
        if error is None:
            home, ref = self.ledger.home.common_dir, self.ledger.place.ref
            move = ("git", "-C", home, "update-ref", ref, self._tip.commit)
            subprocess.run(move, check=True)
            if not self.ledger.refresh():
                raise SystemExit(f"{ref} could not be projected")

    @property
    def state(self) -> State:
        return self._tip.state

    @property
    def size(self) -> int:
        return self.state.seq

    def say(self, text: str = "") -> dict[str, Any]:
        """A prompt of the user; gives its record."""
        self._said += 1
        data = (text or f"Prompt {self._said}: {WORDS}").encode()
        header = prompt(self.ledger.chat, data)
        if not self.size:
            self._add(created.creating(HOST, header["session"], "default"))
        draft = from_spool(self.state, header, data, self._edge("hook"))
        if draft is None:
            raise SystemExit("captured twice")
        self._commit(self._add(draft))
        return self.state.sources[header["id"]]

    def do(self, command: str, document: dict[str, Any]) -> None:
        """A command of the owner."""
        draft = rules.compose(command, self.state, document, self._edge("owner"))
        if not isinstance(draft, Draft):
            raise SystemExit(f"{command} was done already")
        self._commit(self._add(draft))

    def work(self, events: int) -> None:
        """Go on until there are so many: prompts that correct the one outcome or say
        nothing new, and what is done about them. The contract stays as large as it is,
        and a line has 600 bytes on average."""
        if not self.size:
            self.do("classify-source", initial(self.state, self.say()))
        while self.size < events:
            settle = self._correct if self._said % 2 else self._dispose
            source = self.say()
            for step in (settle, self._start, self._finish, self._progress):
                if self.size < events:
                    step(source)

    def settle(self) -> None:
        """Leave nothing pending behind."""
        for source in list(self.state.sources):
            self.do("dispose-source", disposal(source))
        for action in list(self.state.actions):
            self.do("action-finish", finish(action))

    def _correct(self, source: dict[str, Any]) -> None:
        outcome = next(iter(self.state.outcomes))
        text = f"{WORDS}, as prompt {self._said} wants it"
        change = {"op": "correct", "corrects": outcome, "text": text}
        self.do("classify-source", classified(self.state, source, "CORRECT", [change]))

    def _dispose(self, source: dict[str, Any]) -> None:
        self.do("dispose-source", disposal(source["id"]))

    def _start(self, source: dict[str, Any]) -> None:
        self.do("action-start", start(self.state))

    def _finish(self, source: dict[str, Any]) -> None:
        self.do("action-finish", finish(next(iter(self.state.actions))))

    def _progress(self, source: dict[str, Any]) -> None:
        self.do("progress", progress(self.state, self._said))

    @property
    def _open(self) -> Appending[State]:
        """What goes into the next commit."""
        if self._appending is None:
            self._appending = Appending(self._tip, self._fold)
        return self._appending

    def _edge(self, kind: str) -> Outside:
        actor = {"kind": kind, "host": HOST, "session": self.ledger.chat}
        return Outside(
            self._objects, self._open, actor, lambda: self._seconds, os.urandom, ""
        )

    def _add(self, draft: Draft) -> str:
        event = rules.propose(self.state, draft, self._edge("owner"))
        rules.fold(self.state, event)
        self._open.add(event.line, draft.sources, draft.evidence)
        return draft.summary

    def _commit(self, subject: str, *, last: bool = False) -> None:
        self._seconds += 1
        made = self._open
        if len(made.lines) >= (1 if last else self._together):
            made.commit(subject, self._seconds, os.urandom(16).hex())
            self._appending = None


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """Where the shared chats lie as long as this process runs."""
    return tempfile.TemporaryDirectory(prefix="git-intent-bench-")


@cache
def pair() -> tuple[Ledger, Ledger]:
    """A short and a long ledger, in homes of their own; whoever writes to one writes
    as much to the other."""
    made = []
    for name, events in (("short", SHORT), ("long", LONG)):
        with History.begin(Path(_folder().name, name), "s-1") as history:
            history.work(events)
        made.append(history.ledger)
    return made[0], made[1]


def prompt(session: str, data: bytes) -> dict[str, Any]:
    """What a hook says of a prompt."""
    return {
        "v": 1,
        "kind": "prompt",
        "id": f"src-{os.urandom(16).hex()}",
        "host": HOST,
        "session": session,
        "turn": f"turn-{os.urandom(8).hex()}",
        "at": "2026-01-02T03:04:05.678Z",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "origin": ORIGIN,
        "encoding": "utf-8",
        "flags": [],
        "skip": [],
    }


def initial(state: State, source: dict[str, Any]) -> dict[str, Any]:
    """A first contract."""
    wanted = {
        "objective": "A configuration library that people can trust",
        "policies": "Small steps, each with its tests",
        "constraints": "No dependency at run time",
        "prohibitions": "Never write to a file that was not asked for",
        "outcomes": WORDS,
    }
    added = [
        {"op": "add", "field": field, "text": text} for field, text in wanted.items()
    ]
    return classified(state, source, "INITIAL", added)


def classified(
    state: State,
    source: dict[str, Any],
    disposition: str,
    changes: list[dict[str, Any]],
) -> dict[str, Any]:
    """A classification in one part, whose transitions cite the whole prompt."""
    more = {"disposition": disposition, "bindings": [binding(source)]}
    return {
        "source": source["id"],
        "base_contract": state.contract_hash,
        "parts": [
            {
                "disposition": disposition,
                "span": [0, source["bytes"]],
                "transitions": [{**change, **more} for change in changes],
            }
        ],
    }


def disposal(source: str) -> dict[str, Any]:
    return {"source": source, "reason": "INTERNAL", "note": WORDS, "links": []}


def start(state: State) -> dict[str, Any]:
    return {
        "tool": "Edit",
        "what": WORDS,
        "contract": state.contract_hash,
        "serves": [next(iter(state.outcomes))],
        "depends": [],
    }


def finish(action: str) -> dict[str, Any]:
    return {
        "action": action,
        "result": "SUCCEEDED",
        "effect": "APPLIED",
        "evidence": [{"text": f"What {action} printed"}],
    }


def progress(state: State, number: int = 0) -> dict[str, Any]:
    outcome = next(iter(state.outcomes))
    seen = {"state": "ACTIVE", "evidence": [{"text": f"Test run {number} passed"}]}
    return {
        "contract": state.contract_hash,
        "outcomes": {outcome: seen},
        "next_work": [WORDS],
    }
