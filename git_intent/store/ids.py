"""Ids of requirements: `req-` and four hex digits, derived from the statement.

The same statement asks for the same ids in the same order in every clone, so that two
branches that extract it separately meet in one file.
"""

import hashlib
import re
from collections.abc import Callable, Container, Iterator

from git_intent.errors import IntentError
from git_intent.store.wording import normalise

ID = re.compile(r"req-[0-9a-f]{4}")

_SPACE = 0x10000
_HASHED = 256


def new_id(statement: str, taken: Callable[[str], bool] | Container[str]) -> str:
    """The first id for `statement` that is not taken."""
    is_taken = taken if callable(taken) else taken.__contains__
    for wanted in wanted_ids(statement):
        if not is_taken(wanted):
            return wanted
    raise IntentError(
        f"all {_SPACE:,} requirement ids are taken",
        "reword or re-scope a requirement that exists instead of adding one",
    )


def wanted_ids(statement: str) -> Iterator[str]:
    """All ids, in the order in which `statement` asks for them.

    Hashes first; after those a plain walk, which reaches every id there is.
    """
    words = normalise(statement)
    for number in range(_HASHED):
        yield f"req-{_hash(words, number):04x}"
    start = _hash(words, 0)
    for step in range(_SPACE):
        yield f"req-{(start + step) % _SPACE:04x}"


def _hash(words: str, number: int) -> int:
    data = f"{words}\0{number}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(data).digest()[:2])
