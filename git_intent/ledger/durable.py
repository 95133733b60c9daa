"""Files and folders that survive a power loss, for paths that must start fast.

A file appears with all its bytes at once or not at all: it is written without a name
(`O_TMPFILE`; elsewhere as `.NAME.tmp-PID`), synced, named by `link()`, and its folder
synced. Where a file system has no hard links it is renamed instead; then only names
that nobody else takes may be created without a lock.

Files get mode 0600 and folders 0700, whatever the umask. Errors are OSError with the
errno of the system. Nothing is imported that a starting Python has not loaded.
"""

# pathlib costs the hooks more than everything that is done here:
# ruff: noqa: PTH101, PTH102, PTH104, PTH108, PTH112, PTH116, PTH119, PTH120, SIM105

import errno
import os
import sys

PRIVATE = 0o600

_NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV)
_NO_FOLDER_SYNC = (errno.EINVAL, errno.EBADF)


def effect(name: str) -> None:
    """As `files.effect`; who has not loaded `files` has put no callback there."""
    files = sys.modules.get("git_intent.files")
    if files is not None:
        files.effect(name)


def make_folder(path: str) -> None:
    """Make a folder and what it lies in; a folder that others may enter is closed."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        _make(path)
        return
    if mode & 0o077:
        os.chmod(path, 0o700)


def make_parents(path: str) -> None:
    """Make the folders that `path` lies in; those that are there stay as they are."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        _make(folder)


def _make(path: str) -> None:
    make_parents(path)
    effect(f"folder {os.path.basename(path)}")
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        return
    os.chmod(path, 0o700)
    sync_folder(os.path.dirname(path))


def create(path: str, *pieces: bytes, mode: int = PRIVATE) -> bool:
    """Make the file `path` with all its bytes, unless something has its name."""
    if not create_unlisted(path, *pieces, mode=mode):
        return False
    folder, name = os.path.split(path)
    try:
        effect(f"sync folder of {name}")
        sync_folder(folder)
    except OSError:
        _remove_quietly(path)  # nobody was told of it
        raise
    return True


def create_unlisted(path: str, *pieces: bytes, mode: int = PRIVATE) -> bool:
    """The same but for the folder, which the caller has to sync."""
    for unnamed in (True, False):
        try:
            made = _created(path, pieces, mode, unnamed)
        except OSError as error:
            if unnamed and error.errno in _NO_LINKS:
                continue
            raise
        if made is not None:
            return made
    raise OSError(errno.EIO, os.strerror(errno.EIO), path)


def _created(
    path: str, pieces: tuple[bytes, ...], mode: int, unnamed: bool
) -> bool | None:
    """Whether it was made; None if there are no files without a name here."""
    folder, name = os.path.split(path)
    effect(f"write {name}")
    aside = "" if unnamed else f"{folder}/.{name}.tmp-{os.getpid()}"
    handle = _open_unnamed(folder) if unnamed else _open_anew(aside)
    if handle is None:
        return None
    try:
        _fill(handle, pieces, mode)
        effect(f"publish {name}")
        if not _link(handle, aside, path):
            return False
    finally:
        _close(handle)
        if aside:
            _remove_quietly(aside)
    return True


def _open_unnamed(folder: str) -> int | None:
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_WRONLY | flag | os.O_CLOEXEC, PRIVATE)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
            return None
        raise


def _open_anew(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE)


def _fill(handle: int, pieces: tuple[bytes, ...], mode: int) -> None:
    os.fchmod(handle, mode)
    for piece in pieces:
        view = memoryview(piece)
        while view:
            view = view[os.write(handle, view) :]
    os.fsync(handle)


def _link(handle: int, aside: str, path: str) -> bool:
    try:
        if not aside:
            # `src_dir_fd` makes os.link follow the link to the open file
            os.link(f"/proc/self/fd/{handle}", path, src_dir_fd=handle)
            return True
        try:
            os.link(aside, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if os.path.lexists(path):
                return False
            os.rename(aside, path)
    except FileExistsError:
        return False
    return True


def replace(path: str, *pieces: bytes, mode: int = PRIVATE) -> None:
    """Put the bytes in the place of the file `path`; its writers hold a lock.

    What a killed writer leaves aside has one name, which the next one writes over.
    """
    folder, name = os.path.split(path)
    aside = f"{folder}/.{name}.new"
    effect(f"write {name}")
    handle = _open_anew(aside)
    try:
        _fill(handle, pieces, mode)
    finally:
        _close(handle)
    effect(f"rename {name}")
    os.rename(aside, path)
    effect(f"sync folder of {name}")
    sync_folder(folder)


def note(path: str, data: bytes) -> None:
    """Put the bytes in the place of a file that has to survive a kill, and no more."""
    folder, name = os.path.split(path)
    aside = f"{folder}/.{name}.new"
    effect(f"note {name}")
    handle = _open_anew(aside)
    try:
        os.write(handle, data)
    finally:
        _close(handle)
    os.rename(aside, path)


def append(path: str, size: int, data: bytes) -> None:
    """Write `data` behind the first `size` bytes of a file that has that many."""
    effect(f"append {os.path.basename(path)}")
    handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        view, at = memoryview(data), size
        while view:
            written = os.pwrite(handle, view, at)
            view, at = view[written:], at + written
        os.fsync(handle)
    finally:
        _close(handle)


def remove(path: str) -> None:
    """Unlink a file, for good."""
    effect(f"unlink {os.path.basename(path)}")
    os.unlink(path)
    sync_folder(os.path.dirname(path))


def move(old: str, new: str) -> None:
    """Give a file another name, for good; whatever has the name is replaced."""
    effect(f"move {os.path.basename(old)}")
    os.rename(old, new)
    sync_folder(os.path.dirname(new))
    sync_folder(os.path.dirname(old))


def read(path: str) -> bytes | None:
    """The bytes of a regular file; None if there is none.

    Anything else in its place (a symbolic link, a folder, a pipe) is an OSError.
    """
    try:
        handle = open_to_read(path)
    except FileNotFoundError:
        return None
    with open(handle, "rb", buffering=0) as stream:
        return stream.readall()


def open_to_read(path: str) -> int:
    """A descriptor of a regular file. Raises OSError for anything else."""
    # without O_NONBLOCK, a pipe in the place of the file would hold us for ever
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    handle = os.open(path, flags)
    if os.fstat(handle).st_mode & 0o170000 != 0o100000:
        _close(handle)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return handle


def sync_file(path: str) -> None:
    """Make the bytes of a file that somebody else wrote survive."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        _close(handle)


def sync_folder(path: str) -> None:
    """Make the names in a folder survive, where the file system can."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        _close(handle)


def _close(handle: int) -> None:
    try:
        os.close(handle)
    except OSError:  # what was written is synced already, or an error is on its way
        pass


def _remove_quietly(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
