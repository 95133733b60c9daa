"""Any text as a part of a ref or of a path in a tree, and back again.

Lower-case ASCII letters, digits, `-` and `_` stand for themselves; every other byte is
`%` and two lower-case hex digits. So no part is `..`, ends in `.lock` or is `.git`, and
no two texts get parts that differ in case or in Unicode form alone, which file systems
may take for one. The empty text is `%`.

A part of a ref is a file name and may not be long. What is too long is cut into several
parts, all but the last ending in `+`: since `+` stands for nothing else, no run's ref
lies in the way of another's.
"""

import os
import re

from git_intent.errors import IntentError

#: Refs below this are records of runs.
PREFIX = "refs/intent/runs/"
LONGEST = 1024  # bytes of a run's id: its ref, as a path, must fit every system
_PART = 240  # bytes of a file name, with room for git's `.lock`
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_PIECE = re.compile(rf"(?:%..|[^%]){{1,{_PART // 3}}}")


def escape(text: str) -> str:
    """`text` as one part of a path."""
    data = os.fsencode(text)
    return "".join(chr(b) if b in _PLAIN else f"%{b:02x}" for b in data) or "%"


def unescape(part: str) -> str:
    """What `escape` made into `part`, and what others may have made so."""
    if part == "%":
        return ""
    data = os.fsencode(part)
    return os.fsdecode(_ESCAPED.sub(lambda m: bytes.fromhex(m[1].decode()), data))


def ref_of(run: str) -> str:
    """The ref of a run's record. Raises IntentError for what can be no run's name."""
    if not run:
        raise IntentError("a run needs a name", "give one with --run")
    if len(os.fsencode(run)) > LONGEST:
        raise IntentError(
            f"the run's name is longer than {LONGEST} bytes", "use a shorter one"
        )
    name = escape(run)
    pieces = [name] if len(name) <= _PART else _PIECE.findall(name)
    return PREFIX + "+/".join(pieces)


def run_of(ref: str) -> str:
    """The run whose record `ref` holds."""
    return unescape(ref.removeprefix(PREFIX).replace("+/", ""))
