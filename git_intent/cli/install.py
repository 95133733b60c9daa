"""`git intent install`: let git, and the hosts of coding agents, call us."""

import sys
from collections.abc import Callable
from functools import partial

import click

from git_intent.cli import output
from git_intent.cli.install_host import TITLES, host_command
from git_intent.cli.options import examples
from git_intent.cli.project import open_project
from git_intent.errors import IntentError


@click.group(
    epilog=examples("install git", "install claude", "install codex --uninstall")
)
def command() -> None:
    """Put git-intent into the hooks of a host, beside whatever is there.

    Each host has its own command. Run twice it changes nothing the second time;
    --uninstall gives back every byte; --dry-run says what would be done.
    """


@command.command(
    "git",
    short_help="Check commits in git's own hooks; register drivers.",
    epilog=examples("install git", "install git --dry-run", "install git --uninstall"),
)
@click.option("--uninstall", is_flag=True, help="Take everything out again.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, write nothing.")
@click.pass_obj
def for_git(directory: str, uninstall: bool, dry_run: bool) -> None:
    """Check each commit with plain git hooks; register diff and merge driver.

    The hooks are pre-commit and pre-merge-commit. A hook that is there already runs
    first, and still blocks; core.hooksPath is never changed, and tracked files are
    never written. For pre-commit, the framework, .pre-commit-hooks.yaml is the way.
    """
    from git_intent.guard import drivers, hook_install

    project = open_project(directory)
    project.need_worktree()
    repo = project.repo
    settings, remarks = drivers.plan_settings(repo, remove=uninstall)
    refusal: IntentError | None = None
    plan = hook_install.Plan()
    try:
        if uninstall:
            plan = hook_install.plan_uninstall(repo)
        else:
            plan = hook_install.plan_install(repo, sys.executable)
    except IntentError as error:  # the drivers do not depend on it
        refusal = error
    for setting in settings:
        _do(str(setting), partial(setting.set, repo), dry_run)
    for step in plan.steps:
        _do(step.words, step.take, dry_run)
    for remark in (*remarks, *plan.remarks):
        output.note(f"note: {remark}")
    if refusal is not None:
        raise refusal
    if not settings and not plan.steps:
        output.say("Nothing to do.")


for name in TITLES:
    command.add_command(host_command(name))


def _do(words: str, act: Callable[[], None], dry_run: bool) -> None:
    if dry_run:
        output.say(f"would do: {words}")
    else:
        act()
        output.say(words)
