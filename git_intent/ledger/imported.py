"""Read an exported ledger, and believe nothing of it that is not proved.

Each line must be canonical, follow the one before, carry this namespace and chat and
keep every rule of the fold; each source and text of evidence that a line names must be
there with its hash. What is wrong is named by file and line, and then nothing of it is
taken. Only what stands behind the last newline is left off: it was torn.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from git_intent.files import sha256
from git_intent.ledger import durable
from git_intent.ledger.adopting import Kept, adopt, importing, lines_here, missing
from git_intent.ledger.answer import Answer
from git_intent.ledger.archive import Archive
from git_intent.ledger.export import JOURNAL
from git_intent.ledger.fold import replay
from git_intent.ledger.ledger import Actor, Ledger
from git_intent.ledger.refusal import Corrupt, Refusal
from git_intent.ledger.state import State
from git_intent.ledger.verify import names


@dataclass(frozen=True, slots=True)
class Imported:
    """What a folder holds: lines with the bytes that came with each, and what is torn.

    `opener` is the session that made the ledger: (host, session).
    """

    lines: list[bytes] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    torn: bytes = b""
    opener: tuple[str, str] = ("", "")


def take(ledger: Ledger, folder: Path, actor: Actor) -> Answer:
    """Import an exported ledger: all that it has beyond the one here. Raises Refusal.

    What is torn at its end is kept in the chat's folder first.
    """
    found = read(folder, ledger.namespace, ledger.chat)
    where, lines = str(folder), found.lines
    count = missing(lines_here(ledger), lines, where)
    if count < 0:
        raise Refusal(
            "not-forward",
            "",
            f"{where} ends at event {len(lines)}, and the ledger here goes on to "
            f"{len(lines) - count}",
        )
    named = {}
    if found.torn:
        named["torn"] = ledger.evidence.keep_tail(found.torn, elsewhere=True)
    if not count:
        state = ledger.read().state
        return Answer(True, state.seq, state.head, named=named, already=True)
    bring = importing(lines, found.kept, ledger)
    return replace(adopt(ledger, lines, found.opener, bring, actor, where), named=named)


def read(folder: Path, namespace: str, chat: str) -> Imported:
    """An exported ledger of this chat. Raises Refusal, or OSError."""
    path = folder / JOURNAL
    data = durable.read(str(path))
    if data is None:
        raise Refusal("invalid-document", "", f"{path}: there is no exported journal")
    whole = data[: data.rfind(b"\n") + 1]
    if not whole:
        raise Refusal("ledger-corrupt", "", f"{path}:1: there is no whole line")
    found = Imported(torn=data[len(whole) :])
    state = State(namespace, chat, Archive())
    for number, line in enumerate(whole[:-1].split(b"\n"), 1):
        place = f"{path}:{number}"
        try:
            event = replay(state, line + b"\n")
        except Corrupt as error:
            raise Refusal(error.code, "", f"{place}: {error.reason}") from None
        kept: Kept = {"sources": {}, "evidence": {}}
        for kind, digest in names(event):
            kept[kind][digest] = _bytes(folder, kind, digest, place)
        found.lines.append(event.line)
        found.kept.append(kept)
    owner = state.owner or {}
    return Imported(
        found.lines, found.kept, found.torn, (owner["host"], owner["session"])
    )


def _bytes(folder: Path, kind: str, digest: str, place: str) -> bytes:
    path = folder / kind / digest[:2] / digest
    data = durable.read(str(path))
    code = "source-unproven" if kind == "sources" else "evidence-unproven"
    if data is None:
        raise Refusal(code, "", f"{place}: {path} is missing")
    if sha256(data) != digest:
        raise Refusal(code, "", f"{place}: {path} has other bytes")
    return data
