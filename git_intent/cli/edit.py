"""`git intent edit`: a requirement in your editor, judged before it is kept."""

import click

from git_intent.cli import output
from git_intent.cli.actor import Claim
from git_intent.cli.editor import saved
from git_intent.cli.find import complete, requirement
from git_intent.cli.options import actor_option, examples
from git_intent.cli.project import Project, claim, open_project
from git_intent.errors import IntentError
from git_intent.store import mutate
from git_intent.store.field_editor import set_fields
from git_intent.store.intent_dir import Store
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
    changed = revise(project, store, found, claim(actor))
    output.say(f"{found.id} {'changed' if changed else 'unchanged'}")


def revise(project: Project, store: Store, found: Requirement, who: Claim) -> bool:
    """Let the user edit one requirement; whether that changed it."""
    path, old = store.paths[found.id], store.bytes[found.id]
    with saved(project.repo, path, old) as new:
        if new != old:
            if project.files().get(path) != old:
                raise IntentError(f"{path}: was changed by others meanwhile")
            project.change({path: _marked(project, found, path, new, who)}, who)
    return new != old


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
