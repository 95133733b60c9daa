"""The line by which a step says how it ended.

    CLOCHE_RESULT:<nonce>:<name>     where a nonce is set
    CLOCHE_RESULT:<name>             where none is

The line stands alone, the last one counts, and its name must be one of the step's
results. Such lines are cut out of what the step said. Where a nonce is set, only lines
with it are meant: a document that an agent reads aloud may hold the bare form, or
another run's, and that is text like any other.

Agents like to dress what they say, so blanks, backticks and asterisks around the line
do not matter; a sign of a quotation (`>`) does.
"""

from collections.abc import Collection
from dataclasses import dataclass

WORD = b"CLOCHE_RESULT:"
_DRESS = b" \t\r`*"


@dataclass(frozen=True, slots=True)
class Marked:
    """`result` is None if no line counts; `problems` say why those that stand there do
    not. `text` is what was said besides. `seen` is whether a line was meant to count,
    whatever its name."""

    result: str | None
    text: bytes
    problems: tuple[str, ...] = ()
    seen: bool = False


def line(nonce: str, name: str) -> str:
    """The line that means `name`."""
    return f"{WORD.decode()}{nonce}:{name}" if nonce else f"{WORD.decode()}{name}"


def read(out: bytes, nonce: str, declared: Collection[str]) -> Marked:
    """What a step that printed `out` says of its end."""
    if WORD not in out:
        return Marked(None, out)
    start = WORD + (nonce.encode() + b":" if nonce else b"")
    kept: list[bytes] = []
    last: bytes | None = None
    bare = False
    for one in out.splitlines(keepends=True):
        words = one.strip(_DRESS + b"\n")
        if words.startswith(start):
            last = words[len(start) :].strip()
            continue
        bare = bare or words.startswith(WORD)
        kept.append(one)
    text = b"".join(kept)
    if last is None:
        why = f"a line `{WORD.decode()}NAME` counts with the run's nonce only"
        return Marked(None, text, (why,) if bare else ())
    name = last.decode("ascii", "replace")
    if name in declared:
        return Marked(name, text, seen=True)
    # the name is not repeated: it may be of a step whose words stay out of records
    problem = f"the result it named is not one of {', '.join(declared)}"
    return Marked(None, text, (problem,), seen=True)
