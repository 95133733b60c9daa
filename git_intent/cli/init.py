"""`git intent init`: settle where a project's root is, and say what comes next."""

from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.options import examples
from git_intent.cli.project import open_project
from git_intent.config import CONFIG
from git_intent.files import write_atomic

_TEMPLATE = b"""\
# Settings of git-intent; `git intent config` prints each one and where it comes from.
[intent]
# token_budget = 2000      # how long the injected block may get
# inject = "off"           # put nothing into prompts
# scan_after_tasks = true  # scan a completed main run by itself

[intent.git]
# max_commits = 2000       # how many commits a first scan reads; 0 is all
# doc_globs = []           # further documents to read, as patterns of .gitignore
# agent = ""               # claude, codex, gemini, llm or a command; needs approval
"""


@click.command(epilog=examples("init", "-C services/api init --here"))
@click.option("--here", is_flag=True, help="Make this folder a project of its own.")
@click.pass_obj
def command(directory: str, here: bool) -> None:
    """Write a commented .cloche/config.toml and say how to go on.

    The store itself is made by the first scan. In a monorepo, --here gives the current
    folder a store of its own. An existing configuration is left as it is.
    """
    project = open_project(directory)
    project.need_worktree()
    root = Path(directory).resolve() if here else project.root
    place = root / CONFIG
    if place.exists():
        output.say(f"{place} is there already, unchanged.")
    else:
        write_atomic(place, _TEMPLATE)
        output.say(f"Wrote {place}")
    output.say(
        "Next: `git intent scan` reads the documents and commits of this project;"
    )
    output.say("      `git intent scan --dry-run` shows what it would write.")
