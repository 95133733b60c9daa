"""Write to a journal: under its lock, one commit at a time, with every fault told.

The order is what makes an append safe: objects, then the ref, then the anchor, then the
files for readers, and the lock is given back last. What fails before the ref has moved
leaves the ledger as it was; what fails later is a fault of something that is recorded.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic

from git_intent.errors import IntentError
from git_intent.files import sha256
from git_intent.ledger import durable, pending, ref
from git_intent.ledger.anchor import Anchor
from git_intent.ledger.appending import Appending
from git_intent.ledger.chain import S, Tip, read_commit
from git_intent.ledger.faults import Fault, fault_of
from git_intent.ledger.journal import Journal
from git_intent.ledger.ledger_lock import Held
from git_intent.ledger.objects import Objects
from git_intent.ledger.publish import fresh, place_anchor, publish
from git_intent.ledger.refusal import Corrupt, Refusal


class NotAppended(Exception):
    """An append failed and nothing was recorded; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Writing(Generic[S]):
    """A journal whose lock is held. `faults` are those that came up so far."""

    def __init__(
        self,
        journal: Journal[S],
        held: Held,
        objects: Objects,
        clock: Callable[[], float],
    ) -> None:
        self.journal, self.clock, self.objects = journal, clock, objects
        self.faults: list[Fault] = []
        self.again = False  # whether what is proved is to be looked at again
        self._later: list[Fault] = []
        self._held = held
        self._anchor: Anchor | None = None
        self._added: bytes | None = b""  # lines since the anchor, if they are known
        self._tip: Tip[S] | None = None
        self._before = ""

    @property
    def tip(self) -> Tip[S]:
        """The ledger as it stands. The first look raises Refusal or OSError if that
        cannot be proved."""
        return self._tip or self.load()

    def load(self) -> Tip[S]:
        """Read the ledger: the first look at `tip` does."""
        try:
            pending.undo(self.journal)
        except ref.Unmoved as unmoved:
            raise Refusal("ref-locked", "", unmoved.words) from None
        self._anchor = self.journal.anchor()
        self._tip = self.journal.read(self.objects, self.journal.tip())
        if self._tip.commit != (self._anchor.commit if self._anchor else ""):
            self._added = None
        self._before = self._tip.state.head
        return self._tip

    @property
    def heads(self) -> tuple[str, int, str]:
        """The head that was found, and the sequence number and head there are now."""
        if self._tip is None:
            known = self._anchor
            return self._before, *((known.seq, known.head) if known else (0, ""))
        return self._before, self._tip.state.seq, self._tip.state.head

    def begin(self) -> Appending[S]:
        """Begin an append on top of the tip, after a torn tail there was kept."""
        if self.tip.torn:
            self.journal.evidence.keep_tail(self.tip.torn, elsewhere=False)
        return Appending(self.tip, self.journal.fold)

    def commit(self, appending: Appending[S], subject: str) -> None:
        """Record what was added, to survive.

        Raises NotAppended or Refusal `ref-locked`; the tip is then as it was before.
        """
        old = self.tip.commit
        try:
            free_ref(self.journal, self.objects, old)
            new = appending.commit(subject, int(self.clock()), self._held.nonce)
            pending.announce(self.journal, new, old, self._held.nonce)
            self._move(new, old, subject)
        except BaseException as error:
            self._go_back()
            if isinstance(error, OSError):
                raise NotAppended(fault_of("append", error)) from error
            raise
        if self._added is not None:
            self._added += b"".join(appending.lines)

    def reload(self) -> None:
        """Give up what was folded into the tip's state, and read it again."""
        self.objects.forget()
        self._tip = self.journal.read(self.objects, self.journal.tip())

    def _go_back(self) -> None:
        """As `reload`, after a failure: one that comes now is told after that one."""
        self._tip = None
        try:
            self.reload()
        except (OSError, IntentError) as error:
            self._later.append(fault_of("cleanup", error))

    def _move(self, new: str, old: str, subject: str) -> None:
        try:
            try:
                self._swap(new, old, subject)
            except ref.Unmoved as unmoved:
                if not self._own_git_died(unmoved, new):
                    raise
                self._swap(new, old, subject)
        except ref.Unmoved as unmoved:
            self._own_git_died(unmoved, new)
            raise self._explained(unmoved, old) from None
        except OSError as error:
            if _now(self.journal) != new:
                raise
            self.faults.append(fault_of("append", error, (new,)))
        try:
            self.objects.settle()
        except OSError as error:
            self.faults.append(fault_of("append", error, (new,)))

    def _swap(self, new: str, old: str, subject: str) -> None:
        journal, old = self.journal, old or self.objects.zero
        ref.move(journal.home, journal.ref, new, old, subject)

    def _own_git_died(self, unmoved: ref.Unmoved, new: str) -> bool:
        """Whether the git that was to move the ref was killed, and left its lock,
        which is set aside then."""
        journal = self.journal
        path = ref.lock_path(journal.home, journal.ref)
        if unmoved.code != -signal.SIGKILL or _line(path) != new:
            return False
        journal.evidence.keep_git_lock(self._held.nonce, path)
        return True

    def _explained(self, unmoved: ref.Unmoved, old: str) -> Exception:
        """Why the ref did not move."""
        journal = self.journal
        if unmoved.tip not in ("", old):
            message = f"{journal.ref} moved meanwhile, to {unmoved.tip}"
            return NotAppended(Fault("append", message, path=journal.ref))
        if "lock'" in unmoved.words:
            path = ref.lock_path(journal.home, journal.ref)
            return Refusal("ref-locked", "", f"{path}: {ref.age(path)}")
        message = unmoved.words or f"git ended with code {unmoved.code}"
        return NotAppended(Fault("append", message, path=journal.ref))

    def finish(self) -> None:
        """Write anchor and projection where they are behind, and give the lock back."""
        self.faults += self._later
        try:
            self._project()
        except (OSError, IntentError) as error:
            self.faults.append(fault_of("projection", error, self._ids()))
        self.release()

    def release(self) -> None:
        """Give the lock back, and nothing else."""
        try:
            self._held.release()
        except OSError as error:
            self.faults.append(fault_of("cleanup", error, self._ids()))

    def _ids(self) -> tuple[str, ...]:
        if self._tip is None:
            return ()
        return (f"ev-{self.tip.state.seq}", self.tip.state.head)

    def _project(self) -> None:
        journal, old, tip = self.journal, self._anchor, self._tip
        if tip is None or not tip.commit:
            return
        in_step = old is not None and old.commit == tip.commit
        if old and in_step and not self.again and fresh(journal.folder, old):
            return
        projected = journal.project(tip)
        if old is not None and self._added is not None:
            size = old.journal + len(self._added)
        else:
            size = sum(len(data) for data in tip.segments())
        new = Anchor(
            namespace=journal.names[0],
            chat=journal.names[1],
            seq=tip.state.seq,
            head=tip.state.head,
            commit=tip.commit,
            current=sha256(projected.current),
            objective=sha256(projected.objective),
            journal=size,
            before={},
        )
        place_anchor(journal.folder, new, old, journal.evidence)
        self._anchor = new
        publish(
            journal.folder,
            new,
            old,
            projected,
            self._added,
            tip.segments(),
            journal.evidence,
        )


