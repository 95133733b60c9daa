"""Read a whole ledger again and prove every byte of it; writes nothing.

Each segment, line and hash, the fold from the first event on, each source and each text
of evidence, the archive's parts, the checkpoint, the anchor and the projection. A
finding names what is wrong and, where it lies in the journal, the sequence number.

What the journal says is proved first: everything else is compared with it.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Generic

from git_intent.files import canonical_json, sha256
from git_intent.git.cat_file import stream_objects
from git_intent.ledger import durable, ref
from git_intent.ledger.chain import Fold, S, Tip, read_frame, replayed, subtree
from git_intent.ledger.event import Event
from git_intent.ledger.home import Home
from git_intent.ledger.journal import Journal
from git_intent.ledger.layout import encode_checkpoint, part_name
from git_intent.ledger.objects import FILE, FOLDER, Objects, Tree
from git_intent.ledger.publish import CURRENT, OBJECTIVE
from git_intent.ledger.publish import JOURNAL as LINES
from git_intent.ledger.refusal import Corrupt, Refusal

_CAPTURES = ("source-captured", "source-recovered")
_KNOWN = {"archive", "checkpoint", "evidence", "head", "journal", "sources"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was written. `seq` is 0 outside of the journal."""

    code: str
    place: str
    message: str
    seq: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "place": self.place,
            "message": self.message,
            "seq": self.seq,
        }

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Verified:
    """What was proved, and what could not be."""

    seq: int
    head: str
    sources: int
    evidence: int
    findings: tuple[Finding, ...]


def verify(journal: Journal[S]) -> Verified:
    """Prove a ledger whole, or find out what is wrong with it.

    Of a ref that was moved, what it holds now is proved: whoever accepts that has to
    know its head.
    """
    moved: tuple[Finding, ...] = ()
    with Objects(journal.home) as objects:
        try:
            commit = journal.tip()
        except Refusal as refusal:
            moved = (_refused(journal.ref, refusal),)
            commit = _held(journal)
        if not commit:
            return Verified(0, "", 0, 0, moved)
        found, tip = prove(objects, journal.fold, commit, journal.ref)
        beside = _beside(journal, tip) if tip else ()
        return replace(found, findings=(*moved, *found.findings, *beside))


def _held(journal: Journal[S]) -> str:
    """The commit that a ref holds, wherever it should be; nothing if none."""
    try:
        return ref.read(journal.home, journal.ref)
    except ref.Broken:
        return ""


def prove(
    objects: Objects, fold: Fold[S], commit: str, place: str
) -> tuple[Verified, Tip[S] | None]:
    """Prove what a commit holds, which is said to be at `place`; gives the tip, if the
    journal is whole."""
    try:
        tip, checkpoint = read_frame(objects, fold, commit)
    except Refusal as refusal:
        return Verified(0, "", 0, 0, (_refused(place, refusal),)), None
    witness, findings = _Witness(fold, tip), list[Finding]()
    blobs = {
        kind: dict(_entries(objects, tip.root, kind, findings))
        for kind in ("sources", "evidence")
    }
    with ThreadPoolExecutor(1) as pool:  # they are read while the lines are replayed
        reading = pool.submit(_altered, objects.home, blobs)
        objects.expect(tip.journal)
        try:
            replayed(tip, witness.fold, witness.sealed)
        except Corrupt as error:
            why = (_refused(place, error),)
            return Verified(tip.state.seq, tip.state.head, 0, 0, why), None
    findings += _kept(witness, blobs, reading.result())
    findings.sort(key=lambda finding: finding.seq)
    findings += _derived(tip, witness, checkpoint)
    sources, evidence = (len(named) for named in witness.named.values())
    state = tip.state
    return Verified(state.seq, state.head, sources, evidence, tuple(findings)), tip


class _Witness(Generic[S]):
    """What the journal says while it is replayed."""

    def __init__(self, fold: Fold[S], tip: Tip[S]) -> None:
        self._fold, self._tip = fold, tip
        self.fold = replace(fold, replay=self._replay)
        #: kind -> hash -> the event that names these bytes first
        self.named: dict[str, dict[str, int]] = {"sources": {}, "evidence": {}}
        self.parts: dict[int, bytes] = {}
        self.checkpoint: bytes | None = None

    def _replay(self, state: S, line: bytes) -> Any:
        event = self._fold.replay(state, line)
        for kind, digest in names(event):
            self.named[kind].setdefault(digest, event.seq)
        return event

    def sealed(self, number: int, state: S, part: dict[str, Any]) -> None:
        self.parts[number] = canonical_json(part)
        segments = self._tip.journal
        if number >= len(segments) - 1:
            dumped = self._fold.dump(state)
            self.checkpoint = encode_checkpoint(segments[:number], dumped)


def names(event: Event) -> Iterator[tuple[str, str]]:
    """The bytes that an event says the ledger keeps."""
    body = event.body
    if event.type in _CAPTURES and "delivery_of" not in body:
        yield "sources", body["sha256"]
    if "request" in body:
        mark = canonical_json({"request": body["request"]["id"]})
        yield "evidence", sha256(mark)
    if b'"blob":' in event.line:
        for digest in _blobs(body):
            yield "evidence", digest


