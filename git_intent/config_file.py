"""The `[intent]` table of a TOML file, with the place of each key.

`tomllib` tells no places of what it accepts, so the lines are read a second time, just
well enough to find a key again: a table's header, then the key before its `=`. A key
that is written in a rarer way is placed at its table's header or at the file's start.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_ENTRY = re.compile(r"\s*([\w.\"' -]+?)\s*=\s*")
_AT = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.S)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a setting; `line` and `col` are 0 outside of files.

    Codes: C001 the file cannot be read, C002 unknown key, C003 bad value.
    """

    path: str
    line: int
    col: int
    code: str
    message: str
    severity: str = "error"

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.col}" if self.line else self.path
        return f"{place}: {self.code} {self.message}"


@dataclass(frozen=True, slots=True)
class Place:
    """How a layer spells a key, and where it does so."""

    name: str
    path: str
    line: int = 0
    col: int = 0

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path

    def finding(self, code: str, message: str, severity: str = "error") -> Finding:
        return Finding(self.path, self.line, self.col, code, message, severity)


@dataclass(frozen=True, slots=True)
class Settings:
    """What stands below `[intent]`, flat: `token_budget`, `git.max_commits`."""

    path: str
    values: Mapping[str, Any] = field(default_factory=dict)
    issues: tuple[Finding, ...] = ()
    lines: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def place(self, name: str) -> Place:
        """Where the value of a key stands."""
        line, col = self.lines.get(f"intent.{name}") or (1, 1)
        return Place(name, self.path, line, col)


def read_toml(file: Path, path: str) -> Settings:
    """Read a file that may be absent; `path` is what findings call it."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return Settings(path)
    except OSError as error:
        return _unreadable(path, 1, 1, error.strerror or "cannot be read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        col = error.start - (before.rfind(b"\n") + 1) + 1
        return _unreadable(path, line, col, "not UTF-8")
    import tomllib

    try:
        table = tomllib.loads(text).get("intent", {})
    except tomllib.TOMLDecodeError as error:
        return _unreadable(path, *_position(str(error), text))
    lines = dict(_places(text))
    if not isinstance(table, dict):
        line, col = lines.get("intent", (1, 1))
        return _unreadable(path, line, col, "intent: expected a table", "C003")
    return Settings(path, dict(_flat(table, "")), (), lines)


def _unreadable(
    path: str, line: int, col: int, message: str, code: str = "C001"
) -> Settings:
    return Settings(path, issues=(Finding(path, line, col, code, message),))


def _position(words: str, text: str) -> tuple[int, int, str]:
    """Take the place out of what tomllib says; it has none for the end of the file."""
    match = _AT.fullmatch(words)
    if match:
        return int(match[2]), int(match[3]), f"not TOML: {match[1]}"
    last = text.split("\n")
    words = words.removesuffix(" (at end of document)")
    return len(last), len(last[-1]) + 1, f"not TOML: {words}"


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict) and prefix + key in ("git", "ledger"):
            yield from _flat(value, f"{key}.")
        else:
            yield prefix + key, value


def _places(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Dotted key → line and column of its value; a table's are its header's."""
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _HEADER.match(line):
            table = _dotted(match[1])
            yield table, (number, match.start(1) + 1)
        elif match := _ENTRY.match(line):
            key = _dotted(match[1])
            yield f"{table}.{key}" if table else key, (number, match.end() + 1)


def _dotted(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))
