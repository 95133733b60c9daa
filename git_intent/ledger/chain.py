"""The commits of a ledger's ref, read into a state.

Reading needs the root tree, the checkpoint and the segments after it, so it costs the
same in a long ledger as in a short one. Anything unexpected in the tree is Corrupt;
nothing is repaired here. `appending` writes the next commit.

What a line means is the fold's business: a `Fold` makes the state, replays a line into
it and dumps it. A state has `seq`, `head` and an `archive`.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from git_intent.files import sha256
from git_intent.ledger import commit_object
from git_intent.ledger.archive import Archive
from git_intent.ledger.layout import (
    decode_checkpoint,
    full,
    part_name,
    segment_name,
)
from git_intent.ledger.objects import FOLDER, Objects, Tree
from git_intent.ledger.refusal import Corrupt, Newer


class Folded(Protocol):
    """What a chain needs to know of a state."""

    seq: int
    head: str
    archive: Archive


S = TypeVar("S", bound=Folded)


@dataclass(frozen=True, slots=True)
class Fold(Generic[S]):
    """How lines become a state. `replay` and `load` raise Corrupt."""

    begin: Callable[[Archive], S]
    replay: Callable[[S, bytes], Any]
    dump: Callable[[S], dict[str, Any]]
    load: Callable[[dict[str, Any], Archive], S]


#: Told of a sealed segment: its number, the state then, the archive's part.
Sealed: TypeAlias = Callable[[int, S, dict[str, Any]], None]


def ignore(number: int, state: Any, part: dict[str, Any]) -> None:
    """Nothing is to be done about a sealed segment."""


@dataclass(slots=True)
class Tip(Generic[S]):
    """A ledger as one commit has it, or as it is before the first.

    `journal` holds the blobs of all segments, `tail` the lines of the one that is not
    sealed yet. `torn` is what follows the last whole line there and was never counted.
    """

    objects: Objects
    state: S
    commit: str = ""
    root: Tree = field(default_factory=dict)
    journal: list[str] = field(default_factory=list)
    tail: bytes = b""
    torn: bytes = b""

    @property
    def sealed(self) -> list[str]:
        """The blobs of the sealed segments."""
        return self.journal[:-1] if self.tail or self.torn else self.journal

    def segments(self, first: int = 0) -> Iterator[bytes]:
        """The bytes of each segment, in order; what is torn is not among them."""
        for number, oid in enumerate(self.journal[first:], first + 1):
            data = segment(self.objects, number, oid)
            torn = number == len(self.journal) and len(self.torn)
            yield data[: len(data) - torn] if torn else data

    def has(self, kind: str, digest: str) -> bool:
        """Whether `sources` or `evidence` has an entry for these bytes."""
        return self._entry(kind, digest) is not None

    def bytes_of(self, kind: str, digest: str) -> bytes | None:
        """The bytes with this sha256, read and hashed now."""
        entry = self._entry(kind, digest)
        data = self.objects.read(entry[1], "blob") if entry else None
        return data if data is not None and sha256(data) == digest else None

    def _entry(self, kind: str, digest: str) -> tuple[str, str] | None:
        folder = subtree(self.objects, self.root, kind) or {}
        return (subtree(self.objects, folder, digest[:2]) or {}).get(digest)


def subtree(objects: Objects, tree: Tree, name: str) -> Tree | None:
    """The folder `name` in a tree: empty if there is none, None if it is unreadable."""
    if name not in tree:
        return {}
    mode, oid = tree[name]
    return objects.tree(oid) if mode == FOLDER else None


def segment(objects: Objects, number: int, oid: str) -> bytes:
    """The bytes of a segment."""
    data = objects.read(oid, "blob")
    if data is None:
        where = f"segment journal/{segment_name(number)} is missing or damaged"
        raise Corrupt(0, where, "ledger-unproven")
    return data


def read_commit(objects: Objects, oid: str) -> commit_object.Commit:
    data = objects.read(oid, "commit")
    commit = commit_object.decode(data) if data is not None else None
    if commit is None:
        raise Corrupt(0, f"commit {oid} is missing or damaged", "ledger-unproven")
    return commit


def read_tip(objects: Objects, fold: Fold[S], commit: str) -> Tip[S]:
    """The ledger as `commit` has it. Raises Corrupt or Newer."""
    tip, checkpoint = read_frame(objects, fold, commit)
    if checkpoint is not None:
        restored = _restored(tip, fold, checkpoint)
        if restored is not None:
            return restored
    return replayed(tip, fold)


def read_frame(
    objects: Objects, fold: Fold[S], commit: str
) -> tuple[Tip[S], bytes | None]:
    """The tip without its state, which is at its beginning, and its checkpoint."""
    root = objects.tree(read_commit(objects, commit).tree)
    if root is None:
        raise Corrupt(0, f"the tree of {commit} is missing", "ledger-unproven")
    journal = subtree(objects, root, "journal")
    names = sorted(journal or ())
    if journal is None or names != [segment_name(n + 1) for n in range(len(names))]:
        raise Corrupt(0, "the folder journal is missing, or has gaps")
    tip = Tip(
        objects=objects,
        state=fold.begin(Archive()),
        commit=commit,
        root=root,
        journal=[journal[name][1] for name in names],
    )
    _, oid = root.get("checkpoint", ("", ""))
    return tip, objects.read(oid, "blob") if oid else None


def _restored(tip: Tip[S], fold: Fold[S], checkpoint: bytes) -> Tip[S] | None:
    """The tip through its checkpoint; None if that is of no use."""
    found = decode_checkpoint(checkpoint, tip.journal)
    if found is None:
        return None
    count, dumped = found
    if count < len(tip.journal) - 1:
        return None
    try:
        tip.state = fold.load(dumped, Archive(parts(tip, fold, count)))
    except Newer:
        raise
    except (Corrupt, LookupError, TypeError, ValueError, AttributeError):
        return None
    _replay(tip, fold, count)
    return tip


def replayed(tip: Tip[S], fold: Fold[S], sealed: Sealed[S] = ignore) -> Tip[S]:
    """The tip with its state from the first line on; `sealed` hears of each sealed
    segment."""
    tip.state = fold.begin(Archive())
    _replay(tip, fold, 0, sealed)
    return tip


def _replay(tip: Tip[S], fold: Fold[S], first: int, sealed: Sealed[S] = ignore) -> None:
    """Replay the segments behind the first ones, and leave the last one in `tail`."""
    state = tip.state
    tip.tail = tip.torn = b""
    for number, oid in enumerate(tip.journal[first:], first + 1):
        last = number == len(tip.journal)
        try:
            data = segment(tip.objects, number, oid)
        except Corrupt as error:
            raise Corrupt(state.seq + 1, error.reason, error.code) from None
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.splitlines(keepends=True):
            fold.replay(state, line)
        if len(whole) < len(data) and not (last and _head(tip) == state.head):
            raise Corrupt(state.seq + 1, "the line has no end")
        if full(whole):
            part = state.archive.seal()
            sealed(number, state, part)
            if len(whole) < len(data):
                raise Corrupt(state.seq + 1, "stands in a sealed segment")
        elif not last:
            raise Corrupt(state.seq, f"{segment_name(number)} was sealed too early")
        else:
            tip.tail, tip.torn = whole, data[len(whole) :]
    if _head(tip) != state.head:
        raise Corrupt(state.seq, "`head` is not the hash of the last line")


def _head(tip: Tip[Any]) -> str:
    _, oid = tip.root.get("head", ("", ""))
    data = tip.objects.read(oid, "blob") if oid else None
    return (data or b"").decode("ascii", "replace").removesuffix("\n")


def parts(tip: Tip[S], fold: Fold[S], count: int) -> Iterator[dict[str, Any]]:
    """The archive's parts of the first `count` segments, the newest first.

    From one that is missing or damaged on, they are worked out from the journal.
    """
    folder = subtree(tip.objects, tip.root, "archive") or {}
    journal = tip.journal
    for number in range(count, 0, -1):
        _, oid = folder.get(part_name(number), ("", ""))
        data = tip.objects.read(oid, "blob") if oid else None
        part = decode_part(data) if data is not None else None
        if part is None:
            yield from _worked_out(tip.objects, fold, journal[:number])
            return
        yield part


def _worked_out(
    objects: Objects, fold: Fold[S], sealed: list[str]
) -> list[dict[str, Any]]:
    state = fold.begin(Archive())
    found: list[dict[str, Any]] = []
    for number, oid in enumerate(sealed, 1):
        for line in segment(objects, number, oid).splitlines(keepends=True):
            fold.replay(state, line)
        found.insert(0, state.archive.seal())
    return found


def decode_part(data: bytes) -> dict[str, Any] | None:
    try:
        part = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return part if isinstance(part, dict) else None
