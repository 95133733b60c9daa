"""Which process is which: what can be proved about the owner of a lock from here.

A process is known by its machine, the boot, the namespace of its id, the id, and when
it started in ticks since the boot; none of it depends on the clock, and a name in the
process table proves nothing. Ticks are shifted by a time namespace, so they count only
between processes of one. The table is an argument wherever somebody is judged.
"""

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from git_intent.lock import Machine, this_machine

#: File systems that other machines write to as well; what FUSE serves may be one.
_SHARED = frozenset(
    "9p afs beegfs ceph cifs coda fuse glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 "
    "smb3 smbfs virtiofs".split()
)


class Life(StrEnum):
    """What a process id names now."""

    NONE = "none"
    RUNS = "runs"
    ZOMBIE = "zombie"  # ended, and its parent has not asked for it yet
    HIDDEN = "hidden"  # there is one, and the system does not tell more


@dataclass(frozen=True, slots=True)
class Seen:
    """A process id as it was looked up; `started` is empty if that is not told."""

    life: Life
    started: str = ""


class Processes:
    """The process table of this machine."""

    def here(self) -> Machine:
        return this_machine()

    def time_namespace(self) -> str:
        """Within which start ticks can be compared."""
        try:
            return str(Path("/proc/self/ns/time").readlink())
        except OSError:
            return ""

    def own(self) -> tuple[int, str]:
        """The id of this process, and when it started."""
        seen = _from_table("self")
        return os.getpid(), seen.started if seen else ""

    def look(self, pid: int) -> Seen:
        """What has this id now."""
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return Seen(Life.NONE)
        except (OSError, OverflowError):
            pass  # there is one, of somebody else
        if not _table_is_ours():
            return Seen(Life.HIDDEN)
        return _from_table(str(pid)) or Seen(Life.HIDDEN)

    def shared(self, path: str) -> bool:
        """Whether other machines may write where `path` lies, or that is not known."""
        return _kind_of_mount(path) in _SHARED | {""}


def _table_is_ours() -> bool:
    """Not so in a new namespace of ids that still shows the old one's `/proc`."""
    try:
        return int(Path("/proc/self").readlink().name) == os.getpid()
    except (OSError, ValueError):
        return False


def _from_table(pid: str) -> Seen | None:
    folder = Path("/proc", pid)
    try:
        stat = (folder / "stat").read_bytes()
    except OSError:
        return None
    # the name, in parentheses, may hold anything
    state, *rest = stat.rpartition(b")")[2].split()
    started = rest[18].decode()
    if state not in (b"Z", b"X"):
        return Seen(Life.RUNS, started)
    # a thread may live on after the one that the process began with
    return Seen(Life.RUNS if _threads(folder) > 1 else Life.ZOMBIE, started)


def _threads(folder: Path) -> int:
    try:
        return len(list((folder / "task").iterdir()))
    except OSError:
        return 0


def _kind_of_mount(path: str) -> str:
    """The type of the file system at `path`; empty if that cannot be told."""
    try:
        device = Path(path).stat().st_dev
        table = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
    wanted = f"{os.major(device)}:{os.minor(device)}"
    best, longest = "", -1
    real = os.path.realpath(path)
    for row in table.splitlines():
        fields, _, rest = row.partition(" - ")
        number, place = fields.split(" ")[2], _plain(fields.split(" ")[4])
        within = f"{real}/".startswith(place.rstrip("/") + "/")
        # a mount's number may differ from that of its files (btrfs): the path counts
        if (within or number == wanted) and len(place) * within > longest:
            best, longest = rest.split(" ")[0], len(place) * within
    return best.partition(".")[0]


def _plain(place: str) -> str:
    for octal, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n")):
        place = place.replace(octal, sign)
    return place.replace("\\134", "\\")
