"""A ledger as a folder of plain files, which needs no git to be read or compared.

    journal.jsonl           every line, byte for byte
    sources/ab/<sha256>     the exact prompts
    evidence/ab/<sha256>    texts of evidence

The same ledger always makes the same files: `sha256sum` and `diff -r` are all that is
needed to check one. All of it is proved before it is written, and the folder appears
whole or not at all. What waits in the inbox is not part of it.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_intent.ledger import durable
from git_intent.ledger.chain import Tip, subtree
from git_intent.ledger.ledger import Ledger
from git_intent.ledger.objects import Objects, Tree
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State
from git_intent.ledger.verify import Verified, prove

JOURNAL = "journal.jsonl"
KINDS = ("sources", "evidence")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written; `waiting` is how many prompts are not in the journal yet."""

    found: Verified
    waiting: int

    def as_json(self) -> dict[str, Any]:
        found = self.found
        held = {"sources": found.sources, "evidence": found.evidence}
        return {"seq": found.seq, "head": found.head, **held, "waiting": self.waiting}


def export(ledger: Ledger, folder: Path) -> Exported:
    """Write a ledger into a folder that is not there yet, or empty."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Refusal("not-allowed", "", f"{folder}: something is there already")
    waiting = len(ledger.waiting())
    with Objects(ledger.home) as objects:
        found, tip = whole(ledger, objects)
        aside = folder.with_name(f".{folder.name}.tmp-{os.getpid()}")
        try:
            aside.mkdir(mode=0o700)
            _write(tip, aside)
            durable.move(str(aside), str(folder))
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
    return Exported(found, waiting)


def whole(ledger: Ledger, objects: Objects) -> tuple[Verified, Tip[State]]:
    """A ledger that is about to leave, proved to its last byte. Raises Refusal."""
    journal = ledger.journal
    commit = journal.tip()
    if not commit:
        raise Refusal("no-ledger", "", f"chat {ledger.chat!r} has no ledger yet")
    found, tip = prove(objects, journal.fold, commit, journal.ref)
    for finding in found.findings:
        raise Refusal(finding.code, "", f"event {finding.seq}: {finding}")
    assert tip is not None
    return found, tip


def _write(tip: Tip[State], folder: Path) -> None:
    durable.create(str(folder / JOURNAL), *tip.segments())
    for kind in KINDS:
        (folder / kind).mkdir(mode=0o700)
        held = subtree(tip.objects, tip.root, kind) or {}
        for name in held:
            (folder / kind / name).mkdir(mode=0o700)
            _write_fan(tip, kind, subtree(tip.objects, held, name) or {}, folder)
            durable.sync_folder(f"{folder}/{kind}/{name}")
        durable.sync_folder(f"{folder}/{kind}")
    durable.sync_folder(str(folder))


def _write_fan(tip: Tip[State], kind: str, fan: Tree, folder: Path) -> None:
    """Write what of a kind begins with the same two digits."""
    for digest in fan:
        data = tip.bytes_of(kind, digest)
        if data is None:  # it was there a moment ago
            raise Refusal("source-unproven", "", f"{kind}/{digest} is missing")
        durable.create_unlisted(f"{folder}/{kind}/{digest[:2]}/{digest}", data)
