"""What the console is handed by the command line."""

import os

from git_intent.cli.add import write
from git_intent.cli.ledger_address import configured, world
from git_intent.cli.project import Project, claim, clock, open_project
from git_intent.errors import IntentError
from git_intent.git import detached
from git_intent.git.process import callers_environment
from git_intent.ledger.home import Home
from git_intent.store.intent_dir import Store
from git_intent.web.console import Console, Services, Wording


def console(directory: str, actor: str | None, *, read_only: bool) -> Console:
    """The console of the project around `directory`."""
    project = open_project(directory)
    who = claim(actor)
    root = str(project.root)

    def add(store: Store, new: Wording) -> str:
        now = Project(project.repo, project.root, project.loaded, clock())
        return write(now, store, new.statement, new.why, new.scope, (), who).id

    def ledgers() -> tuple[Home, str] | None:
        around = world(root)
        try:
            return configured(around)[0], around.fallback
        except IntentError:
            return None

    def scan(options: list[str], out: int) -> int:
        words = ["-C", root, "scan", "--json", *options]
        environ = {**callers_environment(), **project.repo.exports}
        quiet = os.open(os.devnull, os.O_RDWR)
        try:
            return detached.start_with(
                "git_intent", words, environ, (quiet, out, quiet)
            )
        finally:
            os.close(quiet)

    services = Services(os.environ, clock, who.actor, who.reason, add, ledgers, scan)
    return Console(project.repo, services, read_only)
