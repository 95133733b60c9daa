"""What several commands offer alike: options, and examples below the help."""

import click

actor_option = click.option(
    "--actor",
    type=click.Choice(["person", "agent"]),
    help="Who makes the change; guessed from the environment if not given.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def examples(*lines: str) -> str:
    """The epilog of a command's help."""
    return "\b\nExample:\n" + "\n".join(f"  git intent {line}" for line in lines)
