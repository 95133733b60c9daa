"""`git intent config`: every setting, and where it came from."""

import os
from pathlib import Path

import click

from git_intent import config
from git_intent.cli import output
from git_intent.cli.project import examples, json_option
from git_intent.git.repository import Repository


@click.command(epilog=examples("config", "config token_budget"))
@click.argument("key", required=False)
@json_option
@click.pass_obj
def command(directory: str, key: str | None, as_json: bool) -> int:
    """Print each setting, its value, where it came from, and all of its spellings.

    Settings stand in the table [intent] of .cloche/config.toml, in git config, in the
    environment, and in flags; the later one wins. A bad value is exit 1.
    """
    repo = Repository.discover(Path(directory))
    loaded = config.load(repo, repo.root, os.environ, {})
    if key is not None and key not in config.KEYS:
        raise click.UsageError(
            f"no setting {key!r}; there are {', '.join(config.KEYS)}"
        )
    names = [key] if key else list(config.KEYS)
    if as_json:
        output.document(
            {
                "settings": [_record(name, loaded) for name in names],
                "issues": [str(issue) for issue in loaded.issues],
            }
        )
    else:
        output.table(
            ["setting", "value", "from", "git config", "environment", "meaning"],
            [_row(name, loaded) for name in names],
        )
        for issue in loaded.issues:
            output.note(str(issue))
    return 1 if loaded.errors else 0


def _value(name: str, loaded: config.Loaded) -> object:
    table = loaded.config.git if name.startswith("git.") else loaded.config
    return getattr(table, name.removeprefix("git."))


def _from(name: str, loaded: config.Loaded) -> str:
    origin = loaded.origins[name]
    return f"{origin.layer} {origin.where}".strip()


def _row(name: str, loaded: config.Loaded) -> list[str]:
    key = config.KEYS[name]
    value = _value(name, loaded)
    shown = ",".join(value) if isinstance(value, tuple) else str(value)
    return [name, shown or "(unset)", _from(name, loaded), key.git, key.env, key.doc]


def _record(name: str, loaded: config.Loaded) -> dict[str, object]:
    key = config.KEYS[name]
    value = _value(name, loaded)
    return {
        "key": name,
        "value": list(value) if isinstance(value, tuple) else value,
        "from": _from(name, loaded),
        "default": key.default,
        "git": key.git,
        "env": key.env,
        "doc": key.doc,
    }
