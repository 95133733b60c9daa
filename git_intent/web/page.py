"""The page and what belongs to it, read from the package once.

Assets are looked up by name among those that are there: no path is ever made of what a
request says. The style sheets are sent as one, since each request costs time before
the first paint.
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
#: All style sheets in the order in which they count, and the name they have as one.
SHEETS = ("tokens.css", "shell.css", "table.css", "drawer.css", "views.css")
SHEET = "console.css"
_MAIN = "<!-- main -->"


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
            found[entry.name] = _asset(entry.read_bytes(), kind)
    return found


def sheet(known: Mapping[str, Asset]) -> Asset:
    """The style sheets as one."""
    return _asset(b"\n".join(known[name].data for name in SHEETS), TYPES["css"])


def _asset(data: bytes, kind: str) -> Asset:
    return Asset(data, kind, f'"{sha256(data)[:32]}"')


def edition(known: Mapping[str, Asset]) -> str:
    """A name of all the files as they are; other files have another one.

    It is a folder of their addresses, so that a browser may keep them for good: what a
    module imports lies beside it, under the same name.
    """
    parts = [f"{name}{asset.etag}" for name, asset in sorted(known.items())]
    return sha256("".join(parts).encode())[:16]


class Page:
    """The page around `<main>`, and what makes the inside; all values are escaped."""

    def __init__(self, **values: Any) -> None:
        loader = PackageLoader("git_intent.web")
        environment = Environment(loader=loader, autoescape=True)
        frame = environment.get_template("index.html").render(values)
        self.before, self.after = map(_bytes, frame.split(_MAIN))
        self._main = environment.get_template("main.html")

    def main(self, first: Mapping[str, Any] | None) -> bytes:
        """`<main>` with the first rows."""
        return _bytes(self._main.render(first=first))


def _bytes(text: str) -> bytes:
    """A name of a file need not be a text."""
    return text.encode("utf-8", "replace")
