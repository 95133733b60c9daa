"""`git intent edit`: a requirement in your editor, judged before it is kept."""

import tempfile
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.find import requirement
from git_intent.cli.project import actor_option, claim, examples, open_project
from git_intent.errors import IntentError
from git_intent.git.repository import Repository
from git_intent.store import mutate
from git_intent.store.field_editor import set_fields
from git_intent.store.requirement import Requirement
from git_intent.store.requirement_file import parse_requirement
from git_intent.store.rules import Actor
from git_intent.store.stamps import stamp


@click.command(epilog=examples("edit req-a3f8"))
@click.argument("req", metavar="REQ")
@actor_option
@click.pass_obj
def command(directory: str, req: str, actor: str | None) -> None:
    """Open REQ in your editor ($GIT_EDITOR, core.editor, $VISUAL, $EDITOR).

    The file is written only if what you saved is sound and allowed. A person's change
    of statement or scope sets user_edited, so that no scan rewrites it.
    """
    project = open_project(directory)
    store = project.store()
    found = requirement(store, req)
    path, old = store.paths[found.id], store.bytes[found.id]
    who = claim(actor)
    new = _edited(_editor(project.repo), path, old)
    if new == old:
        output.say(f"{found.id} unchanged")
        return
    saved = parse_requirement(new, path)
    if _meaning(saved) != _meaning(found) and who.actor is Actor.PERSON:
        new = mutate.mark_edited(new, project.now, path)
    if saved.updated == found.updated:
        new = set_fields(new, {"updated": stamp(project.now)}, path)
    project.change({path: new}, who)
    output.say(f"{found.id} changed")


def _meaning(r: Requirement) -> tuple[object, ...]:
    """What a person's change of makes a requirement theirs."""
    return r.statement, r.rationale, r.scope


def _edited(editor: str, path: str, data: bytes) -> bytes:
    """What the editor leaves of `data`.

    The editor works on a copy: a half-saved or unsound text never stands in the store.
    """
    with tempfile.TemporaryDirectory(prefix="git-intent-") as folder:
        copy = Path(folder) / Path(path).name
        copy.write_bytes(data)
        try:
            click.edit(filename=str(copy), editor=editor)
        except click.ClickException as error:
            raise IntentError(
                f"{error.format_message()}", "nothing was written"
            ) from error
        return copy.read_bytes()


def _editor(repo: Repository) -> str:
    """The editor that git itself would open."""
    found = repo.git("var", "GIT_EDITOR", check=False).decode(errors="replace").strip()
    if not found:
        raise IntentError("no editor is configured", "set $EDITOR or core.editor")
    return found
