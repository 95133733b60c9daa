"""A chat's ledger in memory: the pure core with a test for its world."""

import hashlib
from collections.abc import Iterable
from typing import Any

from git_intent.ledger import created, fold
from git_intent.ledger.archive import Archive
from git_intent.ledger.citation import binding
from git_intent.ledger.contract import clauses
from git_intent.ledger.event import Event
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State
from git_intent.ledger.view import view

NAMESPACE, CHAT = "team", "s-1"


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class World:
    """An Edge: bytes by hash, files by reference, and a clock that stands still."""

    def __init__(self) -> None:
        self.at = "2026-01-02T03:04:05Z"
        self.actor = {"kind": "owner", "host": "claude", "session": CHAT}
        self.sources: dict[str, bytes] = {}
        self.evidence: dict[str, bytes] = {}
        self.files: dict[str, bytes] = {}
        self.minted = 0

    def mint(self) -> str:
        self.minted += 1
        return f"{self.minted:032x}"

    def has_source(self, digest: str) -> bool:
        return digest in self.sources

    def has_evidence(self, digest: str) -> bool:
        return digest in self.evidence

    def read_source(self, digest: str) -> bytes | None:
        return self.sources.get(digest)

    def read_evidence(self, digest: str) -> bytes | None:
        return self.evidence.get(digest)

    def read_reference(self, ref: str) -> bytes | None:
        return self.files.get(ref)

    def read_unbound(self, name: str) -> None:
        return None


class Documents:
    """Documents for a ledger in a state, whatever keeps it."""

    state: State

    def bytes_of(self, source: str) -> bytes:
        raise NotImplementedError

    def classification(
        self, source: str, *parts: tuple[str, Any], **more: Any
    ) -> dict[str, Any]:
        """The document of a classification; parts are of the whole source."""
        data = self.bytes_of(source)
        of_part = {name: more.pop(name) for name in ("all", "scope") if name in more}
        return {
            "source": source,
            "base_contract": self.state.contract_hash,
            "parts": [
                {
                    "disposition": disposition,
                    "span": [0, len(data)],
                    "transitions": [
                        {"disposition": disposition, **transition}
                        for transition in transitions
                    ],
                    **of_part,
                }
                for disposition, transitions in parts
            ],
            **more,
        }

    def binding(
        self, source: str, start: int = 0, end: int | None = None
    ) -> dict[str, Any]:
        """A binding to a source, by default to all of it."""
        data = self.bytes_of(source)
        record = self.state.find("sources", source)
        assert record
        return binding(record, [start, len(data) if end is None else end], data)

    def add(self, source: str, field: str, text: str, **more: Any) -> dict[str, Any]:
        """An `add` that rests on all of a source."""
        return {"op": "add", "field": field, **self.worded(source, text), **more}

    def worded(self, source: str, text: str) -> dict[str, Any]:
        return {"text": text, "bindings": [self.binding(source)]}

    def contract(self) -> dict[str, Any]:
        return self.state.contract

    def ids(self, field: str) -> list[str]:
        """The ids of the clauses of a field."""
        return [
            held["id"] for name, held in clauses(self.state.contract) if name == field
        ]

    def view(self) -> dict[str, Any]:
        return view(self.state)


class Chat(Documents):
    """One chat; `lines` is its journal."""

    def __init__(self) -> None:
        self.world = World()
        self.state = fresh()
        self.lines: list[bytes] = []
        self._append(created.creating("claude", CHAT, "default"))

    # What comes in

    def say(self, text: str | bytes, turn: str | None = None, **header: Any) -> str:
        """A prompt; gives the id of its source."""
        from git_intent.ledger.capture import from_spool

        data = text if isinstance(text, bytes) else text.encode()
        known = {
            "id": f"src-{self.world.mint()}",
            "kind": "prompt",
            "host": "claude",
            "session": CHAT,
            "turn": turn,
            "at": self.world.at,
            "sha256": sha(data),
            "bytes": len(data),
            "origin": "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR",
            "flags": [],
            "skip": [],
            **header,
        }
        draft = from_spool(self.state, known, data, self.world)
        assert draft
        return self._append(draft).body["source"]

    def lost(self, text: str, **header: Any) -> dict[str, Any]:
        """What a hook says of a prompt whose bytes it could not keep."""
        return {
            "id": f"gap-{self.world.mint()}",
            "kind": "gap",
            "host": "claude",
            "session": CHAT,
            "turn": None,
            "at": self.world.at,
            "sha256": sha(text.encode()),
            "bytes": len(text.encode()),
            "origin": "HOST_USER_PROMPT_SESSION_BOUND_UNVERIFIED_ACTOR",
            "reason": "disk full",
            **header,
        }

    def lose(self, text: str) -> str:
        """A prompt whose bytes could not be kept; gives the id of its gap."""
        from git_intent.ledger.capture import from_spool

        draft = from_spool(self.state, self.lost(text), b"", self.world)
        assert draft
        return self._append(draft).body["gap"]

    # What the owner does

    def do(self, command: str, document: Any) -> Event:
        """Record a document; raises Refusal."""
        draft = fold.compose(command, self.state, document, self.world)
        assert isinstance(draft, fold.Draft)
        return self._append(draft)

    def refused(self, command: str, document: Any) -> Refusal:
        """The refusal of a document, which leaves everything as it was."""
        before = self.everything()
        try:
            self.do(command, document)
        except Refusal as refusal:
            assert self.everything() == before
            return refusal
        raise AssertionError(f"{command} was not refused: {document}")

    def classify(
        self, source: str, disposition: str, *transitions: dict[str, Any], **more: Any
    ) -> Event:
        """Classify a source in one part."""
        return self.do(
            "classify-source",
            self.classification(source, (disposition, transitions), **more),
        )

    # What there is

    def bytes_of(self, source: str) -> bytes:
        record = self.state.find("sources", source)
        assert record, source
        return self.world.sources[record["sha256"]]

    def everything(self) -> Any:
        """What a refusal must leave alone."""
        from git_intent.files import canonical_json

        keys = self.state.archive.all_keys()
        archive = {key: self.state.archive.get(key) for key in keys}
        return (
            list(self.lines),
            canonical_json(fold.dump(self.state)),
            canonical_json(archive),
        )

    def _append(self, draft: fold.Draft) -> Event:
        event = fold.propose(self.state, draft, self.world)
        fold.fold(self.state, event)
        self.world.sources |= draft.sources
        self.world.evidence |= draft.evidence
        self.lines.append(event.line)
        return event


def fresh() -> State:
    """The state before the first event."""
    return State(NAMESPACE, CHAT, Archive())


def settled(chat: Chat | None = None) -> Chat:
    """A chat with a contract that has something in every field."""
    chat = chat or Chat()
    source = chat.say("Port the parser. Never push. Keep it fast, in Rust.")
    chat.classify(
        source,
        "INITIAL",
        chat.add(source, "objective", "Port the parser to Rust"),
        chat.add(source, "policies", "Ask before adding a dependency"),
        chat.add(source, "constraints", "As fast as before"),
        chat.add(source, "prohibitions", "Never push"),
        chat.add(source, "outcomes", "The parser passes its tests"),
        chat.add(source, "outcomes", "The old parser is removed"),
    )
    return chat


def replayed(lines: Iterable[bytes], state: State | None = None) -> State:
    """The state after these lines; raises Corrupt."""
    state = state or fresh()
    for line in lines:
        fold.replay(state, line)
    return state
