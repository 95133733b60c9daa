"""`git intent install HOST`: hooks and a guide in the files of an agent's host."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from git_intent.cli import output
from git_intent.cli.options import examples
from git_intent.cli.project import open_project
from git_intent.errors import IntentError

if TYPE_CHECKING:
    from git_intent.config_ledger import LedgerSettings
    from git_intent.hosts.install.agent_host import AgentHost
    from git_intent.hosts.install.installing import Request
    from git_intent.hosts.install.plan import Change

TITLES = {
    "claude": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "copilot": "Copilot CLI",
    "cursor": "Cursor",
    "opencode": "OpenCode",
}


def host_command(name: str) -> click.Command:
    """The command of one host."""
    line = f"install {name}"

    @click.command(
        name,
        short_help=f"Register hooks with {TITLES[name]}, and write its guide.",
        help=f"Let {TITLES[name]} call the hooks that do something, and tell its agent "
        "how to work with the ledger.\n\nWhat else stands in those files keeps every "
        "byte, and --uninstall gives back the files as they were. A file that cannot "
        "be read stays as it is. What you still have to trust is said at the end.",
        epilog=examples(line, f"{line} --scope user", f"{line} --uninstall --dry-run"),
    )
    @click.option(
        "--scope",
        type=click.Choice(["project", "user"]),
        default="project",
        show_default=True,
        help="Whose files are written: this project's, or your own for all projects.",
    )
    @click.option("--dry-run", is_flag=True, help="Print a diff, write nothing.")
    @click.option("--uninstall", is_flag=True, help="Take everything out again.")
    @click.option(
        "--with-preflight",
        is_flag=True,
        help="Also hold the tools that edit files while a prompt waits.",
    )
    @click.pass_obj
    def command(
        directory: str,
        scope: str,
        dry_run: bool,
        uninstall: bool,
        with_preflight: bool,
    ) -> None:
        if uninstall and with_preflight:
            raise click.UsageError("--uninstall takes out all, --with-preflight too.")
        _install(name, directory, scope, dry_run, uninstall, with_preflight)

    return command


def _install(
    name: str, directory: str, scope: str, dry_run: bool, remove: bool, classes: bool
) -> None:
    from git_intent.hosts.install.agent_host import HOSTS
    from git_intent.hosts.install.installing import Request, installing, uninstalling

    host = HOSTS[name]
    settings = _settings(directory)
    request = Request(
        host,
        scope,
        _root(directory, scope),
        os.environ,
        preflight=classes or bool(settings.tools.get(name, {}).get("mutation")),
        classes=classes,
    )
    changes = uninstalling(request) if remove else installing(request)
    values = list(_values(host, request, remove)) if scope == "user" else []
    for change in changes:
        _make(change, request, dry_run)
    for words in values:
        _set(words, directory, dry_run)
    if not changes and not values:
        output.say("Nothing to do.")
    if not remove:
        _advise(host, settings)


def _root(directory: str, scope: str) -> Path:
    if scope == "user":
        if not os.environ.get("HOME"):
            raise IntentError("HOME is not set", "set it, or use --scope project")
        return Path(directory).absolute()
    project = open_project(directory)
    project.need_worktree()
    return project.root


def _settings(directory: str) -> "LedgerSettings":
    from git_intent.hosts.world import World

    return World(os.environ, str(Path(directory).absolute())).settings()


def _make(change: "Change", request: "Request", dry_run: bool) -> None:
    if dry_run:
        for line in change.diff():
            output.say(line)
        return
    change.make()
    shown = change.path
    if shown.is_relative_to(request.root.resolve()):
        shown = shown.relative_to(request.root.resolve())
    output.say(f"{shown}: {change.words}")


def _values(host: "AgentHost", request: "Request", remove: bool) -> Iterator[list[str]]:
    """The words for git that set or unset a user's classes of tools."""
    from git_intent.git.process import run_git
    from git_intent.hosts.install.tool_classes import git_key

    key = git_key(host)
    args = ["config", "--global", "-z", "--get-all", key]
    out = run_git(args, cwd=request.root, check=False)
    present = [os.fsdecode(value) for value in out.split(b"\0")[:-1]]
    for tool in host.tools:
        if remove and tool in present:
            yield ["config", "--global", "--fixed-value", "--unset-all", key, tool]
        elif request.classes and tool not in present:
            yield ["config", "--global", "--add", key, tool]


def _set(words: list[str], directory: str, dry_run: bool) -> None:
    from git_intent.files import effect
    from git_intent.git.process import run_git

    line = f"git {' '.join(words)}"
    if dry_run:
        output.say(f"would do: {line}")
        return
    effect("config")
    run_git(words, cwd=directory)
    output.say(line)


def _advise(host: "AgentHost", settings: "LedgerSettings") -> None:
    """What the user still has to do before any hook runs."""
    from git_intent.hosts.install.agent_host import PROGRAM

    if shutil.which(PROGRAM) is None:
        output.note(
            f"note: {PROGRAM} is not on the PATH, so {host.title} cannot start it; "
            "put its folder there, or link it into one that is"
        )
    if not settings.home or not settings.namespace:
        output.note(
            "note: no prompt is kept before `git intent ledger init` has said where"
        )
    output.note(
        "At its end a chat is recorded, and what it decided is committed by a scan; "
        "without that: `git config intent.scanAfterTasks false`"
    )
    output.note(f"To trust: {host.trust}")
    output.note("`git intent doctor` tells whether the hooks have run.")
