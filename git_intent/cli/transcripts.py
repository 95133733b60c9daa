"""`git intent transcripts`: what was said in chats with coding agents about this."""

import os
from collections.abc import Iterator
from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.errors import IntentError
from git_intent.hosts.transcripts import chats, read
from git_intent.hosts.transcripts.chats import Chat, Kept
from git_intent.hosts.transcripts.place import Homes, Roots, Session
from git_intent.hosts.transcripts.read import Said
from git_intent.hosts.transcripts.turn import Role, Turn, prompts, scrubbed
from git_intent.workflow.runs import run_refs

_LONGEST = 200  # characters of a first prompt in the list
_OFF = "intent.git.transcripts = off"
_host_option = click.option(
    "--host",
    type=click.Choice(read.HOSTS),
    help="Look at the transcripts of this host only.",
)


@click.group(
    epilog=examples("transcripts list", "transcripts record --host claude 1b2c")
)
def command() -> None:
    """Read the transcripts that coding agents keep of their chats in this project.

    What counts is what you wrote and what the agent decided. Tool results, subagents,
    texts of the host and our own are left out, and so are chats that began in another
    project.
    """


@command.command(
    "list",
    short_help="List the chats in this project.",
    epilog=examples("transcripts list", "transcripts list --host codex --json"),
)
@_host_option
@json_option
@click.pass_obj
def list_(directory: str, host: str | None, as_json: bool) -> None:
    """List the chats in this project, the newest first, and what is on record of them.

    Of a chat that is excluded (`git intent record --run RUN --exclude`) nothing that
    was said is read.
    """
    project = open_project(directory)
    rows = []
    if project.loaded.config.git.transcripts:
        rows = [_row(*found) for found in _chats(project, host)]
    else:
        output.note(f"note: no transcript is read: {_OFF}")
    rows.sort(key=lambda row: (row["last_at"], row["run"]), reverse=True)
    if as_json:
        output.document({"sessions": rows})
    elif not rows:
        output.say("No transcripts of this project.")
    else:
        heads = ["host", "session", "last", "prompts", "recorded", "first prompt"]
        keys = ("host", "session", "last_at", "prompts", "recorded", "first_prompt")
        output.table(heads, [[" ".join(str(r[k]).split()) for k in keys] for r in rows])


@command.command(
    "show",
    short_help="Show what is worth mining in a chat.",
    epilog=examples("transcripts show 1b2c", "transcripts show 1b2c --json"),
)
@click.argument("session", metavar="SESSION")
@_host_option
@json_option
@click.pass_obj
def show(directory: str, session: str, host: str | None, as_json: bool) -> None:
    """Show the prompts and decisions of a chat, as they would be recorded.

    SESSION is the host's id of it, or what that begins with.
    """
    project = _with_transcripts(directory)
    known = _one(project, session, host)
    found = _said(known)
    row = _row(known, found)
    if as_json:
        turns = [_turn(turn) for turn in scrubbed(found.turns)]
        output.document({"session": row, "turns": turns})
        return
    output.say(output.one_line(f"Session: {row['host']} {row['session']}"))
    output.say(output.one_line(f"Folder: {row['cwd']}"))
    output.say(output.one_line(f"Run: {row['run']} (on record: {row['recorded']})"))
    for turn in scrubbed(found.turns):
        who = "You" if turn.role is Role.USER else "Agent"
        when = f" ({output.one_line(turn.at)})" if turn.at else ""
        text = turn.text.replace("\n", "\n  ")
        output.say(f"\n{who}{when}:\n  {text}")


