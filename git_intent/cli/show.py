"""`git intent show`: one requirement as it stands, and where it came from."""

import click

from git_intent.cli import output
from git_intent.cli.find import complete, requirement
from git_intent.cli.list import as_record
from git_intent.cli.options import examples, json_option
from git_intent.cli.project import open_project
from git_intent.store.strict_yaml import decode


@click.command(epilog=examples("show req-a3f8", "show a3f8 --json"))
@click.argument("req", metavar="REQ", shell_complete=complete)
@json_option
@click.pass_obj
def command(directory: str, req: str, as_json: bool) -> None:
    """Show one requirement's file, and lead back to the place that said so."""
    from git_intent.scan.origin import origin

    project = open_project(directory)
    store = project.store()
    found = requirement(store, req)
    place = origin(project.repo, found)
    if as_json:
        output.document(
            {
                "requirement": as_record(found),
                "path": store.paths[found.id],
                "origin": {
                    "text": place.text,
                    "path": place.path,
                    "line": place.line,
                    "commit": place.commit,
                    "reachable": place.reachable,
                },
            }
        )
        return
    text = decode(store.bytes[found.id], store.paths[found.id])
    output.say(text.replace("\r\n", "\n").rstrip("\n"))
    output.say(f"\nFile: {store.paths[found.id]}")
    output.say(f"From: {place.text}")
