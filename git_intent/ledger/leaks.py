"""What looks like a secret in what of a ledger is about to leave this machine.

Read are the lines, and every commit's message and every blob on the way to the tip,
also those that only an earlier commit has: what was pushed once cannot be taken back.
What the other side has already is not read again.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from git_intent import secrets
from git_intent.git.cat_file import Found, stream_objects
from git_intent.git.process import run_git
from git_intent.ledger.adopting import lines_of
from git_intent.ledger.chain import Fold, Tip, read_frame
from git_intent.ledger.event import decode
from git_intent.ledger.layout import segment_name
from git_intent.ledger.refusal import Refusal
from git_intent.ledger.state import State
from git_intent.ledger.verify import names

#: Folders of the tree, and the number of their levels.
_FOLDERS = {"journal": 1, "archive": 1, "sources": 2, "evidence": 2}


@dataclass(frozen=True, slots=True)
class Leak:
    """Where something looks like a secret of some kind; never the secret itself."""

    place: str
    kind: str

    def __str__(self) -> str:
        return f"{self.place} holds what looks like a secret ({self.kind})"


def leaks(tip: Tip[State], fold: Fold[State], known: str) -> Iterator[Leak]:
    """The leaks of a proved tip; `known` is a commit of the other side, or empty."""
    named: dict[str, str] = {}
    out = _count(tip, fold, known)
    for number, line in enumerate(lines_of(tip), 1):
        event = decode(line, number)
        for kind, digest in names(event):
            named.setdefault(f"{kind}/{digest[:2]}/{digest}", f"event {number}: ")
        if number > out:
            yield from _in(f"event {number}", _texts(event.body))
    segments = {
        f"journal/{segment_name(number)}": data
        for number, data in enumerate(tip.segments(), 1)
    }
    paths, home = _reached(tip, known), tip.objects.home
    for oid, found in stream_objects(paths, home.common_dir, home.environment):
        path = paths[oid]
        if found is not None and not segments.get(path, b"").startswith(found.data):
            place = f"{named.get(path, '')}{path} ({oid[:12]})" if path else oid
            yield from _in(place, _read(found))


def _count(tip: Tip[State], fold: Fold[State], known: str) -> int:
    """How many lines are out already: they are the first of these."""
    try:
        return len(lines_of(read_frame(tip.objects, fold, known)[0])) if known else 0
    except Refusal:
        return 0


def _reached(tip: Tip[State], known: str) -> dict[str, str]:
    """Commits and blobs that lead to the tip and not to `known`, with their paths."""
    home, without = tip.objects.home, [f"^{known}"] if known else []
    args = ["rev-list", "--objects", tip.commit, *without]
    out = run_git(args, cwd=home.common_dir, env=home.environment)
    found = {}
    for line in out.decode(errors="replace").splitlines():
        oid, space, path = line.partition(" ")
        folder, *rest = path.split("/")
        is_tree = bool(space) and not path
        if not is_tree and len(rest) >= _FOLDERS.get(folder, 0):
            found[oid] = path
    return found


def _read(found: Found) -> list[str]:
    """The texts of a blob, or of a commit's message; a tree has none."""
    if found.kind == "tree":
        return []
    commit = found.kind == "commit"
    data = found.data.partition(b"\n\n")[2] if commit else found.data
    text = data.decode("utf-8", "replace")
    try:
        return [text, *_texts([json.loads(line) for line in text.splitlines()])]
    except (ValueError, RecursionError):
        return [text]


def _texts(value: Any) -> list[str]:
    """Every text in a document, without the escapes that JSON gives it."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return []


def _in(place: str, texts: list[str]) -> Iterator[Leak]:
    # an empty line keeps what two texts say apart
    kinds = dict.fromkeys(found.kind for found in secrets.find("\n\n".join(texts)))
    for kind in kinds:
        yield Leak(place, kind)
