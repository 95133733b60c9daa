"""A file of the store in the user's editor: on a copy, and never lost when refused."""

import shlex
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from git_intent.errors import IntentError
from git_intent.git.repository import Repository


@contextmanager
def saved(repo: Repository, path: str, data: bytes) -> Iterator[bytes]:
    """What the user made of `data`; the block that uses it may refuse it.

    A half-saved or unsound text never stands in the store. When what was saved is
    refused the copy stays, so that nobody types it twice.
    """
    copy = Path(tempfile.mkdtemp(prefix="git-intent-")) / Path(path).name
    copy.write_bytes(data)
    try:
        _edit(_editor(repo), copy)
        yield copy.read_bytes()
    except IntentError as error:
        if copy.is_file() and copy.read_bytes() != data:
            hint = f"{error.hint}\nwhat you saved is kept in {copy}".lstrip("\n")
            raise IntentError(error.message, hint) from error
        shutil.rmtree(copy.parent)
        raise
    shutil.rmtree(copy.parent)


def _edit(editor: str, copy: Path) -> None:
    """Run `editor` as git would, through the shell; wait until it is done."""
    through_shell = shlex.join(["sh", "-c", f'{editor} "$@"', editor])
    # Ctrl-C in an editor is the editor's; we must be there when it is done.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        click.edit(filename=str(copy), editor=through_shell)
        copy.stat()
    except (click.ClickException, OSError) as error:
        raise IntentError(
            f"the editor failed: {editor}",
            "nothing was written; set $GIT_EDITOR, core.editor, $VISUAL or $EDITOR",
        ) from error
    finally:
        signal.signal(signal.SIGINT, before)


def _editor(repo: Repository) -> str:
    """The editor that git itself would open."""
    found = repo.git("var", "GIT_EDITOR", check=False).decode(errors="replace").strip()
    if not found:
        raise IntentError("no editor is configured", "set $EDITOR or core.editor")
    return found
