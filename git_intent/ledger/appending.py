"""The next commit of a ledger: lines that were folded, and the bytes that they name.

Only the open segment is written again, and of the folders only those that change, so
an append costs the same in a long ledger as in a short one. The line that fills a
segment seals it, with its part of the archive and a checkpoint.
"""

from typing import Generic

from git_intent.files import canonical_json
from git_intent.ledger import commit_object
from git_intent.ledger.chain import Fold, S, Tip, subtree
from git_intent.ledger.layout import encode_checkpoint, full, part_name, segment_name
from git_intent.ledger.objects import FILE, FOLDER, Tree
from git_intent.ledger.refusal import Corrupt


class Appending(Generic[S]):
    """Events on top of a tip, to become one commit.

    The state of the tip is changed as they are added: if the commit does not come to
    be, both are to be thrown away.
    """

    def __init__(self, tip: Tip[S], fold: Fold[S]) -> None:
        self.tip, self._fold = tip, fold
        self.lines: list[bytes] = []
        self._journal = list(tip.journal)
        self._changed: dict[str, Tree] = {"journal": {}, "archive": {}}
        self._kept: dict[str, dict[str, bytes]] = {"sources": {}, "evidence": {}}
        self._checkpoint = ""
        self._tail = tip.tail
        self._number = len(tip.sealed) + 1

    def add(
        self, line: bytes, sources: dict[str, bytes], evidence: dict[str, bytes]
    ) -> None:
        """Add a line that has been folded into the tip's state."""
        self.lines.append(line)
        self._tail += line
        self._kept["sources"] |= sources
        self._kept["evidence"] |= evidence
        if full(self._tail):
            self._seal()

    def _seal(self) -> None:
        state, objects = self.tip.state, self.tip.objects
        self._put_segment()
        part = canonical_json(state.archive.seal())
        entry = (FILE, objects.put("blob", part))
        self._changed["archive"][part_name(self._number)] = entry
        dumped = self._fold.dump(state)
        data = encode_checkpoint(self._journal, dumped)
        self._checkpoint = objects.put("blob", data)
        self._tail = b""
        self._number += 1

    def _put_segment(self) -> None:
        oid = self.tip.objects.put("blob", self._tail)
        del self._journal[self._number - 1 :]
        self._journal.append(oid)
        self._changed["journal"][segment_name(self._number)] = (FILE, oid)

    def has(self, kind: str, digest: str) -> bool:
        """As the tip's `has`, with what has been added."""
        return digest in self._kept[kind] or self.tip.has(kind, digest)

    def bytes_of(self, kind: str, digest: str) -> bytes | None:
        """As the tip's `bytes_of`, with what has been added."""
        added = self._kept[kind].get(digest)
        return self.tip.bytes_of(kind, digest) if added is None else added

    def commit(self, subject: str, seconds: int, nonce: str) -> str:
        """Write the commit and all that it holds, to survive; give its id."""
        objects, root = self.tip.objects, dict(self.tip.root)
        if self._tail:
            self._put_segment()
        if self._checkpoint:
            root["checkpoint"] = (FILE, self._checkpoint)
        head = f"{self.tip.state.head}\n".encode()
        root["head"] = (FILE, objects.put("blob", head))
        for name, entries in self._changed.items():
            if entries:
                folder = self._readable(root, name) | entries
                root[name] = (FOLDER, objects.put_tree(folder))
        for name, kept in self._kept.items():
            if kept:
                root[name] = (FOLDER, self._fanned_out(root, name, kept))
        parents = (self.tip.commit,) if self.tip.commit else ()
        tree = objects.put_tree(root)
        made = commit_object.encode(tree, parents, subject, seconds, nonce)
        commit = objects.put("commit", made)
        objects.flush()
        self.tip.commit, self.tip.root = commit, root
        self.tip.journal, self.tip.tail, self.tip.torn = self._journal, self._tail, b""
        return commit

    def _fanned_out(self, root: Tree, name: str, kept: dict[str, bytes]) -> str:
        """The id of the folder `name` with `kept` in it."""
        objects = self.tip.objects
        folder = dict(self._readable(root, name))
        for digest, data in kept.items():
            fan = dict(self._readable(folder, digest[:2]))
            fan[digest] = (FILE, objects.put("blob", data))
            folder[digest[:2]] = (FOLDER, objects.put_tree(fan))
        return objects.put_tree(folder)

    def _readable(self, tree: Tree, name: str) -> Tree:
        found = subtree(self.tip.objects, tree, name)
        if found is None:
            raise Corrupt(
                self.tip.state.seq,
                f"the folder {name} is unreadable",
                "ledger-unproven",
            )
        return found
