"""The former wordings of every requirement, from HEAD's history.

Parsing thousands of old versions at each scan would cost more than the rest of it, so
what a version's statement was is kept by the version's blob id in
`<git common dir>/intent/cache/wordings.json`:
`{"version": 1, "statements": {blob: text}}`.
The file is derived; a broken one is ignored and written anew.
"""

import json
from pathlib import Path

from git_intent import files
from git_intent.errors import IntentError
from git_intent.git.history import versions
from git_intent.git.objects import read_blobs
from git_intent.git.repository import Repository
from git_intent.store.intent_dir import REQUIREMENTS, is_requirement
from git_intent.store.requirement_file import parse_requirement

_VERSION = 1


def former(repo: Repository, *, keep: bool = True) -> dict[str, list[str]]:
    """Requirement id → its statements in HEAD's history, newest first.

    With `keep`, what had to be parsed is remembered for the next time.
    """
    if repo.head().unborn:
        return {}
    cache = repo.common_dir / "intent" / "cache" / "wordings.json"
    known = _read(cache)
    blobs: dict[str, list[str]] = {}
    for path, history in versions(repo, REQUIREMENTS).items():
        if is_requirement(path):
            blobs[path] = [v.blob for v in history if v.blob]
    wanted = {blob for found in blobs.values() for blob in found}
    missing = sorted(wanted - known.keys())
    for blob, data in read_blobs(repo, missing).items():
        known[blob] = _statement(data)
    if missing and keep:
        _write(cache, {blob: known[blob] for blob in wanted if blob in known})
    return {
        Path(path).stem: list(dict.fromkeys(s for b in found if (s := known.get(b))))
        for path, found in blobs.items()
    }


def _statement(data: bytes) -> str:
    """A version that cannot be read says nothing."""
    try:
        return parse_requirement(data, "").statement
    except IntentError:
        return ""


def _read(cache: Path) -> dict[str, str]:
    try:
        value = json.loads(cache.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(value, dict) or value.get("version") != _VERSION:
        return {}
    found = value.get("statements")
    if not isinstance(found, dict):
        return {}
    return {str(b): s for b, s in found.items() if isinstance(s, str)}


def _write(cache: Path, statements: dict[str, str]) -> None:
    value = {"version": _VERSION, "statements": statements}
    files.write_atomic(cache, files.canonical_json(value), 0o600)
