"""`git intent config`: every setting, and where it came from."""

import json
import os
from pathlib import Path

import click

from git_intent import config
from git_intent.cli import output
from git_intent.cli.options import examples, json_option
from git_intent.config_kinds import SWITCH, TIME
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
    if key is not None and key not in config.KEYS:
        raise click.UsageError(f"no setting {key!r}; {_near(key)}")
    repo = Repository.discover(Path(directory))
    loaded = config.load(repo, repo.root, os.environ, {})
    names = [key] if key else list(config.KEYS)
    if as_json:
        output.document(
            {
                "settings": [_record(name, loaded) for name in names],
                "issues": [str(issue) for issue in loaded.issues],
            }
        )
    else:
        output.say("\n\n".join(_text(name, loaded) for name in names))
    for issue in loaded.issues:
        output.note(str(issue))
    return 1 if loaded.errors else 0


def _near(key: str) -> str:
    from difflib import get_close_matches

    last = {name.rpartition(".")[2]: name for name in config.KEYS}
    near = get_close_matches(key.rpartition(".")[2], last, n=1)
    if near:
        return f"did you mean {last[near[0]]}?"
    return f"there are {', '.join(config.KEYS)}"


def _value(name: str, loaded: config.Loaded) -> object:
    table, _, key = name.rpartition(".")
    value = getattr(getattr(loaded.config, table) if table else loaded.config, key)
    return list(value) if isinstance(value, tuple) else value


def _from(name: str, loaded: config.Loaded) -> str:
    origin = loaded.origins[name]
    return f"{origin.layer} {origin.where}".strip()


def _spelled(name: str, loaded: config.Loaded) -> object:
    """The value as a person would write it."""
    value = _value(name, loaded)
    kind = config.KEYS[name].kind
    if kind is SWITCH:
        return "on" if value else "off"
    return f"{value}s" if kind is TIME else value


def _text(name: str, loaded: config.Loaded) -> str:
    """One setting as it would stand in the file, and what belongs to it."""
    key = config.KEYS[name]
    value = json.dumps(_spelled(name, loaded), ensure_ascii=False)
    return (
        f"{name} = {value}  ({_from(name, loaded)})\n"
        f"    {key.doc}\n"
        f"    git config {key.git}, {key.env}"
    )


def _record(name: str, loaded: config.Loaded) -> dict[str, object]:
    key = config.KEYS[name]
    return {
        "key": name,
        "value": _value(name, loaded),
        "from": _from(name, loaded),
        "default": key.default,
        "git": key.git,
        "env": key.env,
        "doc": key.doc,
    }
