"""A journal with all that belongs to it: its ref, its folder, its lock and its anchor.

Chats and the bindings are journals alike. Reading takes no lock: it proves that the
ref stands where the last append left it, or further on, and then reads the commit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from git_intent.git.process import spawn_git
from git_intent.ledger import anchor, ref
from git_intent.ledger.anchor import Anchor
from git_intent.ledger.archive import Archive
from git_intent.ledger.chain import Fold, S, Tip, read_tip
from git_intent.ledger.faults import Evidence
from git_intent.ledger.home import Home
from git_intent.ledger.ledger_lock import LedgerLock
from git_intent.ledger.objects import Objects
from git_intent.ledger.processes import Processes
from git_intent.ledger.publish import Projected
from git_intent.ledger.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Journal(Generic[S]):
    """One ledger. `names` are its namespace and chat, empty for the bindings."""

    home: Home
    ref: str
    folder: str
    names: tuple[str, str]
    fold: Fold[S]
    project: Callable[[Tip[S]], Projected]
    processes: Processes

    @property
    def lock(self) -> LedgerLock:
        return LedgerLock(self.folder, self.ref, self.processes)

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.folder)

    def anchor(self) -> Anchor | None:
        """Where the last append left it; None if there is no anchor of this ledger."""
        return anchor.read(self.folder, *self.names)

    def tip(self) -> str:
        """The commit that the ref holds, or nothing. Raises Refusal `ref-rewound` if it
        is not one on top of the anchor's."""
        known = self.anchor()
        try:
            commit = ref.read(self.home, self.ref)
        except ref.Broken as broken:
            raise Refusal("ref-rewound", "", str(broken)) from None
        if known is None or commit == known.commit:
            return commit
        if commit and is_ancestor(self.home, known.commit, commit):
            return commit
        where = f"is at {commit}" if commit else "is gone"
        raise Refusal(
            "ref-rewound",
            "",
            f"{self.ref} {where}; its last append left it at {known.commit} "
            f"with {known.seq} events",
        )

    def read(self, objects: Objects, commit: str) -> Tip[S]:
        """The ledger at a commit; at its beginning if that is empty."""
        if not commit:
            return Tip(objects, self.fold.begin(Archive()))
        return read_tip(objects, self.fold, commit)


def is_ancestor(home: Home, old: str, new: str) -> bool:
    """Whether a commit is among the ancestors of another."""
    args = ["merge-base", "--is-ancestor", old, new]
    code, _ = spawn_git(args, home.common_dir, home.environment)
    return code == 0
