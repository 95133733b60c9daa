"""`git intent blame`: which commit and which source said so, part by part."""

from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.find import complete, one
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import Project, open_project
from git_intent.cli.review_records import hand_record, nobody
from git_intent.git.diff import introduced
from git_intent.git.history import read_commits
from git_intent.git.objects import dirty
from git_intent.review import phrases, render_log
from git_intent.review.blame import blame
from git_intent.review.hands import Hand, hand
from git_intent.scan.origin import Origin, origin
from git_intent.store.intent_dir import requirement_path
from git_intent.store.requirement import Kind, Requirement


@click.command(epilog=examples("blame req-a3f8", "blame a3f8 --json"))
@click.argument("req", metavar="REQ", shell_complete=complete)
@json_option
@click.pass_obj
def command(directory: str, req: str, as_json: bool) -> None:
    """Say which commit gave each part of REQ its value, and which source said it.

    The source is led back to where it stands today: the line of a document and the
    commit that wrote it, a commit, a run, a person.
    """
    project = open_project(directory)
    found = one(project, req)
    patterns = project.loaded.config.git.agent_authors
    path = requirement_path(found.id)
    parts = blame(project.repo, path, found, patterns, nobody(project))
    place = origin(project.repo, found)
    said = _said(project, place)
    if as_json:
        records = [
            {
                "part": part.part,
                "value": part.value,
                **hand_record(part.hand),
                "subject": part.hand.subject,
                "cut_off": part.cut_off,
            }
            for part in parts
        ]
        source = _source(found, place, said)
        output.document(
            {"id": found.id, "path": path, "parts": records, "source": source}
        )
        return
    lines = [output.one_line(line) for line in _lines(project, found, place, said)]
    output.say(f"{found.id}  {path}\n\n{render_log.blame(parts, lines)}")


def _said(project: Project, place: Origin) -> Hand | None:
    """Who made the commit that the words came with, if they still stand in one."""
    repo = project.repo
    oid = place.commit
    found = place.text == f"{place.path}:{place.line}"  # not just the heading above it
    if not oid and found and not dirty(repo, [place.path]):
        oid = introduced(repo, place.path, place.line)
    listed = read_commits(repo, [oid]) if oid else {}
    patterns = project.loaded.config.git.agent_authors
    return hand(listed[oid], patterns) if oid in listed else None


def _lines(
    project: Project, found: Requirement, place: Origin, said: Hand | None
) -> list[str]:
    source = found.provenance
    stamp = f", {source.extracted_at}" if source.extracted_at else ""
    lines = [f"{phrases.source(source)}{stamp}", place.text]
    if source.kind in (Kind.PROMPT, Kind.TRANSCRIPT):
        lines[1] = _run(project, source.ref)
    if said:
        lines.append(render_log.said_by(said))
    return lines


def _run(project: Project, run: str) -> str:
    """Whether a run can still be read here."""
    from git_intent.workflow.runs import run_refs

    if run in run_refs(project.repo):
        return f"on record: `git intent runs show {run}`"
    return "not on record in this clone"


def _source(found: Requirement, place: Origin, said: Hand | None) -> dict[str, Any]:
    source = found.provenance
    return {
        "kind": source.kind.value,
        "ref": source.ref,
        "patch_id": source.patch_id,
        "extracted_at": source.extracted_at,
        "extracted_by": source.extracted_by,
        "text": place.text,
        "path": place.path,
        "line": place.line,
        "reachable": place.reachable,
        "said": [{**hand_record(said), "subject": said.subject}] if said else [],
    }
