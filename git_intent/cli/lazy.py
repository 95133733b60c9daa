"""A group of commands that imports none of them before it is asked for."""

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LazyGroup(click.Group):
    """`table` maps a command's name to the module in `cli/` that holds it as `command`,
    and to its line in the overview; `unlisted` those that are in no overview."""

    def __init__(
        self,
        *args: Any,
        table: Mapping[str, tuple[str, str]],
        unlisted: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.table = table
        self.unlisted = unlisted or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self.unlisted.get(cmd_name) or self.table.get(cmd_name, ("",))[0]
        if not name:
            return None
        module, _, attribute = name.partition(":")
        loaded = importlib.import_module(f"git_intent.cli.{module}")
        command: click.Command = getattr(loaded, attribute or "command")
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """The overview costs no import of any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.table.items()])

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list["CompletionItem"]:
        """Neither does completing a command's name."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=line)
            for name, (_, line) in self.table.items()
            if name.startswith(incomplete)
        ]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = (self.table, self.unlisted)
        if args and args[0][:1] != "-" and not any(args[0] in names for names in known):
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.table, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)
