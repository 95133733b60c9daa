"""The teachers' opinions on unlabelled statements, as numbers without any text.

A file is a line of JSON and, behind its line break, ten bytes a statement in rising
order: a hash of eight bytes of what the teachers read, and a byte for each of the two
teachers, the logit between -6 and 6 in steps of 12/254. The line tells the form of the
file and, as hashes, which labelled repositories each teacher has not seen; of
repositories that nobody has named, neither has.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from git_intent.scan.statement import Statement

SOFT_LABELS = Path(__file__).parent / "soft_labels.bin"
TEACHERS = 2
FORM = 1
_KEY = 8
_SIZE = _KEY + TEACHERS
_FARTHEST = 6.0


@dataclass(frozen=True, slots=True)
class SoftLabels:
    """`logits` of each teacher by the key of a statement; `unseen` by each teacher."""

    logits: Mapping[bytes, tuple[float, ...]]
    unseen: tuple[frozenset[str], ...]

    def half(self, repo: str) -> int:
        """The teacher that has not seen a repository; 0 if neither has."""
        name = repo_key(repo)
        return next((k for k, its in enumerate(self.unseen) if name in its), 0)


def statement_key(statement: Statement, mode: str) -> bytes:
    """The hash of what the teachers read, but for the kind of the page."""
    parts = (
        mode,
        *statement.headings[-2:],
        statement.lead_in or statement.previous,
        statement.segment.value,
        statement.text,
    )
    said = "\0".join(parts).encode("utf-8", "replace")
    return blake2b(said, digest_size=_KEY).digest()


def repo_key(repo: str) -> str:
    return blake2b(repo.encode(), digest_size=_KEY).hexdigest()


def read(path: Path = SOFT_LABELS) -> SoftLabels:
    head, _, rows = path.read_bytes().partition(b"\n")
    told = json.loads(head)
    if told["form"] != FORM or len(rows) % _SIZE:
        raise ValueError(f"{path}: no file of soft labels")
    found = {}
    for at in range(0, len(rows), _SIZE):
        values = rows[at + _KEY : at + _SIZE]
        found[rows[at : at + _KEY]] = tuple((b - 127) / 127 * _FARTHEST for b in values)
    return SoftLabels(found, tuple(map(frozenset, told["unseen"])))


def write(labels: SoftLabels, path: Path = SOFT_LABELS) -> None:
    told = {"form": FORM, "unseen": list(map(sorted, labels.unseen))}
    rows = (
        key + bytes(map(_byte, labels.logits[key])) for key in sorted(labels.logits)
    )
    path.write_bytes(json.dumps(told).encode() + b"\n" + b"".join(rows))


def _byte(logit: float) -> int:
    near = min(max(logit, -_FARTHEST), _FARTHEST)
    return round(near / _FARTHEST * 127) + 127