@command.command(
    "record",
    short_help="Put chats on record, for the next scan.",
    epilog=examples("transcripts record 1b2c", "transcripts record --all"),
)
@click.argument("sessions", metavar="[SESSION]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every chat that is listed.")
@_host_option
@click.pass_obj
def record(
    directory: str, sessions: tuple[str, ...], everything: bool, host: str | None
) -> None:
    """Put what was said in chats on record, so that the next scan reads it.

    What is on record already is not added again. Secrets are taken out.
    """
    if everything == bool(sessions):
        raise click.UsageError("Name sessions, or give --all.")
    project = _with_transcripts(directory)
    if everything:
        for known, found in _chats(project, host):
            _record(project, known, found)
        return
    for known in [_one(project, session, host) for session in sessions]:
        _record(project, known, _said(known))


def _with_transcripts(directory: str) -> Project:
    project = open_project(directory)
    if not project.loaded.config.git.transcripts:
        raise IntentError(
            f"no transcript is read: {_OFF}", "git config intent.git.transcripts on"
        )
    return project


def _sessions(project: Project, host: str | None) -> Iterator[Session]:
    homes, roots = Homes.of(os.environ), Roots.of(project.repo)
    for name in [host] if host else read.HOSTS:
        try:
            yield from read.sessions(name, homes, roots)
        except IntentError as error:
            if host:
                raise
            output.note(f"note: {error.message}")


def _chats(project: Project, host: str | None) -> Iterator[tuple[Chat, Said]]:
    """Every chat; what cannot be read is named and left out."""
    refs = run_refs(project.repo)
    for session in _sessions(project, host):
        known = chats.chat(project.repo, session, refs)
        try:
            yield known, Said(()) if known.excluded else _said(known)
        except IntentError as error:
            output.note(f"note: {error.message}")


def _one(project: Project, wanted: str, host: str | None) -> Chat:
    """The chat whose id begins so, if it is one and may be read."""
    found = [s for s in _sessions(project, host) if wanted and s.id.startswith(wanted)]
    found = [s for s in found if s.id == wanted] or found
    if not found:
        raise IntentError(
            f"no session {wanted!r} of this project",
            "`git intent transcripts list` shows those that are",
        )
    if len(found) > 1:
        names = ", ".join(sorted(f"{s.host} {s.id}" for s in found)[:5])
        raise IntentError(
            f"session {wanted!r} may be {names}", "give more of its id, or --host"
        )
    known = chats.chat(project.repo, found[0])
    if known.excluded:
        raise IntentError(
            f"session {found[0].id!r} is excluded",
            f"so says the record of the run {chats.run_of(found[0])}",
        )
    return known


def _said(known: Chat) -> Said:
    found = read.said(known.session)
    for words in found.problems:
        output.note(f"note: {known.session.path}: {words}")
    return found


def _record(project: Project, known: Chat, found: Said) -> None:
    name = output.one_line(chats.run_of(known.session))
    if known.excluded:
        output.say(f"{name}: excluded")
        return
    new = known.new(found.turns)
    if not new:
        output.say(f"{name}: nothing new")
        return
    mined = project.loaded.config.git.transcripts
    for words in chats.record(project.repo, known, new, mined):
        output.note(f"note: {name}: {words}")
    count = prompts(new)
    run = output.one_line(known.open)
    output.say(f"{run}: recorded, {count} new prompt{'s' if count != 1 else ''}")


def _row(known: Chat, found: Said) -> dict[str, Any]:
    turns = found.turns
    kept: Kept = known.kept(turns)
    times = [turn.at for turn in turns if turn.at]
    asked = scrubbed(turn for turn in turns if turn.role is Role.USER)
    return {
        "host": known.session.host,
        "session": known.session.id,
        "run": chats.run_of(known.session),
        "cwd": known.session.cwd,
        "first_at": times[0] if times else "",
        "last_at": times[-1] if times else "",
        "prompts": len(asked),
        "decisions": len(turns) - len(asked),
        "recorded": kept.value,
        "first_prompt": asked[0].text[:_LONGEST] if asked else "",
    }


def _turn(turn: Turn) -> dict[str, str]:
    return {"role": turn.role, "text": turn.text, "at": turn.at, "id": turn.id}
