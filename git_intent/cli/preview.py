"""`git intent preview`: what a prompt would get, and why."""

from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.injecting import (
    STDIN,
    context_of,
    context_options,
    rendered,
    task_text,
)
from git_intent.cli.options import examples, json_option
from git_intent.cli.place import open_place
from git_intent.inject.block import Block
from git_intent.inject.context import Context
from git_intent.inject.explain import Ranked


@click.command(
    epilog=examples(
        'preview --task "bump the version"', "preview --path src/api --explain"
    )
)
@click.argument("source", required=False, metavar="[-]")
@context_options
@click.option(
    "--explain", is_flag=True, help="Say of every active requirement why, instead."
)
@json_option
@click.pass_obj
def command(
    directory: str,
    /,
    source: str | None,
    task: str | None,
    task_file: str | None,
    explain: bool,
    as_json: bool,
    **about: Any,
) -> None:
    """Print exactly the block that `git intent inject` would put into a prompt.

    With - the task is read from standard input. Nothing is recorded.
    """
    if source not in (None, STDIN):
        raise click.UsageError(f"{source!r}: a task is given with --task.")
    text = task_text(directory, task, task_file, source == STDIN)
    place = open_place(directory)
    found = context_of(place, task=text, **about)
    block = rendered(place, found)
    if as_json:
        output.document(_record(block))
    elif explain:
        _explain(block, found.context)
    elif block.text:
        output.exact(block.text.encode())
    else:
        output.note(block.off or _nothing(block))


def _nothing(block: Block) -> str:
    """Why there is nothing to show although injection is on."""
    if block.entries:
        return "No requirement is selected; --explain says why."
    return "No requirement is active; `git intent list` shows what there is."


def _record(block: Block) -> dict[str, Any]:
    return {
        "block": block.text,
        "selected": list(block.ids),
        "ranked": [
            {
                "id": row.id,
                "score": row.score,
                "stage": row.stage.value,
                "selected": row.selected,
                "reason": row.reason,
            }
            for row in block.ranked()
        ],
        "budget": block.selection.budget,
    }


def _explain(block: Block, context: Context) -> None:
    rows = block.ranked()
    if not rows:
        output.note(_nothing(block))
        return
    for line in _heads(context, block):
        output.say(line)
    output.table(["in", "id", "stage", "score", "reason"], [_row(row) for row in rows])


def _heads(context: Context, block: Block) -> list[str]:
    lines = []
    if context.paths:
        shown = ", ".join(output.one_line(path) for path in context.paths[:5])
        more = f" and {len(context.paths) - 5} more" if len(context.paths) > 5 else ""
        lines.append(f"Paths ({context.origin}): {shown}{more}")
    elif context.paths is None:
        lines.append("Paths: not known")
    if context.domains:
        lines.append(f"Domains ({context.declared}): {', '.join(context.domains)}")
    if block.selection.floor is not None:
        lines.append(f"Floor: {block.selection.floor:g} ({block.backend})")
    return lines


def _row(row: Ranked) -> list[str]:
    score = "-" if row.score is None else f"{row.score:.4f}"
    return [
        "yes" if row.selected else "no",
        row.id,
        row.stage.value,
        score,
        row.reason,
    ]
