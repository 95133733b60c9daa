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
from git_intent.errors import IntentError
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
@click.pass_obj
def command(
    directory: str,
    /,
    prompt_file: str,
    task: str | None,
    task_file: str | None,
    store: str | None,
    **about: Any,
) -> None:
    """Print PROMPT_FILE, or standard input, with the block of requirements in it.

    The block stands where the prompt says {{ $intent }}, else before the prompt. What
    is wrong with the store is said on standard error and never stops a prompt.
    """
    if prompt_file == STDIN and task_file == STDIN:
        raise click.UsageError("Standard input is either the prompt or the task.")
    text = task_text(directory, task, task_file)
    prompt = (
        read_stdin()
        if prompt_file == STDIN
        else read_file(Path(directory) / prompt_file)
    )
    output.exact(put(prompt, _block(directory, text, store, about)))


def _block(directory: str, task: str, store: str | None, about: dict[str, Any]) -> str:
    """The block; none if the project or its store cannot be read at all."""
    try:
        place = open_place(directory, store)
        return rendered(place, context_of(place, task=task, **about)).text
    except IntentError as error:
        output.error(error.message, error.hint)
        return ""
