"""`git intent inject`: a prompt in, the prompt with its requirements out."""

from pathlib import Path
from typing import Any

import click

from git_intent.cli import output
from git_intent.cli.injecting import (
    STDIN,
    context_of,
    context_options,
    read_file,
    read_stdin,
    rendered,
    task_text,
)
from git_intent.cli.options import examples
from git_intent.cli.place import open_place
from git_intent.cli.project import clock
from git_intent.cli.recording import beginning, block_text
from git_intent.errors import IntentError
from git_intent.inject.block import Block
from git_intent.inject.prompt import place as put


@click.command(
    epilog=examples(
        'inject .cloche/prompts/implement.md --task "bump the version"',
        "inject --task-file task.md < prompt.md",
    )
)
@click.argument("prompt_file", default=STDIN, metavar="[PROMPT_FILE]")
@context_options
@click.option(
    "--store", metavar="DIR", help="Read the store of the project in DIR instead."
)
@click.option(
    "--run", metavar="R", help="Give what run R's record says, else record it there."
)
@click.pass_obj
def command(
    directory: str,
    /,
    prompt_file: str,
    task: str | None,
    task_file: str | None,
    store: str | None,
    run: str | None,
    **about: Any,
) -> None:
    """Print PROMPT_FILE, or standard input, with the block of requirements in it.

    The block stands where the prompt says {{ $intent }}, else before the prompt. What
    is wrong with the store is said on standard error and never stops a prompt.
    """
    if prompt_file == STDIN and task_file == STDIN:
        raise click.UsageError("Standard input is either the prompt or the task.")
    if run is not None and not (about["workflow"] and about["step"]):
        raise click.UsageError("--run needs --workflow and --step.")
    text = task_text(directory, task, task_file)
    prompt = (
        read_stdin()
        if prompt_file == STDIN
        else read_file(Path(directory) / prompt_file)
    )
    output.exact(put(prompt, _block(directory, text, store, run, about)))


def _block(
    directory: str, task: str, store: str | None, run: str | None, about: dict[str, Any]
) -> str:
    """The block; none if the project or its store cannot be read at all."""
    try:
        place = open_place(directory, store)

        def render() -> Block:
            return rendered(place, context_of(place, task=task, **about))

        if run is None:
            return render().text
        if place.repo is None:
            output.note("note: the block is not on record: there is no repository here")
            return render().text
        begin = beginning(place.repo, clock())
        step = (about["workflow"], about["step"])
        text = block_text(place.repo, run, step, begin, render)
        return text if place.loaded.config.inject else ""
    except IntentError as error:
        output.error(error.message, error.hint)
        return ""