def free_ref(journal: Journal[S], objects: Objects, tip: str) -> None:
    """Set git's lock of the ref aside if it is what a dead owner of ours left: its
    bytes name a commit on top of `tip`, made under a lock that was recovered."""
    path = ref.lock_path(journal.home, journal.ref)
    commit = _line(path)
    if not ref.is_id(commit):
        return
    try:
        made = read_commit(objects, commit)
    except Corrupt:
        return
    on_top = made.parents == ((tip,) if tip else ())
    if on_top and made.nonce in journal.evidence.nonces():
        journal.evidence.keep_git_lock(made.nonce, path)


def _now(journal: Journal[S]) -> str:
    try:
        return ref.read(journal.home, journal.ref)
    except ref.Broken:
        return ""


def _line(path: str) -> str:
    try:
        return (durable.read(path) or b"").decode("ascii", "replace").rstrip("\n")
    except OSError:
        return ""


@contextmanager
def writing(
    journal: Journal[S], seconds: float, clock: Callable[[], float] = time.time
) -> Iterator[Writing[S]]:
    """Hold the lock and write. Whatever happens within, what was recorded is projected
    and the lock given back; the faults of that are in `faults` afterwards.

    Raises Refusal `lock-busy` or OSError if the lock cannot be had.
    """
    held = journal.lock.acquire(seconds)
    with Objects(journal.home) as objects:
        work = Writing(journal, held, objects, clock)
        try:
            _sweep(journal.folder)
            yield work
        finally:
            work.finish()


def _sweep(folder: str) -> None:
    """Remove what processes that were killed while writing left aside."""
    from git_intent.files import lives

    for place in (folder, f"{folder}/inbox", f"{folder}/faults"):
        for path in Path(place).glob(".*.tmp-*"):
            pid = path.name.rpartition("-")[2]
            if pid.isdigit() and int(pid) != os.getpid() and not lives(int(pid)):
                path.unlink(missing_ok=True)
