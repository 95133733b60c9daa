"""Every file that git reads settings or ignore patterns from, there or not."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from git_intent.git.repository import Repository


def config_files(repo: Repository, environ: Mapping[str, str]) -> Iterator[str]:
    """Absolute paths; those of links, and of what they lead to."""
    home = environ.get("HOME", "/nonexistent")
    xdg = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    out = repo.git("config", "--list", "--show-origin", "-z", check=False)
    excludes = repo.git("config", "--path", "--get", "core.excludesFile", check=False)
    fields = [os.fsdecode(field) for field in out.split(b"\0")]
    named = {*_origins(fields), *_included(fields, home)}
    named.add(os.fsdecode(excludes).rstrip("\n"))
    usual = (
        f"{home}/.gitconfig",
        f"{xdg}/git/config",
        f"{xdg}/git/ignore",
        str(repo.common_dir / "config"),
        str(repo.git_dir / "config.worktree"),
    )
    for path in (*usual, *filter(None, named)):
        yield str(repo.root / path)
        yield str((repo.root / path).resolve())


def _origins(fields: list[str]) -> Iterator[str]:
    """The files among `file:PATH` fields; every other field holds a setting."""
    for field in fields[::2]:
        kind, _, path = field.partition(":")
        if kind == "file":
            yield path


def _included(fields: list[str], home: str) -> Iterator[str]:
    """Files that are to be included, also those that are not there yet."""
    for origin, setting in zip(fields[::2], fields[1::2], strict=False):
        name, _, path = setting.partition("\n")
        if name.startswith(("include.", "includeif.")) and name.endswith(".path"):
            folder = Path(origin.partition(":")[2]).parent
            yield str(folder / path.replace("~", home, 1 if path[:2] == "~/" else 0))
