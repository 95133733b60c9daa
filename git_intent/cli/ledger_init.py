"""`git intent ledger init`: the two settings without which nothing is captured."""

import os
from pathlib import Path

import click

from git_intent.cli import output
from git_intent.cli.options import examples
from git_intent.errors import IntentError
from git_intent.git.process import GitError, run_git
from git_intent.git.repository import Repository
from git_intent.ledger.home import HOME_KEY, NAMESPACE_KEY, open_home
from git_intent.ledger.names import usable


@click.command(
    epilog=examples(
        "ledger init --namespace team",
        "ledger init --namespace me --home ~/.local/share/chats.git --global",
    )
)
@click.option(
    "--namespace", metavar="NS", required=True, help="Whose ledgers they are."
)
@click.option(
    "--home",
    metavar="PATH",
    help="The repository that keeps them; made bare if it is not there.",
)
@click.option(
    "--global", "everywhere", is_flag=True, help="Set it for every repository."
)
@click.pass_obj
def command(directory: str, namespace: str, home: str | None, everywhere: bool) -> None:
    """Set intent.ledgerHome and intent.namespace in git config.

    Ledgers are kept in this repository, unless --home names another one: best a bare
    one of your own if your chats wander from project to project. Run again it changes
    what is set.
    """
    if not usable(namespace):
        raise click.UsageError(
            "--namespace: is empty, or longer than a ref may have it"
        )
    if everywhere and home is None:
        raise click.UsageError("--global needs --home: one place for all repositories")
    cwd = Path(directory).absolute()
    path = _home(cwd, home)
    scope = ["--global"] if everywhere else ["--local"]
    for key, value in ((HOME_KEY, path), (NAMESPACE_KEY, namespace)):
        run_git(["config", *scope, "--replace-all", key, value], cwd=cwd)
    where = "for every repository" if everywhere else "for this repository"
    output.say(f"Ledgers of namespace {namespace} are kept in {path}, {where}.")
    output.say("A chat's ledger is made by the first prompt that a hook delivers.")


def _home(cwd: Path, home: str | None) -> str:
    """The path of the home, made if it has to be."""
    if home is None:
        repo = Repository.discover(cwd)
        path = str(repo.common_dir if repo.bare else repo.root)
    else:
        path = os.path.normpath(cwd / Path(home).expanduser())
        if not os.path.lexists(path):
            _make(path)
    open_home(path, str(Path.home()))
    return path


def _make(path: str) -> None:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        run_git(["init", "-q", "--bare", path], cwd=Path(path).parent)
    except OSError as error:
        raise IntentError(f"{path}: {error.strerror}") from error
    except GitError as error:
        raise IntentError(f"{path}: no repository could be made", str(error)) from error
    output.say(f"Made the bare repository {path}.")
