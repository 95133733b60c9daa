"""The page and what belongs to it, read from the package once.

Assets are looked up by name among those that are there: no path is ever made of what a
request says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader

from git_intent.files import sha256

TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Asset:
    data: bytes
    type: str
    etag: str


def assets() -> dict[str, Asset]:
    """Every file of `static/`, by name."""
    found = {}
    for entry in files("git_intent.web").joinpath("static").iterdir():
        kind = TYPES.get(entry.name.rpartition(".")[2])
        if kind and entry.is_file():
            data = entry.read_bytes()
            found[entry.name] = Asset(data, kind, f'"{sha256(data)[:32]}"')
    return found


def edition(known: Mapping[str, Asset]) -> str:
    """A name of all the files as they are; other files have another one.

    It is a folder of their addresses, so that a browser may keep them for good: what a
    module imports lies beside it, under the same name.
    """
    parts = [f"{name}{asset.etag}" for name, asset in sorted(known.items())]
    return sha256("".join(parts).encode())[:16]


def page(**values: Any) -> bytes:
    """`templates/index.html` with `values` in it, escaped."""
    environment = Environment(loader=PackageLoader("git_intent.web"), autoescape=True)
    return environment.get_template("index.html").render(values).encode()
