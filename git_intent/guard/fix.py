"""Faults of a file that can be meant in one way only are put right.

Safe is what changes how a value is spelled and not what it says: a known word in other
letters (`status: Active`), a truth value in quotes (`user_edited: "true"`), one text
where a list belongs (`domains: api`); and in scan-state.yaml a cursor that is none,
which a scan would take for missing. Statements, ids and whatever leaves a choice stay
as they are. The mark of a person's change (I105) is set by `guard.repair`.

The editor of the store leaves every other byte alone. A file is rewritten only if that
takes findings away and brings none.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from git_intent.errors import IntentError
from git_intent.files import write_atomic
from git_intent.store.check import check_file
from git_intent.store.field_editor import make_list, set_fields
from git_intent.store.frontmatter import parse
from git_intent.store.intent_dir import SCAN_STATE, is_requirement
from git_intent.store.issue import Issue
from git_intent.store.malformed import MalformedFile
from git_intent.store.requirement import Confidence, Kind, Level, Status
from git_intent.store.strict_yaml import decode, encode, lines, parse_yaml

#: Key -> the words that it knows.
_WORDS: Mapping[str, frozenset[str]] = {
    "status": frozenset(Status),
    "scope.level": frozenset(Level),
    "confidence": frozenset(Confidence),
    "provenance.kind": frozenset(Kind),
}
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
#: Lists of single words: a text with a comma or blank in it may have meant several.
_LISTS = ("scope.domains", "scope.paths", "scope.languages")
_CURSORS = ("I060", "I061")


def fix_formats(root: Path, files: Mapping[str, bytes]) -> list[str]:
    """Repair files of one project; gives the paths of those that were written.

    `files` maps their paths to the bytes that the work tree holds.
    """
    done = []
    for path, data in sorted(files.items()):
        fixed = fixed_bytes(path, data)
        if fixed != data:
            write_atomic(root / path, fixed)
            done.append(path)
    return done


def fixed_bytes(path: str, data: bytes) -> bytes:
    """The file with its safe faults repaired; the same bytes if there are none."""
    before = check_file(path, data)
    try:
        if not before:
            fixed = data
        elif is_requirement(path):
            fixed = _requirement(path, data)
        elif path == SCAN_STATE:
            fixed = _scan_state(path, data, before)
        else:
            fixed = data
    except IntentError:
        return data  # too broken to be edited
    return fixed if _better(before, check_file(path, fixed)) else data


def _better(before: list[Issue], after: list[Issue]) -> bool:
    """Fewer findings, and none that was not there."""
    known = {(found.code, found.message) for found in before}
    return len(after) < len(before) and known.issuperset(
        (found.code, found.message) for found in after
    )


def _requirement(path: str, data: bytes) -> bytes:
    value = parse(data, path).value
    for key, words in _WORDS.items():
        meant = _text(value, key).strip().casefold()
        if meant in words and meant != _text(value, key):
            data = set_fields(data, {key: meant}, path)
    truth = _TRUTH.get(_text(value, "user_edited").strip().casefold())
    if truth is not None:
        data = set_fields(data, {"user_edited": truth}, path)
    for key in _LISTS:
        if re.fullmatch(r"[^\s,]+", _text(value, key)):
            data = make_list(data, key, path)
    return data


def _text(value: Any, key: str) -> str:
    """The text at a dotted key; empty if there is something else, or nothing."""
    for step in key.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _scan_state(path: str, data: bytes, before: list[Issue]) -> bytes:
    """Without the lines of broken cursors, if each is a line of its own."""
    text = decode(data, path)
    starts = [start for start, _ in lines(text)]
    for line in sorted({i.line for i in before if i.code in _CURSORS}, reverse=True):
        end = starts[line] if line < len(starts) else len(text)
        shorter = text[: starts[line - 1]] + text[end:]
        old, new = _keys(text, path), _keys(shorter, path)
        if new < old and len(old) == len(new) + 1:
            text = shorter
    return encode(text, data)


def _keys(text: str, path: str) -> set[tuple[str, ...]]:
    """Every key of the document, with those above it."""
    try:
        return set(_walk(parse_yaml(text.encode(), path).value, ()))
    except MalformedFile:
        return set()


def _walk(value: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*above, key)
            yield from _walk(inner, (*above, key))
