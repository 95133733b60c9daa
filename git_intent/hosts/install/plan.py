"""What installing or uninstalling would do to files; then it is done.

Everything is read and worked out first, so that a file which cannot be read stops all
of it. A file that was changed by somebody in between is left alone and named.

A link is followed if it leads to a place of the same scope: in a project not out of it.
A folder that is empty after a file in it went goes too, up to the scope's own.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from git_intent.errors import IntentError
from git_intent.files import effect, sync_folder, write_atomic


@dataclass(frozen=True, slots=True)
class Change:
    """One file: its bytes as they are and as they are to be; None is no file.

    `base` is the folder that stays, however empty.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    words: str
    base: Path

    def make(self) -> None:
        """Do it. Raises IntentError, and then nothing of it is done."""
        if present(self.path) != self.before:
            raise IntentError(
                f"{self.path}: was changed meanwhile", "run this again to look anew"
            )
        if self.after is not None:
            write_atomic(self.path, self.after)
            return
        try:
            effect(f"unlink {self.path.name}")
            self.path.unlink()
            sync_folder(self.path.parent)
            _remove_empty(self.path.parent, self.base)
        except OSError as error:
            raise IntentError(f"{self.path}: {error.strerror}") from error

    def diff(self) -> Iterator[str]:
        """The lines of a unified diff."""
        name = str(self.path)
        yield from difflib.unified_diff(
            _lines(self.before),
            _lines(self.after),
            "/dev/null" if self.before is None else name,
            "/dev/null" if self.after is None else name,
            lineterm="",
        )


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode(errors="surrogateescape").splitlines()


def present(path: Path) -> bytes | None:
    """The bytes of a file, None if there is none. Raises IntentError."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}", "make it readable") from error


def settled(path: Path, base: Path, *, inside: bool) -> Path:
    """Where a file really lies: links are followed, but not out of `base` if it has to
    lie `inside`. Raises IntentError."""
    try:
        real = path.resolve()
        home = base.resolve()
    except (OSError, RuntimeError) as error:
        raise IntentError(f"{path}: its links lead in a circle") from error
    if path.is_symlink() and not real.exists():
        raise IntentError(
            f"{path}: is a link to {real}, which is not there", "make that, or the link"
        )
    if inside and not real.is_relative_to(home):
        raise IntentError(
            f"{path}: leads out of the project, to {real}",
            "use --scope user, or put a file of the project in its place",
        )
    return real


def _remove_empty(folder: Path, base: Path) -> None:
    while folder != base and folder.is_relative_to(base) and not any(folder.iterdir()):
        effect(f"rmdir {folder.name}")
        folder.rmdir()
        folder = folder.parent