def _blobs(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _blobs(each)
    elif isinstance(value, dict):
        if isinstance(value.get("blob"), str):
            yield value["blob"]
        for each in value.values():
            yield from _blobs(each)


def _refused(place: str, refusal: Refusal) -> Finding:
    if isinstance(refusal, Corrupt):
        return Finding(refusal.code, place, refusal.reason, refusal.seq)
    return Finding(refusal.code, place, refusal.message)


def _derived(
    tip: Tip[S], witness: _Witness[S], checkpoint: bytes | None
) -> Iterator[Finding]:
    """What in the tree only saves work must be what the journal comes to."""
    if tip.torn:
        message = f"{len(tip.torn)} bytes stand behind the last line"
        yield Finding("ledger-corrupt", "journal", message, tip.state.seq + 1)
    for name in sorted(set(tip.root) - _KNOWN):
        yield Finding("ledger-corrupt", name, "does not belong into the tree")
    folder = subtree(tip.objects, tip.root, "archive")
    if folder is None or sorted(folder) != [part_name(n) for n in witness.parts]:
        yield Finding("ledger-unproven", "archive", "parts are missing or too many")
    tip.objects.expect([oid for _, (_, oid) in sorted((folder or {}).items())])
    for number, part in witness.parts.items():
        _, oid = (folder or {}).get(part_name(number), ("", ""))
        if oid and tip.objects.read(oid, "blob") != part:
            place = f"archive/{part_name(number)}"
            yield Finding("ledger-unproven", place, "is not what the journal comes to")
    if checkpoint != witness.checkpoint:
        message = "is missing, or is not what the journal comes to"
        yield Finding("ledger-unproven", "checkpoint", message)


def _altered(home: Home, blobs: dict[str, dict[str, str]]) -> dict[str, str]:
    """What is wrong with the bytes kept under a hash, for all that are not right."""
    wanted = {digest: oid for kept in blobs.values() for digest, oid in kept.items()}
    read = stream_objects(wanted.values(), home.common_dir, home.environment)
    wrong = {}
    for digest, (_, found) in zip(wanted, read, strict=True):
        if found is None:
            wrong[digest] = "is missing"
        elif sha256(found.data) != digest:
            wrong[digest] = "has other bytes"
    return wrong


def _kept(
    witness: _Witness[S], blobs: dict[str, dict[str, str]], wrong: dict[str, str]
) -> Iterator[Finding]:
    """Which sources and texts of evidence are not whole, or not of this journal."""
    for kind, named in witness.named.items():
        for digest in blobs[kind]:
            place = f"{kind}/{digest[:2]}/{digest}"
            if digest not in named:
                yield Finding("ledger-corrupt", place, "no event names it")
            elif digest in wrong:
                yield Finding("source-unproven", place, wrong[digest], named[digest])
        for digest, seq in named.items():
            if digest not in blobs[kind]:
                place = f"{kind}/{digest}"
                yield Finding("source-unproven", place, "is missing", seq)


def _entries(
    objects: Objects, root: Tree, kind: str, findings: list[Finding]
) -> Iterator[tuple[str, str]]:
    folder = subtree(objects, root, kind)
    objects.expect([oid for _, (_, oid) in sorted((folder or {}).items())])
    for name, (mode, oid) in sorted((folder or {}).items()):
        inner = objects.tree(oid) if mode == FOLDER else None
        if inner is None:
            findings.append(Finding("source-unproven", f"{kind}/{name}", "unreadable"))
        for digest, (kept, blob) in sorted((inner or {}).items()):
            if kept != FILE or digest[:2] != name:
                place = f"{kind}/{name}/{digest}"
                findings.append(
                    Finding("ledger-corrupt", place, "does not belong there")
                )
            yield digest, blob
    if folder is None:
        findings.append(Finding("source-unproven", kind, "unreadable"))


def _beside(journal: Journal[S], tip: Tip[S]) -> Iterator[Finding]:
    """The anchor and the projection, if the chat has them."""
    known, folder = journal.anchor(), journal.folder
    if known is None or known.commit != tip.commit:
        return  # the next write brings them up to date
    if (known.seq, known.head) != (tip.state.seq, tip.state.head):
        message = f"names event {known.seq} with another head"
        yield Finding("ledger-unproven", f"{folder}/anchor", message, known.seq)
    wanted = journal.project(tip)
    expected = {
        CURRENT: sha256(wanted.current),
        LINES: sha256(b"".join(tip.segments())),
        OBJECTIVE: known.objective,  # it also tells what could not be proved then
    }
    for name, digest in expected.items():
        data = durable.read(f"{folder}/{name}")
        if data is not None and sha256(data) != digest:
            message = "is not what the journal comes to; the next write rebuilds it"
            yield Finding("projection-stale", f"{folder}/{name}", message)
