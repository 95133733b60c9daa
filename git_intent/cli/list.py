"""`git intent list`: one line a requirement."""

from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import open_project
from git_intent.store.requirement import Level, Requirement, Status


@click.command(epilog=examples("list --domain testing", "list --status disabled"))
@click.option("--domain", "-d", metavar="NAME", help="Only those of this domain.")
@click.option(
    "--status",
    "-s",
    type=click.Choice([s.value for s in Status]),
    help="Only this status.",
)
@json_option
@click.pass_obj
def command(
    directory: str, domain: str | None, status: str | None, as_json: bool
) -> None:
    """List requirements: id, status, scope, source and statement."""
    store = open_project(directory).store()
    rows = [
        r
        for r in sorted(store.requirements.values(), key=lambda r: r.id)
        if (not status or r.status == status)
        and (not domain or domain in r.scope.domains)
    ]
    if as_json:
        output.document({"requirements": [as_record(r) for r in rows]})
        return
    if not rows:
        known = len(store.requirements)
        output.say(f"None of {known} requirements matches." if known else _EMPTY)
        return
    output.table(
        ["id", "status", "scope", "source", "statement"], [_row(r) for r in rows]
    )


_EMPTY = (
    "No requirements yet; `git intent scan` extracts them, `git intent add` writes one."
)


def _row(r: Requirement) -> list[str]:
    scope = ", ".join(r.scope.domains) if r.scope.level is Level.DOMAIN else "project"
    source = r.provenance.ref or r.provenance.kind.value
    return [r.id, r.status.value, scope, source, " ".join(r.statement.split())]


def as_record(r: Requirement) -> dict[str, Any]:
    """Every field of a requirement with its type, as `docs/formats.md` lists them."""
    return {
        "id": r.id,
        "status": r.status.value,
        "superseded_by": r.superseded_by,
        "scope": {
            "level": r.scope.level.value,
            "domains": list(r.scope.domains),
            "paths": list(r.scope.paths),
            "languages": list(r.scope.languages),
        },
        "hints": list(r.hints),
        "confidence": r.confidence.value,
        "user_edited": r.user_edited,
        "provenance": {
            "kind": r.provenance.kind.value,
            "ref": r.provenance.ref,
            "extracted_at": r.provenance.extracted_at,
            "extracted_by": r.provenance.extracted_by,
            **({"patch_id": r.provenance.patch_id} if r.provenance.patch_id else {}),
        },
        "created": r.created,
        "updated": r.updated,
        "statement": r.statement,
        "rationale": r.rationale,
    }
