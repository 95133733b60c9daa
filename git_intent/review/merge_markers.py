"""Conflict markers: two versions of a file in one, and back again.

    <<<<<<< ours
    the lines of the one version
    ||||||| base          (diff3 and zdiff3 styles: what both came from)
    =======
    the lines of the other
    >>>>>>> theirs

Markers are seven characters long unless git was told otherwise. What is written here
has no base part; read are all three styles. Reading gives back what was written, but
for a missing newline at the end of a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

SIZE = 7

_OPEN = re.compile(rb"(<{7,})(?: .*)?")


@dataclass(frozen=True, slots=True)
class Sides:
    """The versions that a file with markers holds; `line` is that of the first one."""

    ours: bytes
    theirs: bytes
    base: bytes | None
    line: int


def mark(
    ours: bytes,
    theirs: bytes,
    *,
    size: int = SIZE,
    labels: tuple[str, str] = ("ours", "theirs"),
    whole: bool = False,
) -> tuple[bytes, int]:
    """Both versions in one file, and the line of the first marker.

    With `whole` nothing is taken for common to both.
    """
    glue = b"\r\n" if b"\r\n" in ours or b"\r\n" in theirs else b"\n"
    a, b = _lines(ours, glue), _lines(theirs, glue)
    marks = [
        b"<" * size + b" " + labels[0].encode() + glue,
        b"=" * size + glue,
        b">" * size + b" " + labels[1].encode() + glue,
    ]
    pieces: list[bytes] = []
    first = 0
    for equal, left, right in _parts(a, b, whole):
        if equal:
            pieces += left
            continue
        first = first or len(pieces) + 1
        pieces += [marks[0], *left, marks[1], *right, marks[2]]
    return b"".join(pieces), first or 1


def _parts(
    a: list[bytes], b: list[bytes], whole: bool
) -> Iterator[tuple[bool, list[bytes], list[bytes]]]:
    if whole:
        yield False, a, b
        return
    for tag, i, k, m, n in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        yield tag == "equal", a[i:k], b[m:n]


def _lines(data: bytes, glue: bytes) -> list[bytes]:
    """Lines with their ends, all of which have one."""
    found = data.split(b"\n")
    lines = [line + b"\n" for line in found[:-1]]
    return lines + ([found[-1] + glue] if found[-1] else [])


def sides(data: bytes) -> Sides | None:
    """The versions in a file with markers; None if it has none, or broken ones."""
    ours: list[bytes] = []
    theirs: list[bytes] = []
    base: list[bytes] = []
    size = first = 0
    has_base = True
    part = "both"
    for number, line in enumerate(_lines(data, b""), 1):
        bare = line.rstrip(b"\r\n")
        opened = _OPEN.fullmatch(bare) if part == "both" else None
        if opened:
            size, part = len(opened[1]), "ours"
            first = first or number
            seen_base = False
        elif part == "ours" and _is(bare, b"|", size):
            part, seen_base = "base", True
        elif part in ("ours", "base") and bare == b"=" * size:
            part = "theirs"
        elif part == "theirs" and _is(bare, b">", size):
            part = "both"
            has_base = has_base and seen_base
        else:
            for name, into in (("ours", ours), ("theirs", theirs), ("base", base)):
                if part in ("both", name):
                    into.append(line)
    if not first or part != "both":
        return None
    old = b"".join(base) if has_base else None
    return Sides(b"".join(ours), b"".join(theirs), old, first)


def _is(line: bytes, sign: bytes, size: int) -> bool:
    return line == sign * size or line.startswith(sign * size + b" ")
