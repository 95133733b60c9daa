"""`git intent edit`: a requirement in your editor, judged before it is kept."""

import shlex
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.actor import Claim
from git_intent.cli.find import complete, requirement
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import Project, claim, open_project
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.store import mutate
from git_intent.store.field_editor import set_fields
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules import Actor
from git_intent.store.stamps import later, stamp


@click.command(epilog=examples("edit req-a3f8"))
@click.argument("req", metavar="REQ", shell_complete=complete)
@actor_option
@click.pass_obj
def command(directory: str, req: str, actor: str | None) -> None:
    """Open REQ in your editor ($GIT_EDITOR, core.editor, $VISUAL, $EDITOR).

    The file is written only if what you saved is sound and allowed. A person's change
    of statement or scope sets user_edited, so that no scan rewrites it.
    """
    project = open_project(directory)
    project.need_worktree()
    store = project.store()
    found = requirement(store, req)
    path, old = store.paths[found.id], store.bytes[found.id]
    who = claim(actor)
    with _copy(path, old) as copy:
        _edit(_editor(project.repo), copy)
        new = copy.read_bytes()
        if new != old:
            if project.files().get(path) != old:
                raise IntentError(f"{path}: was changed by others meanwhile")
            project.change({path: _marked(project, found, path, new, who)}, who)
    output.say(f"{found.id} {'unchanged' if new == old else 'changed'}")


def _marked(
    project: Project, found: Requirement, path: str, new: bytes, who: Claim
) -> bytes:
    """What was saved, with the marks that a change carries."""
    saved = parse_requirement(new, path)
    now = later(found.updated, project.now)
    if _meaning(saved) != _meaning(found) and who.actor is Actor.PERSON:
        new = mutate.mark_edited(new, now, path)
    if saved.updated == found.updated:
        new = set_fields(new, {"updated": stamp(now)}, path)
    return new


def _meaning(r: Requirement) -> tuple[object, ...]:
    """What a person's change of makes a requirement theirs."""
    return r.statement, r.rationale, r.scope


@contextmanager
def _copy(path: str, data: bytes) -> Iterator[Path]:
    """A copy for the editor: a half-saved or unsound text never stands in the store.

    When what was saved is refused the copy stays, so that nobody types it twice.
    """
    copy = Path(tempfile.mkdtemp(prefix="git-intent-")) / Path(path).name
    copy.write_bytes(data)
    try:
        yield copy
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
