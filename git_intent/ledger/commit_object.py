"""A commit of a ledger's chain: by the ledger itself, unsigned, seen by no hook.

Its subject reads like a log line. The trailer `Ledger-Lock` is the nonce of the lock
under which it was made: what a killed writer left half done can be told by it.
"""

from dataclasses import dataclass

_AUTHOR = b"git-intent <ledger@git-intent.invalid>"
_TRAILER = b"Ledger-Lock: "
_SUBJECT = 200


@dataclass(frozen=True, slots=True)
class Commit:
    """What is read of a commit."""

    tree: str
    parents: tuple[str, ...]
    nonce: str


def encode(
    tree: str, parents: tuple[str, ...], subject: str, seconds: int, nonce: str
) -> bytes:
    """The bytes of a commit object."""
    plain = "".join(sign if sign.isprintable() else " " for sign in subject)
    words = " ".join(plain.split()) or "append"
    when = b"%s %d +0000" % (_AUTHOR, max(0, seconds))
    return b"".join(
        (
            b"tree %s\n" % tree.encode(),
            *(b"parent %s\n" % parent.encode() for parent in parents),
            b"author %s\ncommitter %s\n\n" % (when, when),
            words.encode(errors="replace")[:_SUBJECT].decode(errors="ignore").encode(),
            b"\n\n%s%s\n" % (_TRAILER, nonce.encode()),
        )
    )


def decode(data: bytes) -> Commit | None:
    """The commit of these bytes; None if they are none."""
    head, _, message = data.partition(b"\n\n")
    tree, parents = "", []
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        if name == b"tree":
            tree = value.decode(errors="replace")
        elif name == b"parent":
            parents.append(value.decode(errors="replace"))
    if not tree:
        return None
    last = message.rstrip(b"\n").rpartition(b"\n")[2]
    nonce = last.removeprefix(_TRAILER) if last.startswith(_TRAILER) else b""
    return Commit(tree, tuple(parents), nonce.decode(errors="replace"))
